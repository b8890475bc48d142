import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { asError } from './data.ts'
import styles from './keeping.module.css'
import { Problem } from './problem.tsx'

/** One act at a time, and why the last one was not done. */
export function useAct() {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  const run = (act: () => Promise<unknown>): void => {
    setBusy(true)
    setError(null)
    act()
      .catch((failure: unknown) => setError(asError(failure)))
      .finally(() => setBusy(false))
  }
  return { busy, error, run }
}

interface ActDialogProps {
  readonly title: string
  readonly lead?: string | undefined
  /** Verb and object. */
  readonly act: string
  /** What did not happen. */
  readonly failed: string
  readonly danger?: boolean | undefined
  /** What is wrong with what was given, before it is sent; null: nothing. */
  readonly check?: (() => boolean) | undefined
  readonly onAct: () => Promise<unknown>
  readonly onClose: () => void
  readonly children?: ReactNode
}

/** A decision: its form stays with everything in it until the station has answered. */
export function ActDialog(props: ActDialogProps) {
  const { title, lead, act, failed, danger = false, check, onAct, onClose, children } = props
  const { t } = useTranslation('common')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  const run = (): void => {
    if (busy || check?.() === false) return
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
          <Button kind={danger ? 'danger' : 'main'} busy={busy} onPress={run}>
            {act}
          </Button>
        </>
      }
    >
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault()
          run()
        }}
      >
        {children}
        {error !== null && <Problem error={error} title={failed} />}
      </form>
    </Dialog>
  )
}
