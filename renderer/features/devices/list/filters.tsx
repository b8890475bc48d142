import { useEffect, useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { Button } from '../../../ui/button/button.tsx'
import { SearchField } from '../../../ui/field/field.tsx'
import { Segments } from '../../../ui/segments/segments.tsx'
import { Select } from '../../../ui/select/select.tsx'
import styles from '../devices.module.css'
import { OfficerField } from '../officer-field.tsx'
import type { DevicesSearch } from '../search-state.ts'
import { typeWords } from '../labels.ts'

const TYPING_PAUSE = 250
const ANY = 'any:'

interface FiltersProps {
  readonly search: DevicesSearch
  /** Every type that a device has. */
  readonly types: readonly string[]
  readonly change: (what: Partial<DevicesSearch>, replace?: boolean) => void
  /** Left out while nothing is filtered. */
  readonly onReset?: (() => void) | undefined
}

/** As the station's list takes them; the address keeps them. */
export function Filters({ search, types, change, onReset }: FiltersProps) {
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
          label={t('officerAny')}
          hideLabel
          value={search.officer === undefined ? null : { id: search.officer, name: search.name ?? search.officer }}
          onChange={(officer) => change({ officer: officer?.id, name: officer?.name })}
        />
      </div>
      {onReset !== undefined && (
        <Button kind="quiet" onPress={onReset}>
          {t('filtersOff')}
        </Button>
      )}
    </div>
  )
}

/** Asks once the typing pauses. */
function Text({ search, change }: Pick<FiltersProps, 'search' | 'change'>) {
  const { t } = useTranslation('devices')
  const asked = search.q ?? ''
  const [text, setText] = useState(asked)
  const [sent, setSent] = useState(asked)
  const [seen, setSeen] = useState(asked)
  if (asked !== seen) {
    setSeen(asked)
    // Not by typing here: by the way back, or with all filters off.
    if (asked !== sent) {
      setSent(asked)
      setText(asked)
    }
  }
  useEffect(() => {
    if (text.trim() === sent) return
    const timer = setTimeout(() => {
      setSent(text.trim())
      change({ q: text.trim() === '' ? undefined : text.trim() }, true)
    }, TYPING_PAUSE)
    return () => clearTimeout(timer)
  }, [text, sent, change])
  return (
    <div className={styles['text']} data-filter>
      <SearchField label={t('filter')} hideLabel placeholder={t('filter')} value={text} onChange={setText} />
    </div>
  )
}
