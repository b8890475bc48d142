import { useEffect, useRef, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from '../../client/translate.ts'
import { Button, IconButton } from '../button/button.tsx'
import { typesInto } from '../command/keys.ts'
import { Icon } from '../icon/icon.tsx'
import { type Toast, toastQueue } from './queue.ts'
import styles from './toast.module.css'

/** The page's one list: `toasts.show({ text: t('tagRemoved'), undo })`. */
export const toasts = toastQueue()

/**
 * Bottom left, once per page. An act that was done, with its way back: Undo, or Ctrl Z outside fields. It is announced politely;
 * the focus goes back where it was when the toast that has it goes.
 */
export function ToastRegion({ onOlderActs }: { readonly onOlderActs?: (() => void) | undefined }) {
  const { t } = useTranslation('ui')
  const list = useSyncExternalStore(toasts.subscribe, toasts.current)
  const region = useRef<HTMLDivElement>(null)
  const cameFrom = useRef<HTMLElement | null>(null)
  useUndoKey(onOlderActs)
  useEffect(() => {
    // The button with the focus went with its toast.
    if (cameFrom.current === null || document.activeElement !== document.body) return
    if (cameFrom.current.isConnected) cameFrom.current.focus()
    cameFrom.current = null
    toasts.hold(false)
  }, [list])
  return createPortal(
    <div
      ref={region}
      className={styles['region']}
      role="region"
      aria-label={t('toasts')}
      onPointerEnter={() => toasts.hold(true)}
      onPointerLeave={() => toasts.hold(region.current?.contains(document.activeElement) === true)}
      onFocus={(event) => {
        toasts.hold(true)
        const before = event.relatedTarget
        if (before instanceof HTMLElement && region.current?.contains(before) === false) cameFrom.current = before
      }}
      onBlur={(event) => {
        if (region.current?.contains(event.relatedTarget) === true) return
        toasts.hold(region.current?.matches(':hover') === true)
        if (event.relatedTarget !== null) cameFrom.current = null
      }}
    >
      <ol className={styles['list']} aria-live="polite" aria-relevant="additions">
        {list.map((toast) => (
          <li key={toast.id} className={styles['toast']}>
            <Item toast={toast} />
          </li>
        ))}
      </ol>
    </div>,
    document.body,
  )
}

function Item({ toast }: { readonly toast: Toast }) {
  const { t } = useTranslation('ui')
  const { undo, act } = toast
  return (
    <>
      {toast.problem === true && <Icon name="danger" />}
      <span className={styles['text']}>{toast.text}</span>
      {undo !== undefined && (
        <Button size="small" keys="Ctrl Z" className={styles['undo']} onPress={() => toasts.undo(toast.id)}>
          {t('undo')}
        </Button>
      )}
      {act !== undefined && (
        <Button
          size="small"
          className={styles['undo']}
          onPress={() => {
            toasts.close(toast.id)
            act.onAct()
          }}
        >
          {act.label}
        </Button>
      )}
      <IconButton
        label={t('close')}
        icon="x"
        size="small"
        tooltip={false}
        className={styles['close']}
        onPress={() => toasts.close(toast.id)}
      />
    </>
  )
}

/** What one sees can be taken back by the key; what is longer ago is shown first. */
function useUndoKey(onOlderActs?: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const undo =
        (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'z'
      if (!undo || typesInto(event.target)) return
      const older = !toasts.undoLast() && toasts.acts().some(({ undone }) => !undone)
      if (older) onOlderActs?.()
      event.preventDefault()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [onOlderActs])
}
