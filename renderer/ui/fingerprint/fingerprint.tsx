import { useTranslation } from '../../client/translate.ts'
import { CopyButton } from '../hash/copy-button.tsx'
import styles from './fingerprint.module.css'
import { cx } from '../given.ts'

export interface FingerprintWordsProps {
  readonly words: readonly string[]
  readonly label: string
  /** Read across a desk and compared with another screen. */
  readonly large?: boolean | undefined
}

/** A fingerprint as words, numbered, since their order is part of it. They are English in every language. */
export function FingerprintWords({ words, label, large = false }: FingerprintWordsProps) {
  return (
    <ol className={cx(styles['words'], large && styles['large'])} aria-label={label} lang="en" translate="no">
      {words.map((word, at) => (
        // A word may come twice.
        // biome-ignore lint/suspicious/noArrayIndexKey: their place is what they are
        <li key={at} className={styles['word']}>
          <span className={styles['number']} aria-hidden="true">
            {at + 1}
          </span>
          {word}
        </li>
      ))}
    </ol>
  )
}

export interface FingerprintDigitsProps {
  /** 64 hexadecimal digits. */
  readonly value: string
  /** What it is the fingerprint of, for whoever hears the button. */
  readonly of: string
}

/** All of a fingerprint, in fours, four or eight of them to a line: what is compared with another program's has to be there whole. */
export function FingerprintDigits({ value, of }: FingerprintDigitsProps) {
  const { t } = useTranslation('ui')
  return (
    <span className={styles['whole']}>
      <code className={styles['digits']} translate="no">
        {(value.match(/.{1,16}/g) ?? []).map((quarter, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: their place is what they are
          <span key={at} className={styles['quarter']}>
            {quarter.replaceAll(/(.{4})(?=.)/g, '$1 ')}{' '}
          </span>
        ))}
      </code>
      <CopyButton text={value} label={t('copyHash', { name: of })} />
    </span>
  )
}
