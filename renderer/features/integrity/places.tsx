/** Places outside the station that something is copied to: as the checkpoints and the snapshots show and change them. */
import { type ReactNode, useId, useState } from 'react'
import { LONGEST_FOLDER } from '../../../shared/integrity/contract.ts'
import { useTranslation } from '../../client/translate.ts'
import { ActDialog } from '../../ui/act/act-dialog.tsx'
import { Button } from '../../ui/button/button.tsx'
import { TextField } from '../../ui/field/field.tsx'
import { Section } from '../../ui/layout/overview.tsx'
import { type State, StateMark } from '../../ui/state/state.tsx'
import { useRefreshed } from './queries.ts'
import styles from './integrity.module.css'

interface PlacesProps {
  readonly title: string
  readonly lead: string
  readonly add: string
  /** The warning that no place is set up. */
  readonly none: ReactNode
  /** The dialog that adds one. */
  readonly adding: (onClose: () => void) => ReactNode
  /** Items of a list; none: nothing stands there yet. */
  readonly places: readonly ReactNode[]
  /** Below the places. */
  readonly children?: ReactNode
}

export function Places({ title, lead, add, none, adding, places, children }: PlacesProps) {
  const [open, setOpen] = useState(false)
  return (
    <Section
      title={title}
      lead={lead}
      act={
        <Button size="small" icon="plus" onPress={() => setOpen(true)}>
          {add}
        </Button>
      }
    >
      {places.length === 0 ? none : <ul className={styles['rows']}>{places}</ul>}
      {children}
      {open && adding(() => setOpen(false))}
    </Section>
  )
}

interface PlaceProps {
  readonly place: string
  readonly state: State
  readonly word: string
  readonly onRemove: () => Promise<unknown>
  /** @param about id of what names the place, for the buttons */
  readonly acts: (about: string) => ReactNode
  /** What went wrong with an act. */
  readonly problem?: ReactNode
  readonly children: ReactNode
}

/** One place: how it is, what is known of it, what can be done there. */
export function Place({ place, state, word, onRemove, acts, problem, children }: PlaceProps) {
  const { t } = useTranslation('integrity')
  const refreshed = useRefreshed()
  const about = useId()
  const [removing, setRemoving] = useState(false)
  return (
    <li className={styles['item']}>
      <div className={styles['itemHead']}>
        <StateMark state={state}>{word}</StateMark>
        <bdi id={about} className={styles['address']} title={place}>
          {place}
        </bdi>
      </div>
      {children}
      <div className={styles['acts']}>
        {acts(about)}
        <Button size="small" kind="quiet" aria-describedby={about} onPress={() => setRemoving(true)}>
          {t('remove')}
        </Button>
      </div>
      {problem}
      {removing && (
        <ActDialog
          title={t('removeTitle', { place })}
          lead={t('removeBody')}
          act={t('removeDo')}
          failed={t('removeFailed')}
          danger
          onAct={() => refreshed(onRemove())}
          onClose={() => setRemoving(false)}
        />
      )}
    </li>
  )
}

interface FolderFieldProps {
  readonly value: string
  readonly onChange: (folder: string) => void
  readonly description: string
  readonly error: string | undefined
  readonly autoFocus?: boolean
}

export function FolderField({ value, onChange, description, error, autoFocus = false }: FolderFieldProps) {
  const { t } = useTranslation('integrity')
  return (
    <TextField
      label={t('folder')}
      description={description}
      value={value}
      onChange={onChange}
      spellCheck={false}
      autoComplete="off"
      maxLength={LONGEST_FOLDER}
      required
      autoFocus={autoFocus}
      error={error}
    />
  )
}
