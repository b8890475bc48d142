import { Link } from '@tanstack/react-router'
import { type Translate, useTranslation } from '../../client/translate.ts'
import { chooseFiles } from '../../client/uploads/choose.ts'
import { type Upload, type UploadState, uploads } from '../../client/uploads/uploads.ts'
import { useUploads } from '../../client/uploads/use-uploads.ts'
import { Button } from '../../ui/button/button.tsx'
import { Drawer } from '../../ui/drawer/drawer.tsx'
import { EmptyState } from '../../ui/empty/empty.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { ProgressBar } from '../../ui/progress/progress.tsx'
import type { State } from '../../ui/state/state.tsx'
import { UploadRow } from '../../ui/upload-row/upload-row.tsx'
import styles from './uploads-panel.module.css'

const STATE: Readonly<Record<UploadState, State>> = {
  queued: 'waiting',
  preparing: 'working',
  sending: 'working',
  readingBack: 'working',
  done: 'ok',
  paused: 'waiting',
  waiting: 'waiting',
  stopped: 'attention',
  needsFile: 'attention',
  refused: 'danger',
}

export default function UploadsPanel({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('uploads')
  const format = useFormat()
  const all = useUploads()
  const done = all.filter(({ state }) => state === 'done')
  const bytes = all.reduce((sum, { size }) => sum + size, 0)
  const sent = all.reduce((sum, upload) => sum + (upload.state === 'done' ? upload.size : upload.sent), 0)
  const speed = all.reduce((sum, upload) => sum + (upload.speed ?? 0), 0)
  const running = all.some(({ state }) => ['queued', 'preparing', 'sending'].includes(state))
  const paused = all.some(({ state }) => state === 'paused')
  return (
    <Drawer
      title={t('title', { count: all.length })}
      onClose={onClose}
      footer={
        <>
          <p className="small muted">{t('closeAnyTime')}</p>
          {running && <Button onPress={uploads.pauseAll}>{t('pauseAll')}</Button>}
          {!running && paused && <Button onPress={() => void uploads.resumeAll()}>{t('resumeAll')}</Button>}
          {!running && !paused && done.length > 0 && <Button onPress={uploads.clearFinished}>{t('clear')}</Button>}
        </>
      }
    >
      {all.length === 0 ? (
        <EmptyState title={t('empty')}>{t('emptyBody')}</EmptyState>
      ) : (
        <>
          <div className={styles['sum']}>
            <div className={styles['line']}>
              <b>{t('safe', { done: done.length, count: all.length })}</b>
              <span className="muted">
                {t('amount', { sent: format.bytes(sent), all: format.bytes(bytes) })}
                {speed > 0 && sent < bytes && ` · ${format.timeLeft((bytes - sent) / speed)}`}
              </span>
            </div>
            <ProgressBar
              label={t('allProgress')}
              value={bytes === 0 ? 100 : (sent / bytes) * 100}
              state={done.length === all.length ? 'ok' : 'working'}
            />
          </div>
          <ul>
            {all.map((upload) => (
              <Row key={upload.id} upload={upload} />
            ))}
          </ul>
        </>
      )}
    </Drawer>
  )
}

function Row({ upload }: { readonly upload: Upload }) {
  const { t } = useTranslation('uploads')
  const format = useFormat()
  const { state } = upload
  const amounts = t('amount', { sent: format.bytes(upload.sent), all: format.bytes(upload.size) })
  const facts =
    state === 'sending'
      ? [
          amounts,
          ...(upload.speed === null
            ? []
            : [format.speed(upload.speed), format.timeLeft((upload.size - upload.sent) / Math.max(upload.speed, 1))]),
        ].join(' · ')
      : state === 'done'
        ? format.bytes(upload.size)
        : state === 'readingBack'
          ? t('written', { size: format.bytes(upload.size) })
          : state === 'paused'
            ? t('kept', { sent: format.bytes(upload.sent), all: format.bytes(upload.size) })
            : amounts
  return (
    <UploadRow
      name={
        state === 'done' && upload.evidenceId !== null ? (
          <Link to="/evidence/$evidenceId" params={{ evidenceId: upload.evidenceId }}>
            {upload.name}
          </Link>
        ) : (
          upload.name
        )
      }
      label={upload.name}
      state={STATE[state]}
      word={t(state)}
      facts={facts}
      progress={state === 'done' ? null : upload.size === 0 ? 100 : (upload.sent / upload.size) * 100}
      problem={problemOf(upload, t, format.bytes)}
      {...(['queued', 'preparing', 'sending', 'waiting'].includes(state)
        ? { onPause: () => uploads.pause(upload.id) }
        : {})}
      {...(['paused', 'stopped', 'needsFile'].includes(state) ? { onResume: () => void resume(upload) } : {})}
      {...(['done', 'readingBack'].includes(state) ? {} : { onCancel: () => uploads.cancel(upload.id) })}
    />
  )
}

/** The file is asked for again only where the browser cannot open it by itself. */
async function resume(upload: Upload): Promise<void> {
  const asks = upload.state === 'needsFile' || upload.problem?.kind === 'otherFile'
  if (!asks || (upload.state === 'needsFile' && upload.hasHandle)) return uploads.resume(upload.id)
  const [chosen] = await chooseFiles(false)
  if (chosen !== undefined) await uploads.resume(upload.id, chosen)
}

type Words = Translate<'uploads'>

function problemOf(upload: Upload, t: Words, bytes: (count: number) => string): string | null {
  const safe = { sent: bytes(upload.sent), all: bytes(upload.size) }
  if (upload.state === 'needsFile') return t(upload.hasHandle ? 'problemNeedsRight' : 'problemNeedsFile', safe)
  switch (upload.problem?.kind) {
    case undefined:
      return null
    case 'fileGone':
      return t('problemFileGone', safe)
    case 'otherFile':
      return t('problemOtherFile', safe)
    case 'unreachable':
      return t('problemUnreachable', safe)
    case 'signedOut':
      return t('problemSignedOut', safe)
    case 'locked':
      return t('problemLocked')
    case 'busy':
      return t('problemBusy', safe)
    case 'said':
      return `${upload.problem.message} ${t('problemSaid', safe)}`
  }
}
