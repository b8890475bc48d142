import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import styles from './people.module.css'
import { asError, Problem } from './problem.tsx'

interface ActDialogProps {
  readonly title: string
  readonly lead?: string | undefined
  /** Verb and object. */
  readonly act: string
  /** What did not happen. */
  readonly failed: string
  readonly danger?: boolean | undefined
  /** Why it cannot be done yet. */
  readonly why?: string | undefined
  readonly onAct: () => Promise<unknown>
  readonly onClose: () => void
  readonly children?: ReactNode
}

/** A decision: its form stays with everything in it until the station has answered. */
export function ActDialog(props: ActDialogProps) {
  const { title, lead, act, failed, danger = false, why, onAct, onClose, children } = props
  const { t } = useTranslation('common')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  const run = (): void => {
    setBusy(true)
    setError(null)
    onAct()
      .then(onClose, (failure: unknown) => setError(asError(failure)))
      .finally(() => setBusy(false))
  }
  return (
    <Dialog
      title={title}
      lead={lead}
      onClose={onClose}
      keep
      actions={
        <>
          <Button onPress={onClose} {...(danger ? { autoFocus: true } : {})}>
            {t('cancel')}
          </Button>
          <Button kind={danger ? 'danger' : 'main'} busy={busy} why={why} onPress={run}>
            {act}
          </Button>
        </>
      }
    >
      <div className={styles['dialog']}>
        {children}
        {error !== null && <Problem error={error} title={failed} />}
      </div>
    </Dialog>
  )
}
