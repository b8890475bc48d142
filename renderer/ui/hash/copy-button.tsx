import { useEffect, useState } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { IconButton } from '../button/button.tsx'
import { copyText } from './copy.ts'
import styles from './hash.module.css'

const COPIED_FOR = 2_000

/** Puts what it stands beside on the clipboard, and says so. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const { t } = useTranslation('ui')
  const [copied, setCopied] = useState<'yes' | 'no' | null>(null)
  useEffect(() => {
    if (copied === null) return
    const timer = setTimeout(() => setCopied(null), COPIED_FOR)
    return () => clearTimeout(timer)
  }, [copied])
  return (
    <span className={styles['copying']}>
      <IconButton
        label={copied === 'yes' ? t('copied') : copied === 'no' ? t('copyRefused') : label}
        icon={copied === 'yes' ? 'check' : 'copy'}
        size="small"
        className={styles['copy']}
        onPress={() => void copyText(text).then((done) => setCopied(done ? 'yes' : 'no'))}
      />
      <span role="status" className={styles['unseen']}>
        {copied === 'yes' ? t('copied') : copied === 'no' ? t('copyRefused') : ''}
      </span>
    </span>
  )
}
