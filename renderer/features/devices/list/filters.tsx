import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SearchField } from '../../../ui/field/field.tsx'
import { Segments } from '../../../ui/segments/segments.tsx'
import { Select } from '../../../ui/select/select.tsx'
import styles from '../devices.module.css'
import { OfficerField } from '../officer-field.tsx'
import type { DevicesSearch } from '../search-state.ts'
import { typeWords } from '../words.ts'

const TYPING_PAUSE = 250
const ANY = 'any:'

interface FiltersProps {
  readonly search: DevicesSearch
  /** Every type that a device has. */
  readonly types: readonly string[]
  readonly change: (what: Partial<DevicesSearch>, replace?: boolean) => void
}

/** As the station's list takes them; the address keeps them. */
export function Filters({ search, types, change }: FiltersProps) {
  const { t } = useTranslation('devices')
  const known = search.type === undefined || types.includes(search.type) ? types : [...types, search.type]
  return (
    <div className={styles['filters']} role="search" aria-label={t('filters')}>
      <Text search={search} change={change} />
      <Segments
        label={t('state')}
        value={search.state ?? 'all'}
        onChange={(state) => change({ state: state === 'all' ? undefined : state })}
        segments={[
          { id: 'all', label: t('stateAll') },
          { id: 'Active', label: t('active') },
          { id: 'Inactive', label: t('inactive') },
        ]}
      />
      <div className={styles['filter']}>
        <Select
          label={t('type')}
          hideLabel
          value={search.type === undefined ? ANY : `type:${search.type}`}
          onChange={(id) => change({ type: id === ANY ? undefined : id.slice('type:'.length) })}
          options={[
            { id: ANY, label: t('typeAny') },
            ...known.map((type) => ({ id: `type:${type}`, label: typeWords(type, t) })),
          ]}
        />
      </div>
      <div className={styles['filter']}>
        <OfficerField
          // Another one by the address begins a field of its own.
          key={search.officer ?? ''}
          label={t('officerAny')}
          hideLabel
          value={search.officer === undefined ? null : { id: search.officer, name: search.name ?? search.officer }}
          onChange={(officer) => change({ officer: officer?.id, name: officer?.name })}
        />
      </div>
    </div>
  )
}

/** Asks once the typing pauses. */
function Text({ search, change }: Pick<FiltersProps, 'search' | 'change'>) {
  const { t } = useTranslation('devices')
  const [text, setText] = useState(search.q ?? '')
  useEffect(() => {
    if (text.trim() === (search.q ?? '')) return
    const timer = setTimeout(() => change({ q: text.trim() === '' ? undefined : text.trim() }, true), TYPING_PAUSE)
    return () => clearTimeout(timer)
  }, [text, search.q, change])
  return (
    <div className={styles['text']} data-filter>
      <SearchField label={t('filter')} hideLabel placeholder={t('filter')} value={text} onChange={setText} />
    </div>
  )
}
