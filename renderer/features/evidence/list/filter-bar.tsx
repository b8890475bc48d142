import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { statusWord } from '../../../client/evidence-status.ts'
import * as documents from '../../../../shared/evidence/contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { ToggleButton } from '../../../ui/button/button.tsx'
import { Filters, ManyFilter, PickFilter, TextFilter, WhenFilter } from '../../../ui/filter/filter.tsx'
import styles from './list.module.css'
import { isFiltered, type ListSearch, STATUSES, TYPES } from './search.ts'
import { lazyPart } from '../../../client/load-chunk.ts'

const CasePicker = lazyPart(() => import('./case-picker.tsx'))
const CaseName = lazyPart(() => import('./case-name.tsx'))

interface Props {
  readonly search: ListSearch
  readonly change: (what: Partial<ListSearch>) => void
}

const WITHOUT = { q: '', type: [], status: [], tag: [], case: '', from: '', to: '', unfinished: false }

export function FilterBar({ search, change }: Props) {
  const { t } = useTranslation('evidenceList')
  return (
    <Filters
      label={t('filters')}
      clear={t('clearAll')}
      onClear={isFiltered(search) ? () => change(WITHOUT) : undefined}
    >
      <TextFilter label={t('searchHere')} value={search.q} onChange={(q) => change({ q })} />
      <ManyFilter
        name={t('filterType')}
        options={TYPES.map((id) => ({ id, label: t(id) }))}
        chosen={search.type}
        onChange={(type) => change({ type: type as ListSearch['type'] })}
      />
      <ManyFilter
        name={t('filterStatus')}
        options={STATUSES.map((id) => ({ id, label: statusWord(id) }))}
        chosen={search.status}
        onChange={(status) => change({ status: status as ListSearch['status'] })}
      />
      <WhenFilter name={t('filterRecorded')} from={search.from} to={search.to} onChange={change} />
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
    </Filters>
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
    <ManyFilter name={t('filterTag')} options={options} chosen={tag} onChange={(next) => change({ tag: [...next] })} />
  )
}

/** What is in one case. */
function CaseFilter({ search: { case: id }, change }: Props) {
  const { t } = useTranslation('evidenceList')
  const { t: ui } = useTranslation('ui')
  return (
    <PickFilter
      name={t('filterCase')}
      words={
        id === '' ? (
          ui('filterAny')
        ) : (
          <Suspense fallback={id}>
            <CaseName caseId={id} />
          </Suspense>
        )
      }
      set={id !== ''}
      onClear={() => change({ case: '' })}
    >
      {(close) => (
        <Suspense fallback={<div className={styles['picker']} />}>
          <CasePicker
            onChoose={(chosen) => {
              change({ case: chosen })
              close()
            }}
          />
        </Suspense>
      )}
    </PickFilter>
  )
}
