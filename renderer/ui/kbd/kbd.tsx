import styles from './kbd.module.css'

/** Key caps as they are written on the keyboard: `<Kbd>Ctrl K</Kbd>`. */
export function Kbd({ children, bare = false }: { readonly children: string; readonly bare?: boolean }) {
  return <kbd className={bare ? `${styles['kbd']} ${styles['bare']}` : styles['kbd']}>{children}</kbd>
}
