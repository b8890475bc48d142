import { type ReactNode, useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { Button } from '../../../ui/button/button.tsx'
import styles from '../devices.module.css'
import { Problem } from '../problem.tsx'
import { ConflictDialog } from './conflict.tsx'
import { type Editing, isSound, isWrong, type Wanted } from './draft.ts'
import type { Saving } from './use-save.ts'

interface ConfigurationFormProps {
  readonly editing: Editing
  readonly saving: Saving
  readonly head: ReactNode
  /** @param onBroken told whether the text that is typed as a whole says nothing yet */
  readonly editor: (onBroken: (broken: boolean) => void) => ReactNode
  /** What is saved of that which somebody chose who was not the first. */
  readonly asSaved?: (chosen: Wanted) => Wanted
}

/** A configuration from its first change to its save, of a device or of a type: the same bar, and the same words where somebody was first. */
export function ConfigurationForm({
  editing,
  saving,
  head,
  editor,
  asSaved = (chosen) => chosen,
}: ConfigurationFormProps) {
  const { t } = useTranslation('devices')
  const { wanted, base, changed, drop } = editing
  const { theirs } = saving
  const [broken, setBroken] = useState(false)
  return (
    <form
      className={styles['stack']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (changed && !saving.busy && isSound(wanted, broken)) saving.run(wanted, base)
      }}
    >
      {head}
      {editor(setBroken)}
      {saving.error !== null && <Problem error={saving.error} title={t('notSaved')} />}
      <SaveBar wanted={wanted} broken={broken} changed={changed} busy={saving.busy && theirs === null} onDrop={drop} />
      {theirs !== null && (
        <ConflictDialog
          key={theirs.version}
          was={base}
          theirs={theirs}
          yours={wanted}
          busy={saving.busy}
          onSave={(chosen) => saving.run(asSaved(chosen), theirs)}
          onClose={saving.dismiss}
        />
      )}
    </form>
  )
}

interface SaveBarProps {
  readonly wanted: Wanted
  readonly broken: boolean
  readonly changed: boolean
  readonly busy: boolean
  readonly onDrop: () => void
}

/** Pinned below the members: when it takes effect, and Save. */
function SaveBar({ wanted, broken, changed, busy, onDrop }: SaveBarProps) {
  const { t } = useTranslation('devices')
  const wrong = wanted.members.filter(isWrong).length
  const unsound = broken ? t('jsonWrong') : t('valuesWrong', { count: wrong })
  const why = !changed && !broken ? t('nothingChanged') : isSound(wanted, broken) ? undefined : unsound
  return (
    <div className={styles['saveBar']}>
      <span className="second">{t(changed ? 'savesNext' : 'nothingChanged')}</span>
      <span className={styles['acts']}>
        {changed && <Button onPress={onDrop}>{t('dropAll')}</Button>}
        <Button kind="main" type="submit" busy={busy} why={why}>
          {t('save')}
        </Button>
      </span>
    </div>
  )
}
