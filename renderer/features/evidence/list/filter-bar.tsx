import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as documents from '../../../../shared/contract/documents.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { Button, IconButton, ToggleButton } from '../../../ui/button/button.tsx'
import { SearchField } from '../../../ui/field/field.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { Menu } from '../../../ui/popover/menu.tsx'
import { Popover } from '../../../ui/popover/popover.tsx'
import styles from './list.module.css'
import { isFiltered, type ListSearch, STATUSES, TYPES } from './search.ts'

const RecordedFilter = lazy(() => import('./recorded-filter.tsx'))
const CasePicker = lazy(() => import('./case-picker.tsx'))
const CaseName = lazy(() => import('./case-name.tsx'))

interface Props {
  readonly search: ListSearch
  readonly change: (what: Partial<ListSearch>) => void
}

const TYPING_PAUSE = 250

export function FilterBar({ search, change }: Props) {
  const { t } = useTranslation('evidenceList')
  return (
    <div className={styles['filters']} role="group" aria-label={t('filters')}>
      <TextFilter search={search} change={change} />
      <ChoiceFilter
        name={t('filterType')}
        options={TYPES.map((id) => ({ id, label: t(id) }))}
        chosen={search.type}
        onChange={(type) => change({ type: type as ListSearch['type'] })}
      />
      <ChoiceFilter
        name={t('filterStatus')}
        options={STATUSES.map((id) => ({ id, label: t(id) }))}
        chosen={search.status}
        onChange={(status) => change({ status: status as ListSearch['status'] })}
      />
      <Recorded search={search} change={change} />
      <TagFilter search={search} change={change} />
      <CaseFilter search={search} change={change} />
      {!search.bin && (
        <ToggleButton
          size="small"
          icon="clock"
          on={search.unfinished}
          onChange={(unfinished) => change({ unfinished })}
        >
          {t('unfinished')}
        </ToggleButton>
      )}
      {isFiltered(search) && (
        <Button
          kind="quiet"
          size="small"
          onPress={() =>
            change({ q: '', type: [], status: [], tag: [], case: '', from: '', to: '', unfinished: false })
          }
        >
          {t('clearAll')}
        </Button>
      )}
    </div>
  )
}

/** Asks once the typing pauses; the address follows what is asked. */
function TextFilter({ search, change }: Props) {
  const { t } = useTranslation('evidenceList')
  const [text, setText] = useState(search.q)
  const asked = useRef(search.q)
  useEffect(() => {
    if (search.q !== asked.current) {
      asked.current = search.q
      setText(search.q)
    }
  }, [search.q])
  useEffect(() => {
    if (text === asked.current) return
    const timer = setTimeout(() => {
      asked.current = text
      change({ q: text })
    }, TYPING_PAUSE)
    return () => clearTimeout(timer)
  }, [text, change])
  return (
    <div className={styles['text']} data-filter>
      <SearchField label={t('searchHere')} hideLabel placeholder={t('searchHere')} value={text} onChange={setText} />
    </div>
  )
}

interface ChoiceProps {
  readonly name: string
  readonly options: readonly { readonly id: string; readonly label: string }[]
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}

function ChoiceFilter({ name, options, chosen, onChange }: ChoiceProps) {
  const { t } = useTranslation('evidenceList')
  const words = options.filter(({ id }) => chosen.includes(id)).map(({ label }) => label)
  return (
    <span className={styles['filter']}>
      <Menu
        label={name}
        placement="bottom start"
        sections={[{ items: options, selected: chosen, onSelectMany: onChange }]}
        trigger={
          <Button size="small" kind="plain">
            <b>{name}</b> {words.length === 0 ? t('any') : words.join(', ')}
          </Button>
        }
      />
      {words.length > 0 && (
        <IconButton
          kind="quiet"
          size="small"
          icon="x"
          label={t('clearFilter', { name })}
          onPress={() => onChange([])}
        />
      )}
    </span>
  )
}

function Recorded({ search: { from, to }, change }: Props) {
  const { t } = useTranslation('evidenceList')
  const format = useFormat()
  const name = t('filterRecorded')
  const at = (time: string): string => format.instant(time, { precision: 'minute' })
  const words =
    from !== '' && to !== ''
      ? t('recordedBetween', { from: at(from), to: at(to) })
      : from !== ''
        ? t('recordedSince', { from: at(from) })
        : to !== ''
          ? t('recordedUntil', { to: at(to) })
          : t('any')
  return (
    <span className={styles['filter']}>
      <Popover
        label={name}
        placement="bottom start"
        trigger={
          <Button size="small" kind="plain">
            <b>{name}</b> {words}
          </Button>
        }
      >
        {(close: () => void) => (
          <Suspense fallback={<div className={styles['recorded']} />}>
            <RecordedFilter
              from={from}
              to={to}
              onChange={(range) => {
                change(range)
                close()
              }}
            />
          </Suspense>
        )}
      </Popover>
      {(from !== '' || to !== '') && (
        <IconButton
          kind="quiet"
          size="small"
          icon="x"
          label={t('clearFilter', { name })}
          onPress={() => change({ from: '', to: '' })}
        />
      )}
    </span>
  )
}

/** The tags that are used most; whatever else is typed into the search finds tags too. */
function TagFilter({ search: { tag }, change }: Props) {
  const { t } = useTranslation('evidenceList')
  const { tenant } = useSession()
  const { data } = useQuery({
    queryKey: ['tags', tenant],
    queryFn: ({ signal }) =>
      call(documents.listTags, { params: { tenantName: tenant }, query: { count: '50' }, signal }),
  })
  const known = (data ?? []).map(({ Tag }) => Tag)
  const options = [...new Set([...tag, ...known])].map((id) => ({ id, label: id }))
  if (options.length === 0) return null
  return (
    <ChoiceFilter
      name={t('filterTag')}
      options={options}
      chosen={tag}
      onChange={(next) => change({ tag: [...next] })}
    />
  )
}

/** What is in one case. */
function CaseFilter({ search: { case: id }, change }: Props) {
  const { t } = useTranslation('evidenceList')
  const name = t('filterCase')
  return (
    <span className={styles['filter']}>
      <Popover
        label={name}
        placement="bottom start"
        trigger={
          <Button size="small" kind="plain">
            <b>{name}</b>{' '}
            {id === '' ? (
              t('any')
            ) : (
              <Suspense fallback={id}>
                <CaseName caseId={id} />
              </Suspense>
            )}
          </Button>
        }
      >
        {(close: () => void) => (
          <Suspense fallback={<div className={styles['picker']} />}>
            <CasePicker
              onChoose={(chosen) => {
                change({ case: chosen })
                close()
              }}
            />
          </Suspense>
        )}
      </Popover>
      {id !== '' && (
        <IconButton
          kind="quiet"
          size="small"
          icon="x"
          label={t('clearFilter', { name })}
          onPress={() => change({ case: '' })}
        />
      )}
    </span>
  )
}
