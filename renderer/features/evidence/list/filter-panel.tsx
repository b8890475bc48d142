import { Suspense, useState } from 'react'
import { statusWord } from '../../../client/evidence-status.ts'
import { lazyPart } from '../../../client/load-chunk.ts'
import { useTranslation } from '../../../client/translate.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Checkbox } from '../../../ui/field/choice.tsx'
import { SearchField, TextField } from '../../../ui/field/field.tsx'
import { RadioGroup } from '../../../ui/field/radio-group.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { type FilterName, HAS_WORDS, NEEDS_A_LOOK, PERIOD_WORDS, SIZES, type Words } from './filters.ts'
import styles from './list.module.css'
import { HAS, type ListSearch, PERIODS, STATUSES, TYPES } from './search.ts'
import { type FacetValue, useFacet } from './use-facet.ts'

const CasePicker = lazyPart(() => import('./case-picker.tsx'))
const WhenForm = lazyPart(() => import('../../../ui/filter/when-form.tsx'))

interface Props {
  readonly name: FilterName
  readonly search: ListSearch
  readonly change: (what: Partial<ListSearch>) => void
  readonly close: () => void
}

/** By what one filter filters. */
export default function FilterPanel({ name, search, change, close }: Props) {
  switch (name) {
    case 'recorded':
      return <WhenPanel {...{ search, change, close }} />
    case 'size':
      return <SizePanel {...{ search, change, close }} />
    case 'case':
      return (
        <Suspense fallback={<div className={styles['picker']} />}>
          <CasePicker
            onChoose={(chosen) => {
              change({ case: chosen })
              close()
            }}
          />
        </Suspense>
      )
    case 'has':
      return <HasPanel {...{ search, change }} />
    default:
      return <ValuesPanel {...{ facet: name, search, change }} />
  }
}

type PanelProps = Pick<Props, 'search' | 'change'>

/** Values without a count are offered where they are few and always the same. */
const ALWAYS: Readonly<Partial<Record<FilterName, readonly string[]>>> = { type: TYPES, status: STATUSES }

function wordsOf(facet: FilterName, { id, name }: Pick<FacetValue, 'id' | 'name'>, t: Words): string {
  if (facet === 'type') return (TYPES as readonly string[]).includes(id) ? t(id as (typeof TYPES)[number]) : id
  if (facet === 'status') return statusWord(id as (typeof STATUSES)[number])
  return visible(name ?? id)
}

/** From so many on they are found by typing. */
const MANY = 8
/** So many are drawn; typing finds the others. */
const MOST_SHOWN = 60

interface ValuesProps extends PanelProps {
  readonly facet: 'type' | 'status' | 'category' | 'device' | 'officer' | 'tag'
}

function ValuesPanel({ facet, search, change }: ValuesProps) {
  const { t } = useTranslation('evidenceList')
  const { values, atLeast } = useFacet(facet, search)
  const [text, setText] = useState('')
  const chosen: readonly string[] = search[facet]
  const set = (next: readonly string[]): void => change({ [facet]: next } as Partial<ListSearch>)
  const known = new Map((values ?? []).filter(({ id }) => id !== 'none').map((one) => [one.id, one]))
  const ids = [...new Set([...chosen, ...(ALWAYS[facet] ?? []), ...known.keys()])]
  const all = ids.map((id) => ({ id, label: wordsOf(facet, known.get(id) ?? { id, name: null }, t) }))
  const fitting = all.filter(({ label }) => label.toLocaleLowerCase().includes(text.trim().toLocaleLowerCase()))
  return (
    <div className={styles['panel']}>
      {all.length > MANY && (
        <SearchField
          label={t('findValue')}
          hideLabel
          autoFocus
          placeholder={t('findValue')}
          value={text}
          onChange={setText}
        />
      )}
      {facet === 'status' && (
        <Button size="small" onPress={() => set(NEEDS_A_LOOK)}>
          {t('needsALook')}
        </Button>
      )}
      <ul className={styles['choices']} aria-busy={values === null}>
        {fitting.slice(0, MOST_SHOWN).map(({ id, label }) => (
          <Value
            key={id}
            label={label}
            count={values === null ? null : (known.get(id)?.count ?? 0)}
            atLeast={atLeast}
            checked={chosen.includes(id)}
            onChange={(on) => set(on ? [...chosen, id] : chosen.filter((one) => one !== id))}
          />
        ))}
      </ul>
      {values !== null && all.length === 0 && <p className="muted">{t('noValues')}</p>}
      {atLeast && <p className="muted">{t('countedNewest')}</p>}
    </div>
  )
}

interface ValueProps {
  readonly label: string
  /** Null while it is counted. */
  readonly count: number | null
  readonly atLeast: boolean
  readonly checked: boolean
  readonly onChange: (on: boolean) => void
}

function Value({ label, count, atLeast, checked, onChange }: ValueProps) {
  const { t } = useTranslation('evidenceList')
  const format = useFormat()
  const said = count === null ? null : atLeast && count > 0 ? `${format.count(count)}+` : format.count(count)
  return (
    <li className={styles['value']}>
      <Checkbox
        checked={checked}
        onChange={onChange}
        label={said === null ? label : t('valueCount', { name: label, shown: said })}
      >
        <bdi className={styles['valueName']}>{label}</bdi>
      </Checkbox>
      <span className={styles['valueCount']} aria-hidden="true">
        {said}
      </span>
    </li>
  )
}

/** What each of them has; all that are chosen must hold. */
function HasPanel({ search, change }: PanelProps) {
  const { t } = useTranslation('evidenceList')
  const { values, atLeast } = useFacet('has', search)
  const counts = new Map((values ?? []).map(({ id, count }) => [id, count]))
  return (
    <div className={styles['panel']}>
      <ul className={styles['choices']}>
        {HAS.filter((one) => !(one === 'unfinished' && search.bin)).map((one) => (
          <Value
            key={one}
            label={t(HAS_WORDS[one])}
            // Files on their way come and go: they are not counted.
            count={values === null || one === 'unfinished' ? null : (counts.get(one) ?? 0)}
            atLeast={atLeast}
            checked={search.has.includes(one)}
            onChange={(on) => change({ has: on ? [...search.has, one] : search.has.filter((other) => other !== one) })}
          />
        ))}
      </ul>
    </div>
  )
}

function WhenPanel({ search, change, close }: Omit<Props, 'name'>) {
  const { t } = useTranslation('evidenceList')
  const [between, setBetween] = useState(search.when === '' && (search.from !== '' || search.to !== ''))
  return (
    <div className={styles['panel']}>
      <RadioGroup
        label={t('filterRecorded')}
        hideLabel
        value={between ? 'between' : search.when}
        options={[
          ...PERIODS.map((id) => ({ id, label: t(PERIOD_WORDS[id]) })),
          { id: 'between' as const, label: t('periodBetween') },
        ]}
        onChange={(chosen) => {
          setBetween(chosen === 'between')
          if (chosen !== 'between') change({ when: chosen as ListSearch['when'], from: '', to: '' })
        }}
      />
      {between && (
        <Suspense fallback={null}>
          <WhenForm
            from={search.from}
            to={search.to}
            onChange={(range) => {
              change({ ...range, when: '' })
              close()
            }}
          />
        </Suspense>
      )}
    </div>
  )
}

const MEGABYTE = 1_000_000
const inMegabytes = (bytes: string): string => (bytes === '' ? '' : String(Number(bytes) / MEGABYTE))
/** Null: no number of megabytes. */
function bytesOf(text: string): string | null {
  const typed = text.trim().replace(',', '.')
  if (typed === '') return ''
  const bytes = Math.round(Number(typed) * MEGABYTE)
  return Number.isFinite(bytes) && bytes >= 0 && bytes < 1e15 ? String(bytes) : null
}

function SizePanel({ search, change, close }: Omit<Props, 'name'>) {
  const { t } = useTranslation('evidenceList')
  const [min, setMin] = useState(inMegabytes(search.min))
  const [max, setMax] = useState(inMegabytes(search.max))
  const [least, most] = [bytesOf(min), bytesOf(max)]
  const preset = SIZES.find((one) => one.min === search.min && one.max === search.max)
  return (
    <form
      className={styles['panel']}
      onSubmit={(event) => {
        event.preventDefault()
        if (least === null || most === null) return
        // Whoever gives the ends the wrong way round means what lies between them.
        const turned = least !== '' && most !== '' && Number(least) > Number(most)
        change(turned ? { min: most, max: least } : { min: least, max: most })
        close()
      }}
    >
      <RadioGroup
        label={t('columnSize')}
        hideLabel
        value={preset?.id ?? ''}
        options={SIZES.map(({ id }) => ({ id, label: t(`size_${id}`) }))}
        onChange={(chosen) => {
          const { min: from = '', max: to = '' } = SIZES.find(({ id }) => id === chosen) ?? {}
          change({ min: from, max: to })
          close()
        }}
      />
      <TextField
        label={t('sizeAtLeast')}
        value={min}
        onChange={setMin}
        error={least === null ? t('sizeWrong') : undefined}
      />
      <TextField
        label={t('sizeAtMost')}
        value={max}
        onChange={setMax}
        error={most === null ? t('sizeWrong') : undefined}
      />
      <Button kind="main" type="submit">
        {t('sizeShow')}
      </Button>
    </form>
  )
}
