import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { Icon, type IconName } from '../../../ui/icon/icon.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { ActDialog } from './act-dialog.tsx'
import { type Named, toastOf, useActs, useMayAct } from './acts.ts'
import styles from './acts.module.css'
import type { ActDialogOf } from './protect-dialog.tsx'

/** What goes, what stays, and the way back, before anything happens (guide, Destruction). */
export function DeleteDialog({ targets, leftOut, onClose, onDone }: ActDialogOf) {
  const { t } = useTranslation('evidenceActs')
  const format = useFormat()
  const { remove, restore } = useActs()
  const { restore: mayRestore } = useMayAct()
  const words = toastOf(targets, format.count)
  const run = async (left: readonly Named[]): Promise<void> => {
    await remove(left)
    onDone?.()
    const undo = (): void => void restore(targets).catch(toasts.problem)
    toasts.show({ text: t('deletedToast', words), ...(mayRestore ? { undo } : {}) })
  }
  return (
    <ActDialog
      title={t('deleteTitle', words)}
      act={t('deleteAct')}
      failed={t('notDeleted')}
      danger
      targets={targets}
      leftOut={leftOut}
      onAct={run}
      onClose={onClose}
    >
      <Part icon="trash" title={t('goes')}>
        <li>{t('goesLists')}</li>
      </Part>
      <Part icon="ok" title={t('stays')}>
        <li>{t('staysBytes')}</li>
        <li>{t('staysCases')}</li>
        <li>{t('staysHistory')}</li>
      </Part>
      <Part icon="undo" title={t('wayBack')}>
        <li>{t('wayBackBody')}</li>
      </Part>
    </ActDialog>
  )
}

function Part({
  icon,
  title,
  children,
}: {
  readonly icon: IconName
  readonly title: string
  readonly children: ReactNode
}) {
  return (
    <section className={styles['part']}>
      <h3 className={styles['name']}>
        <Icon name={icon} /> {title}
      </h3>
      <ul className={styles['lines']}>{children}</ul>
    </section>
  )
}
