import type { ReactNode } from 'react'
import { Dialog as Base, Heading, Modal, ModalOverlay } from 'react-aria-components/Modal'
import { useTranslation } from '../../client/translate.ts'
import { IconButton } from '../button/button.tsx'
import { cx } from '../given.ts'
import styles from './dialog.module.css'

export interface DialogProps {
  readonly title: string
  /** One sentence under the title. */
  readonly lead?: ReactNode
  readonly onClose: () => void
  /** Left out, it is open as long as it is there. */
  readonly open?: boolean | undefined
  readonly children?: ReactNode
  /** Buttons at its foot, the main one last. */
  readonly actions?: ReactNode
  /** Words at the foot, left of the buttons. */
  readonly note?: ReactNode
  readonly size?: 'small' | 'normal' | 'wide' | undefined
  /** Typed work is inside: neither Esc nor a click outside throws it away without its own button. */
  readonly keep?: boolean | undefined
  /** Must be answered: no cross, role alertdialog. */
  readonly alert?: boolean | undefined
}

/** What a dialog shows once it is open. */
export default function DialogSurface({
  title,
  lead,
  onClose,
  open = true,
  children,
  actions,
  note,
  size = 'normal',
  keep = false,
  alert = false,
}: DialogProps) {
  const { t } = useTranslation('ui')
  return (
    <ModalOverlay
      isOpen={open}
      onOpenChange={(now) => !now && onClose()}
      isDismissable={!keep && !alert}
      isKeyboardDismissDisabled={keep}
      className={styles['scrim'] ?? ''}
    >
      <Modal className={cx(styles['modal'], styles[size])}>
        <Base data-modal="" role={alert ? 'alertdialog' : 'dialog'} className={styles['dialog'] ?? ''}>
          <header className={styles['head']}>
            <div className={styles['words']}>
              <Heading slot="title" level={2} className={styles['title'] ?? ''}>
                {title}
              </Heading>
              {lead !== undefined && <p className={styles['lead']}>{lead}</p>}
            </div>
            {!alert && <IconButton label={t('close')} icon="x" size="small" tooltip={false} onPress={onClose} />}
          </header>
          {children !== undefined && <div className={styles['body']}>{children}</div>}
          {(actions !== undefined || note !== undefined) && (
            <footer className={styles['foot']}>
              {note !== undefined && <div className={styles['note']}>{note}</div>}
              {actions}
            </footer>
          )}
        </Base>
      </Modal>
    </ModalOverlay>
  )
}
