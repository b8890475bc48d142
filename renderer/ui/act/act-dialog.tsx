import type { KeyboardEvent, ReactNode } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { Button } from '../button/button.tsx'
import { Dialog, type DialogProps } from '../dialog/dialog.tsx'
import { Problem } from '../problem/problem.tsx'
import styles from './act.module.css'
import { useAct } from './use-act.ts'

export interface ActDialogProps {
  readonly title: string
  readonly lead?: string | undefined
  readonly size?: DialogProps['size']
  /** Verb and object. */
  readonly act: string
  /** What did not happen. */
  readonly failed: string
  readonly danger?: boolean | undefined
  /** Why it cannot be done yet. */
  readonly why?: string | undefined
  /** Whether what was given can be sent, asked on the press; with it Enter in a field acts too. */
  readonly check?: (() => boolean) | undefined
  readonly onAct: () => Promise<unknown>
  readonly onClose: () => void
  /** How a page tells a refusal that it has words of its own for. */
  readonly problem?: ((error: Error) => ReactNode) | undefined
  readonly children?: ReactNode
}

/** A decision: its form stays with everything in it until the station has answered. */
export function ActDialog(props: ActDialogProps) {
  const { title, lead, size, act, failed, danger = false, why, check, onAct, onClose, problem, children } = props
  const { t } = useTranslation('ui')
  const { busy, error, run } = useAct()
  const decide = (): void => {
    if (!busy && check?.() !== false) run(onAct, onClose)
  }
  /** As everywhere that something is saved; what destroys has no short way. On the way down: a button stops Enter there. */
  const onShortWay = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || danger || why !== undefined) return
    // An open list takes its own Enter first.
    if (event.target instanceof Element && event.target.getAttribute('aria-expanded') === 'true') return
    event.preventDefault()
    decide()
  }
  const inside = (
    <>
      {children}
      {error !== null && (problem?.(error) ?? <Problem error={error} title={failed} />)}
    </>
  )
  return (
    <Dialog
      title={title}
      lead={lead}
      size={size}
      onClose={onClose}
      keep
      actions={
        <>
          <Button onPress={onClose} {...(danger ? { autoFocus: true } : {})}>
            {t('cancel')}
          </Button>
          <Button kind={danger ? 'danger' : 'main'} busy={busy} why={why} onPress={decide}>
            {act}
          </Button>
        </>
      }
    >
      {check === undefined ? (
        <div role="presentation" className={styles['body']} onKeyDownCapture={onShortWay}>
          {inside}
        </div>
      ) : (
        <form
          className={styles['body']}
          onKeyDownCapture={onShortWay}
          onSubmit={(event) => {
            event.preventDefault()
            if (why === undefined) decide()
          }}
        >
          {inside}
          {/* Without a button of its own a form with several fields is not sent by Enter; that of the dialog is outside of it. */}
          {!danger && <button type="submit" hidden />}
        </form>
      )}
    </Dialog>
  )
}
