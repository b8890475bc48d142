import { useSyncExternalStore } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { Button } from '../../ui/button/button.tsx'
import { Drawer } from '../../ui/drawer/drawer.tsx'
import { EmptyState } from '../../ui/empty/empty.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import type { Act } from '../../ui/toast/queue.ts'
import { toasts } from '../../ui/toast/toast.tsx'
import styles from './undo-panel.module.css'

/** What this person did in this window and can take back, newest first. */
export default function UndoPanel({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('frame')
  const acts = useSyncExternalStore(toasts.subscribe, toasts.acts)
  return (
    <Drawer title={t('undoTitle')} onClose={onClose} footer={<p className="small muted">{t('undoFoot')}</p>}>
      {acts.length === 0 ? (
        <EmptyState title={t('undoEmpty')}>{t('undoEmptyBody')}</EmptyState>
      ) : (
        <ul>
          {acts.map((act) => (
            <ActRow key={act.id} act={act} />
          ))}
        </ul>
      )}
    </Drawer>
  )
}

function ActRow({ act: { id, text, at, undone } }: { readonly act: Act }) {
  const { t } = useTranslation('frame')
  const { t: ui } = useTranslation('ui')
  const format = useFormat()
  return (
    <li className={styles['act']}>
      <span className={styles['text']}>{text}</span>
      <time className="small muted" dateTime={new Date(at).toISOString()}>
        {format.timeOfDay(at)}
      </time>
      {undone ? (
        <span className="muted">{t('undoDone')}</span>
      ) : (
        <Button size="small" icon="undo" onPress={() => toasts.undo(id)}>
          <span className="unseen">{t('undoOne', { text })}</span>
          <span aria-hidden="true">{ui('undo')}</span>
        </Button>
      )}
    </li>
  )
}
