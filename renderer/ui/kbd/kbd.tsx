import styles from './kbd.module.css'

/** Key caps as they stand on the keyboard: `<Kbd keys="Ctrl K" />`. Hidden from screen readers where a shortcut is announced. */
export function Kbd({ keys, bare = false }: { readonly keys: string; readonly bare?: boolean }) {
  return <kbd className={bare ? `${styles['kbd']} ${styles['bare']}` : styles['kbd']}>{keys}</kbd>
}
