import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import type { z } from 'zod'
import type * as contract from '../../../../shared/identity/services.contract.ts'
import { Button } from '../../../ui/button/button.tsx'
import { copyText } from '../../../ui/hash/copy.ts'
import { Note } from '../../../ui/note/note.tsx'
import { StateMark } from '../../../ui/state/state.tsx'
import styles from '../people.module.css'

export type ConnectionFile = z.output<typeof contract.ConnectionModel>

/** What was handed out once: it lives in this page's memory alone and goes with it. */
export type HandedOut = { readonly file: ConnectionFile } | { readonly apiKey: string }

interface ConnectionProps {
  readonly name: string
  readonly handed: HandedOut
  readonly onDone: () => void
}

/** A key that can be taken along exactly once. */
export function Connection({ name, handed, onDone }: ConnectionProps) {
  const { t } = useTranslation('administration')
  const [taken, setTaken] = useState(false)
  const take = (): void => {
    if ('file' in handed) {
      save(handed.file, name)
      setTaken(true)
    } else void copyText(handed.apiKey).then(setTaken)
  }
  return (
    <div className={styles['once']} role="group" aria-label={t('onceTitle')}>
      <Note state="attention" title={t('onceTitle')}>
        {t('file' in handed ? 'onceBody' : 'onceKeyBody')}
      </Note>
      {'apiKey' in handed && <code className={`mono ${styles['secret'] ?? ''}`}>{handed.apiKey}</code>}
      <div className={styles['acts']}>
        <Button kind={taken ? 'plain' : 'main'} icon={'file' in handed ? 'download' : 'copy'} onPress={take}>
          {t('file' in handed ? 'connectionDownload' : 'keyCopy')}
        </Button>
        <Button onPress={onDone} why={taken ? undefined : t('onceFirst')}>
          {t('onceDone')}
        </Button>
      </div>
      <span aria-live="polite">
        {taken && (
          <StateMark state="ok" small>
            {t('file' in handed ? 'connectionTaken' : 'keyTaken')}
          </StateMark>
        )}
      </span>
    </div>
  )
}

/** Whatever the integration is called, the file has a name that every system takes. */
const fileName = (name: string): string => {
  const plain = name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+|[-.]+$/g, '')
  return `${plain === '' ? 'connection' : plain}.json`
}

function save(file: ConnectionFile, name: string): void {
  const address = URL.createObjectURL(new Blob([JSON.stringify(file, null, 2)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = address
  link.download = fileName(name)
  link.click()
  // The browser reads it after this turn; the key is not left reachable for longer.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
