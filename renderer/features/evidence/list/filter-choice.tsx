import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { Button } from '../../../ui/button/button.tsx'
import { SearchField } from '../../../ui/field/field.tsx'
import { FILTER_WORDS, type FilterName, FILTERS, HAS_WORDS, NEEDS_A_LOOK, PERIOD_WORDS, type Words } from './filters.ts'
import styles from './list.module.css'
import { HAS, type ListSearch, PERIODS, TYPES } from './search.ts'

interface Props {
  readonly search: ListSearch
  readonly change: (what: Partial<ListSearch>) => void
  readonly close: () => void
  readonly onChoose: (name: FilterName) => void
}

interface Quick {
  readonly id: string
  readonly label: string
  readonly set: Partial<ListSearch>
}

/** What is chosen with one press, without opening a filter. */
const quickOnes = (t: Words, { type, has }: ListSearch): readonly Quick[] => [
  { id: 'look', label: t('needsALook'), set: { status: [...NEEDS_A_LOOK] } },
  ...PERIODS.map((when) => ({
    id: when,
    label: `${t('filterRecorded')}: ${t(PERIOD_WORDS[when])}`,
    set: { when, from: '', to: '' },
  })),
  ...HAS.filter((one) => !has.includes(one)).map((one) => ({
    id: one,
    label: t(HAS_WORDS[one]),
    set: { has: [...has, one] },
  })),
  ...TYPES.filter((one) => !type.includes(one)).map((one) => ({
    id: one,
    label: `${t('filterType')}: ${t(one)}`,
    set: { type: [...type, one] },
  })),
]

const folded = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLocaleLowerCase()

/** Every filter, and what is often looked for; typing finds either. ↓ goes into the list. */
export default function FilterChoice({ search, change, close, onChoose }: Props) {
  const { t } = useTranslation('evidenceList')
  const [text, setText] = useState('')
  const fits = (label: string): boolean => folded(label).includes(folded(text.trim()))
  const names = FILTERS.filter((name) => fits(t(FILTER_WORDS[name])))
  const quick = quickOnes(t, search).filter(({ id, label }) => (text.trim() === '' ? id === 'look' : fits(label)))
  const take = (one: Quick): void => {
    change(one.set)
    close()
  }
  return (
    <div className={styles['panel']} onKeyDown={walkButtons}>
      <SearchField
        label={t('findFilter')}
        hideLabel
        autoFocus
        placeholder={t('findFilter')}
        value={text}
        onChange={setText}
        onSubmit={() => {
          const [name] = names
          const [one] = quick
          if (name !== undefined) onChoose(name)
          else if (one !== undefined) take(one)
        }}
      />
      <ul className={styles['choices']}>
        {names.map((name) => (
          <li key={name}>
            <Button kind="quiet" onPress={() => onChoose(name)}>
              {t(FILTER_WORDS[name])}
            </Button>
          </li>
        ))}
        {quick.map((one) => (
          <li key={one.id}>
            <Button kind="quiet" onPress={() => take(one)}>
              {one.label}
            </Button>
          </li>
        ))}
        {names.length + quick.length === 0 && <li className="muted">{t('noSuchFilter')}</li>}
      </ul>
    </div>
  )
}

/** ↑ and ↓ go between the field and the buttons under it. */
function walkButtons(event: React.KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, li button')]
  const at = stops.indexOf(document.activeElement as HTMLElement)
  const next = stops[at + (event.key === 'ArrowDown' ? 1 : -1)]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}
