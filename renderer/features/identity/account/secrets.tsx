import { useTranslation } from '../../../client/translate.ts'
import { Button } from '../../../ui/button/button.tsx'
import { copyText } from '../../../ui/hash/copy.ts'
import { Note } from '../../../ui/note/note.tsx'
import { QrCode } from '../../../ui/qr/qr.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import styles from './account.module.css'

function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const { t } = useTranslation('account')
  const copy = async (): Promise<void> => {
    if (await copyText(text)) toasts.show({ text: t('copied') })
  }
  return (
    <Button size="small" icon="copy" onPress={() => void copy()}>
      {label}
    </Button>
  )
}

/** The key of an authenticator: a picture for its camera, text to type, an address that such programs open. Shown once. */
export function NewKey({ secret, uri }: { readonly secret: string; readonly uri: string }) {
  const { t } = useTranslation('account')
  return (
    <>
      <Note state="attention" title={t('keyTitle')}>
        {t('keyBody')}
      </Note>
      <QrCode text={uri} label={t('keyPicture')} />
      <div className={styles['secret']}>
        <code className={`mono ${styles['key']}`} aria-label={t('keyText')}>
          {secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}
        </code>
        <CopyButton text={secret} label={t('keyCopy')} />
      </div>
      <p>
        <a href={uri}>{t('keyOpen')}</a>
      </p>
    </>
  )
}

/** Shown once, until somebody says that they are kept. */
export function NewCodes({ codes, onKept }: { readonly codes: readonly string[]; readonly onKept: () => void }) {
  const { t } = useTranslation('account')
  return (
    <>
      <Note state="attention" title={t('codesShown')}>
        {t('codesShownBody')}
      </Note>
      <ul className={styles['codes']} aria-label={t('codesTitle')}>
        {codes.map((code) => (
          <li key={code} className="mono">
            {code}
          </li>
        ))}
      </ul>
      <div className={styles['acts']}>
        <CopyButton text={codes.join('\n')} label={t('codesCopy')} />
        <Button kind="main" size="small" onPress={onKept} autoFocus>
          {t('codesKept')}
        </Button>
      </div>
    </>
  )
}
