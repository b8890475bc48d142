import { useEffect } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { uploads, type Upload } from '../../../client/uploads/uploads.ts'
import { useUploads } from '../../../client/uploads/use-uploads.ts'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { PhotoButton } from '../../../ui/photo/photo-button.tsx'
import { ProgressBar } from '../../../ui/progress/progress.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import type { Case } from '../queries.ts'
import styles from './page.module.css'

const ON_THE_WAY: readonly Upload['state'][] = ['queued', 'preparing', 'sending', 'readingBack', 'waiting']

/** Photographs an exhibit into the case: the picture goes the way of every file that is added, and is read back and hashed. */
export function Photograph({ record: { CaseId: caseId, Title: title } }: { readonly record: Case }) {
  const { t } = useTranslation('cases')
  useEffect(
    () =>
      uploads.onFinished((upload) => {
        if (upload.caseId === caseId)
          toasts.show({ text: t('photographStored', { name: visible(upload.name), title: visible(title) }) })
      }),
    [caseId, title, t],
  )
  const send = (file: File): void =>
    void uploads
      .add([{ file: named(file, t('photographName')), handle: null }], caseId)
      .then(() => toasts.show({ text: t('photographAdded', { title: visible(title) }) }), toasts.problem)
  return (
    <PhotoButton kind="main" onPhoto={send}>
      {t('photograph')}
    </PhotoButton>
  )
}

/** Some browsers call every photograph "image.jpg": then it is called by when it was taken. Its bytes stay as they are. */
function named(file: File, word: string): File {
  const [, end] = /^image(\.\w+)$/i.exec(file.name) ?? []
  if (end === undefined) return file
  const { lastModified, type } = file
  const at = new Date(lastModified).toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '.')
  return new File([file], `${word} ${at} UTC${end}`, { type, lastModified })
}

/** What is being sent into this case from here: how far it is, all together. */
export function PhotosOnTheWay({ caseId }: { readonly caseId: string }) {
  const { t } = useTranslation('cases')
  const format = useFormat()
  const going = useUploads().filter((one) => one.caseId === caseId && ON_THE_WAY.includes(one.state))
  if (going.length === 0) return null
  const size = going.reduce((sum, one) => sum + one.size, 0)
  const sent = going.reduce((sum, one) => sum + one.sent, 0)
  const words = t('photographsGoing', { count: going.length, shown: format.count(going.length) })
  return (
    <div className={styles['photos']}>
      <span>{words}</span>
      <ProgressBar label={words} value={size === 0 ? null : (100 * sent) / size} />
    </div>
  )
}
