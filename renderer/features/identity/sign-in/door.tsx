import type { ReactNode } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { type Language, LANGUAGES } from '../../../../shared/messages/index.ts'
import { useSession } from '../../../client/session.tsx'
import { setTheme, type Theme, useTheme } from '../../../client/appearance.ts'
import { setLanguage } from '../../../client/i18n.ts'
import styles from './door.module.css'

/** Both halves of the page before the work: who one is, and what one should know first (shots/sign-in). */
export function Door({ children, beside }: { readonly children: ReactNode; readonly beside: ReactNode }) {
  return (
    <div className={styles['door']}>
      <main className={styles['self']}>
        <Brand />
        <div className={styles['middle']}>{children}</div>
        <Choices />
      </main>
      <aside className={styles['beside']}>{beside}</aside>
    </div>
  )
}

export function Brand() {
  return (
    <div className={styles['brand']}>
      <svg viewBox="0 0 22 22" aria-hidden="true" className={styles['mark']}>
        <path d="M3 20V9a8 8 0 0 1 16 0v11M8 20v-9.500M14 20v-9.500" />
      </svg>
      Sallyport
    </div>
  )
}

const THEMES = [
  ['light', 'themeLight'],
  ['dark', 'themeDark'],
  ['contrast', 'themeContrast'],
] as const satisfies readonly (readonly [Theme, string])[]

/** Language and colours, before anybody is known. */
export function Choices() {
  const { t, language } = useTranslation('frame')
  const theme = useTheme()
  return (
    <div className={styles['choices']}>
      <div role="group" aria-label={t('language')} className={styles['group']}>
        {LANGUAGES.map(({ code, name }) => (
          <button
            key={code}
            type="button"
            lang={code}
            aria-pressed={language === code}
            className={styles['choice']}
            onClick={() => void setLanguage(code as Language)}
          >
            {name}
          </button>
        ))}
      </div>
      <div role="group" aria-label={t('theme')} className={styles['group']}>
        {THEMES.map(([id, word]) => (
          <button
            key={id}
            type="button"
            aria-pressed={theme === id}
            className={styles['choice']}
            onClick={() => setTheme(theme === id ? 'system' : id)}
          >
            {t(word)}
          </button>
        ))}
      </div>
    </div>
  )
}

/** The notice that is acknowledged at sign-in: the station's own text where it has one, else the bundled one. */
export function Notice() {
  const { t } = useTranslation('signIn')
  const { session } = useSession()
  const { Notice: notice } = session
  const minutes = Math.round(session.IdleSeconds / 60)
  return (
    <div className={styles['notice']}>
      <h2 className={styles['noticeTitle']}>{notice?.Title ?? t('noticeTitle')}</h2>
      {notice === null ? (
        <>
          <p>{t('noticeLead')}</p>
          <ul className={styles['points']}>
            <li>{t('noticeRecorded')}</li>
            <li>{t('noticeOwnName', { minutes })}</li>
            <li>{t('noticeDisclosure')}</li>
          </ul>
        </>
      ) : (
        <>
          {notice.Paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
          <p className="small muted">
            <span className="id">{t('noticeId', { id: notice.Id })}</span>
          </p>
        </>
      )}
    </div>
  )
}
