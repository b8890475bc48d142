import { Dialog as Base, Heading, Modal, ModalOverlay } from 'react-aria-components/Modal'
import { useTranslation } from '../../client/translate.ts'
import { IconButton } from '../button/button.tsx'
import { cx } from '../given.ts'
import type { DialogProps } from './dialog-props.ts'
import styles from './dialog.module.css'

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
