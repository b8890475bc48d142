import { useTranslation } from '../../client/translate.ts'
import { TextButton } from '../button/button.tsx'
import { type State, StateMark } from '../state/state.tsx'
import { CopyButton } from './copy-button.tsx'
import styles from './hash.module.css'

export interface HashCheck {
  readonly state: State
  /** Result and date: *Read back 20 Nov 03:04*. */
  readonly words: string
}

export interface HashProps {
  /** The whole digest in hexadecimal digits. */
  readonly value: string
  /** What it is the hash of, for whoever hears the buttons. */
  readonly of?: string | undefined
  readonly lastCheck?: HashCheck | undefined
  /** Reads the bytes again, now. */
  readonly onCheck?: (() => void) | undefined
  readonly checking?: boolean | undefined
  /** Words before it: *head*. */
  readonly prefix?: string | undefined
}

/** The first and the last eight digits in groups of four; the copy is always whole. */
export function Hash({ value, of, lastCheck, onCheck, checking = false, prefix }: HashProps) {
  const { t } = useTranslation('ui')
  const name = of ?? t('hash')
  return (
    <span className={styles['hash']}>
      <span className={styles['digits']} title={value}>
        {prefix !== undefined && `${prefix} `}
        {shortHash(value)}
      </span>
      <CopyButton text={value} label={t('copyHash', { name })} />
      {checking ? (
        <StateMark state="working" small>
          {t('checking')}
        </StateMark>
      ) : (
        lastCheck !== undefined && (
          <StateMark state={lastCheck.state} small>
            {lastCheck.words}
          </StateMark>
        )
      )}
      {onCheck !== undefined && (
        <span className={styles['check']}>
          <TextButton label={t('checkHash', { name })} busy={checking} onPress={onCheck}>
            {t('checkNow')}
          </TextButton>
        </span>
      )}
    </span>
  )
}

/** `9f3c 41d8 … e07a 5b12`: digits in fours, the cut between two groups and never inside one. */
export function shortHash(value: string): string {
  if (value.length <= 16) return value
  const four = (digits: string): string => `${digits.slice(0, 4)} ${digits.slice(4)}`
  return `${four(value.slice(0, 8))} … ${four(value.slice(-8))}`
}
