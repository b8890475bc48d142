import { useTranslation } from '../../../client/translate.ts'
import { LEVELS } from '../../../../shared/kernel/permissions.ts'
import type { Words } from '../people-labels.ts'
import styles from './level.module.css'

const STEPS = LEVELS.slice(1)
const WORDS = {
  View: 'levelView',
  Download: 'levelDownload',
  Edit: 'levelEdit',
  Manage: 'levelManage',
} as const
export type Held = keyof typeof WORDS

export const isHeld = (level: string | null): level is Held => level !== null && Object.hasOwn(WORDS, level)
export const levelWords = (level: string | null, t: Words): string => (isHeld(level) ? t(WORDS[level]) : (level ?? ''))

/** Four bars and the word (guide, Level ladder). */
export function LevelLadder({ level }: { readonly level: string | null }) {
  const { t } = useTranslation('cases')
  const filled = STEPS.findIndex((step) => step === level) + 1
  return (
    <span className={styles['ladder']}>
      <span className={styles['bars']} aria-hidden="true">
        {STEPS.map((step, at) => (
          <i key={step} {...(at < filled ? { 'data-on': '' } : {})} />
        ))}
      </span>
      {levelWords(level, t)}
    </span>
  )
}
