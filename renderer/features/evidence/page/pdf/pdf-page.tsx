import { AnnotationMode, type PDFDocumentProxy, RenderingCancelledException, TextLayer } from 'pdfjs-dist'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../../../client/translate.ts'
import { Note } from '../../../../ui/note/note.tsx'
import styles from './pdf.module.css'

interface PdfPageProps {
  readonly document: PDFDocumentProxy
  readonly number: number
  /** CSS pixels for one of the page's; null: as wide as its frame. */
  readonly zoom: number | null
  readonly frame: RefObject<HTMLElement | null>
  readonly onScale: (scale: number) => void
}

/** Points, of 72 to an inch, to CSS pixels of 96. */
const PIXELS = 96 / 72
const MARGIN = 32

/** A page drawn, with its words over it to select and to be read aloud. */
export function PdfPage({ document, number, zoom, frame, onScale }: PdfPageProps) {
  const { t } = useTranslation('evidencePage')
  const canvas = useRef<HTMLCanvasElement>(null)
  const words = useRef<HTMLDivElement>(null)
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    let over = false
    let stop: (() => void) | null = null
    const draw = async (): Promise<void> => {
      const page = await document.getPage(number)
      const sheet = canvas.current
      const layer = words.current
      if (over || sheet === null || layer === null) return
      const wide = page.getViewport({ scale: PIXELS }).width
      const scale = zoom ?? Math.min(2, Math.max(0.1, ((frame.current?.clientWidth ?? wide) - MARGIN) / wide))
      onScale(scale)
      const viewport = page.getViewport({ scale: scale * PIXELS })
      const density = window.devicePixelRatio || 1
      sheet.width = Math.floor(viewport.width * density)
      sheet.height = Math.floor(viewport.height * density)
      sheet.style.width = `${viewport.width}px`
      sheet.style.height = `${viewport.height}px`
      const task = page.render({
        canvas: sheet,
        viewport,
        // What was written onto a page is part of it; what would act is not made.
        annotationMode: AnnotationMode.ENABLE,
        ...(density === 1 ? {} : { transform: [density, 0, 0, density, 0, 0] }),
      })
      layer.replaceChildren()
      layer.style.setProperty('--total-scale-factor', String(viewport.scale))
      const text = new TextLayer({ textContentSource: page.streamTextContent(), container: layer, viewport })
      stop = () => {
        task.cancel()
        text.cancel()
      }
      await Promise.all([task.promise, text.render()])
      sheet.dataset['drawn'] = String(number)
    }
    setFailed(false)
    draw().catch((error: unknown) => {
      if (over || error instanceof RenderingCancelledException) return
      // A text layer that was given up says so by the name alone.
      if (error instanceof Error && error.name === 'AbortException') return
      setFailed(true)
    })
    return () => {
      over = true
      stop?.()
    }
  }, [document, number, zoom, frame, onScale])
  return (
    <div className={styles['sheet']}>
      <canvas ref={canvas} className={styles['canvas']} />
      <div ref={words} className={styles['words']} />
      {failed && (
        <Note state="attention" title={t('pageFailed')}>
          {t('playFailedSafe')}
        </Note>
      )}
    </div>
  )
}
