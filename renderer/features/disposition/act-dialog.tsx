import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import styles from './disposition.module.css'
import { asError, Problem } from './problem.tsx'

interface ActDialogProps {
  readonly title: string
  readonly lead: string
  /** Verb and object. */
  readonly act: string
  /** What did not happen. */
  readonly failed: string
  /** Why it cannot be done yet. */
  readonly why?: string | undefined
  readonly onAct: () => Promise<unknown>
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A decision: its form stays with everything in it until the station has answered. */
export function ActDialog({ title, lead, act, failed, why, onAct, onClose, children }: ActDialogProps) {
  const { t } = useTranslation('disposition')
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
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button kind="main" busy={busy} why={why} onPress={run}>
            {act}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        {children}
        {error !== null && <Problem error={error} title={failed} />}
      </div>
    </Dialog>
  )
}
