import { type ReactNode, Suspense } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { lazyPart } from '../../client/load-chunk.ts'
import { Button } from '../button/button.tsx'
import type { DialogProps } from './dialog-props.ts'
export type { DialogProps } from './dialog-props.ts'

const Surface = lazyPart(() => import('./dialog-surface.tsx'))

/** For a decision. It holds the focus, gives it back where it was, and closes with Esc. Fetched when one is first there. */
export function Dialog(props: DialogProps) {
  return (
    <Suspense fallback={null}>
      <Surface {...props} />
    </Suspense>
  )
}

export interface ConfirmDialogProps {
  /** The question, with its object: *Remove the link to 2026-001284?* */
  readonly title: string
  readonly children?: ReactNode
  /** Verb and object: *Remove the link*. */
  readonly confirm: string
  readonly cancel?: string | undefined
  readonly danger?: boolean | undefined
  readonly busy?: boolean | undefined
  readonly onConfirm: () => void
  readonly onClose: () => void
  readonly open?: boolean | undefined
}

/** Only where undo is impossible. The focus begins on the way back, never on what destroys. */
export function ConfirmDialog({
  title,
  children,
  confirm,
  cancel,
  danger = false,
  busy = false,
  onConfirm,
  onClose,
  open,
}: ConfirmDialogProps) {
  const { t } = useTranslation('ui')
  return (
    <Dialog
      title={title}
      onClose={onClose}
      open={open}
      size="small"
      alert
      actions={
        <>
          <Button onPress={onClose} autoFocus>
            {cancel ?? t('cancel')}
          </Button>
          <Button kind={danger ? 'danger' : 'main'} busy={busy} onPress={onConfirm}>
            {confirm}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
