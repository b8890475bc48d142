/** What pages show that stand outside the frame: sign-in, pairing, and what a guest opens. */
import { type Language, LANGUAGES } from '../../shared/messages/index.ts'
import { setTheme, type Theme, useTheme } from './appearance.ts'
import { setLanguage } from './i18n.ts'
import styles from './outside.module.css'
import { useTranslation } from './translate.ts'

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
