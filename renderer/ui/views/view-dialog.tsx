import { useState } from 'react'
import { isSavedName, LONGEST_SAVED_NAME } from '../../../shared/search/contract.ts'
import { Fault } from '../../client/api.ts'
import { useTranslation } from '../../client/translate.ts'
import { useTextProblem } from '../../client/use-text-problem.ts'
import { Button } from '../button/button.tsx'
import { Dialog } from '../dialog/dialog.tsx'
import { TextField } from '../field/field.tsx'

interface Props {
  readonly title: string
  readonly start: string
  readonly onSave: (name: string) => Promise<unknown>
  readonly onClose: () => void
}

/** What a view is called. */
export default function ViewDialog({ title, start, onSave, onClose }: Props) {
  const { t } = useTranslation('ui')
  const [name, setName] = useState(start)
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const problem = useTextProblem(isSavedName, name, t('viewNameNeeded'))
  const submit = async (): Promise<void> => {
    if (problem !== undefined) return setError(problem)
    setBusy(true)
    try {
      await onSave(name.trim())
      onClose()
    } catch (reason) {
      setError(reason instanceof Fault && reason.code === 'NameTaken' ? t('viewNameTaken') : (reason as Error).message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={title}
      size="small"
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button kind="main" busy={busy} onPress={() => void submit()}>
            {t('viewSave')}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <TextField
          label={t('viewName')}
          description={t('viewHow')}
          autoFocus
          maxLength={LONGEST_SAVED_NAME}
          value={name}
          onChange={(next) => {
            setName(next)
            setError(undefined)
          }}
          error={error}
        />
      </form>
    </Dialog>
  )
}
