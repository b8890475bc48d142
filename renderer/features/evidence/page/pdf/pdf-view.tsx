import type { PDFDocumentProxy } from 'pdfjs-dist'
import { useEffect, useRef, useState } from 'react'
import { refusalOf } from '../../../../client/api.ts'
import { useTranslation } from '../../../../client/translate.ts'
import { Button, IconButton, LinkButton } from '../../../../ui/button/button.tsx'
import { NumberField } from '../../../../ui/field/number-field.tsx'
import { useFormat } from '../../../../ui/format/use-format.tsx'
import { asError } from '../../../../ui/problem/as-error.ts'
import { ProgressBar } from '../../../../ui/progress/progress.tsx'
import type { Resource } from '../queries.ts'
import type { ShownStatus } from '../use-status.ts'
import { Card } from '../stage/cards.tsx'
import { Problem } from '../stage/problem.tsx'
import stage from '../stage/stage.module.css'
import { visible } from '../text/visible.ts'
import { zoomWords } from '../picture/zoom-label.ts'
import { MOST_PDF_BYTES, openPdf } from './open-pdf.ts'
import { PdfPage } from './pdf-page.tsx'
import styles from './pdf.module.css'

interface Opened {
  readonly document: PDFDocumentProxy | null
  /** 0 to 1 of the bytes. */
  readonly progress: number
  readonly error: Error | null
  readonly retry: () => void
}

/** Read once as a whole: a reading in pieces would stand in the ledger as many downloads. */
function usePdf(address: string, length: number): Opened {
  const [state, setState] = useState<Omit<Opened, 'retry'>>({ document: null, progress: 0, error: null })
  const [round, setRound] = useState(0)
  useEffect(() => {
    const abort = new AbortController()
    let close: (() => Promise<void>) | null = null
    const open = async (): Promise<void> => {
      const data = await bytesOf(address, abort.signal, (read) =>
        setState({ document: null, progress: length === 0 ? 0 : read / length, error: null }),
      )
      if (abort.signal.aborted) return
      const opened = openPdf(data)
      close = opened.close
      const document = await opened.task.promise
      if (!abort.signal.aborted) setState({ document, progress: 1, error: null })
    }
    open().catch((error: unknown) => {
      if (!abort.signal.aborted) setState({ document: null, progress: 0, error: asError(error) })
    })
    return () => {
      abort.abort()
      void close?.()
    }
  }, [address, length, round])
  return { ...state, retry: () => setRound((now) => now + 1) }
}

async function bytesOf(address: string, signal: AbortSignal, told: (read: number) => void): Promise<ArrayBuffer> {
  const answer = await fetch(address, { signal, credentials: 'same-origin' })
  if (!answer.ok || answer.body === null) throw await refusalOf(answer)
  const parts: Uint8Array<ArrayBuffer>[] = []
  let read = 0
  for await (const part of answer.body) {
    parts.push(part as Uint8Array<ArrayBuffer>)
    read += part.length
    told(read)
  }
  return new Blob(parts).arrayBuffer()
}

const ZOOMS = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4]

/** One page at a time, as it would be printed. */
export default function PdfView({
  resource,
  status,
  address,
}: {
  readonly resource: Resource
  readonly status: ShownStatus
  readonly address: string
}) {
  const { t } = useTranslation('evidencePage')
  if ((resource.LengthInBytes ?? 0) > MOST_PDF_BYTES)
    return (
      <Card resource={resource} status={status} title={t('pdfTooLarge')} download={address}>
        <p>{t('cardNotShownDo', { type: resource.MimeType })}</p>
      </Card>
    )
  return <Reader resource={resource} address={address} />
}

function Reader({ resource, address }: { readonly resource: Resource; readonly address: string }) {
  const { t } = useTranslation('evidencePage')
  const { document, progress, error, retry } = usePdf(address, resource.LengthInBytes ?? 0)
  const [page, setPage] = useState(1)
  const [zoom, setZoom] = useState<number | null>(null)
  const [scale, setScale] = useState(1)
  const frame = useRef<HTMLDivElement>(null)
  if (error !== null)
    return (
      <div className={stage['stage']}>
        <div className={stage['problem']}>
          <Problem error={error} title={t('pdfFailed')} onRetry={retry} />
          <p className={styles['aside']}>
            <LinkButton href={address} icon="download" download>
              {t('downloadOriginal')}
            </LinkButton>
          </p>
        </div>
      </div>
    )
  if (document === null)
    return (
      <div className={stage['stage']}>
        <div className={stage['problem']}>
          <p className={styles['aside']}>{t('pdfLoading')}</p>
          <ProgressBar label={t('pdfLoading')} value={progress * 100} />
        </div>
      </div>
    )
  const count = document.numPages
  const go = (to: number): void => {
    setPage(Math.min(count, Math.max(1, to)))
    frame.current?.scrollTo({ top: 0 })
  }
  const next = (by: 1 | -1): void => {
    const at = ZOOMS.filter((one) => (by > 0 ? one > scale + 0.01 : one < scale - 0.01))
    setZoom((by > 0 ? at[0] : at.at(-1)) ?? scale)
  }
  const name = visible(resource.Name)
  return (
    <section className={styles['viewer']} aria-label={t('pdfOf', { name })}>
      <div
        ref={frame}
        className={styles['frame']}
        tabIndex={0}
        role="document"
        aria-label={t('pdfPage', { page, count })}
      >
        <PdfPage document={document} number={page} zoom={zoom} frame={frame} onScale={setScale} />
      </div>
      <PdfTools page={page} count={count} go={go} scale={scale} next={next} fit={() => setZoom(null)} />
    </section>
  )
}

interface ToolsProps {
  readonly page: number
  readonly count: number
  readonly go: (page: number) => void
  readonly scale: number
  readonly next: (by: 1 | -1) => void
  readonly fit: () => void
}

function PdfTools({ page, count, go, scale, next, fit }: ToolsProps) {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  return (
    <div className={styles['tools']} role="group" aria-label={t('pdfTools')}>
      <IconButton
        icon="chevron-left"
        label={t('pageBefore')}
        onPress={() => go(page - 1)}
        why={page === 1 ? t('pageFirst') : undefined}
      />
      <NumberField
        label={t('page')}
        hideLabel
        className={styles['number']}
        value={page}
        onChange={(to) => go(Number.isNaN(to) ? page : to)}
        min={1}
        max={count}
      />
      <span className={styles['of']}>{t('pageOf', { pages: format.count(count) })}</span>
      <IconButton
        icon="chevron-right"
        label={t('pageAfter')}
        onPress={() => go(page + 1)}
        why={page === count ? t('pageLast') : undefined}
      />
      <span className={styles['end']}>
        <IconButton icon="zoom-out" label={t('zoomOut')} onPress={() => next(-1)} />
        <span className={styles['zoom']} aria-live="polite">
          {zoomWords(format.locale, scale)}
        </span>
        <IconButton icon="zoom-in" label={t('zoomIn')} onPress={() => next(1)} />
        <Button kind="quiet" onPress={fit}>
          {t('zoomFit')}
        </Button>
      </span>
    </div>
  )
}
