import { Component, type ReactNode } from 'react'
import { useTranslation } from '../client/translate.ts'
import styles from './error-boundary.module.css'

/** The last net: a page that stopped says so, says what is safe, and can be loaded again. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: null }
  static getDerivedStateFromError(error: unknown) {
    return { error }
  }
  override render() {
    return this.state.error === null ? this.props.children : <Crashed error={this.state.error} />
  }
}

export function Crashed({ error }: { readonly error: unknown }) {
  const { t } = useTranslation()
  return (
    <main className={styles['page']}>
      <h1 className={styles['title']}>{t('pageCrashedTitle')}</h1>
      <p>{t('pageCrashedBody')}</p>
      <button type="button" className={styles['button']} onClick={() => window.location.reload()}>
        {t('reload')}
      </button>
      <pre className={styles['detail']}>{error instanceof Error ? error.message : String(error)}</pre>
    </main>
  )
}
