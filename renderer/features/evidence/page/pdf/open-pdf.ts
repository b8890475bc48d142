/**
 * Opens a PDF with nothing in it that acts: no scripts, no forms, no links, no fetches of its own. Everything the reader needs comes
 * from the page's origin; code made at run time is neither needed nor allowed (the page's policy).
 */
import { getDocument, type PDFDocumentLoadingTask, PDFWorker, VerbosityLevel } from 'pdfjs-dist'

const maps = import.meta.glob<string>('../../../../../node_modules/pdfjs-dist/cmaps/*.bcmap', {
  query: '?url',
  import: 'default',
  eager: true,
})
const fonts = import.meta.glob<string>('../../../../../node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}', {
  query: '?url&inline',
  import: 'default',
})

const byName = <T>(files: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.entries(files).find(([path]) => path.endsWith(`/${name}`))?.[1]

/** What the worker asks the page for: tables of characters, and the fourteen fonts that a PDF need not bring. */
class BundledData {
  async fetch({ kind, filename }: { readonly kind: string; readonly filename: string }): Promise<Uint8Array> {
    if (kind === 'cMapUrl') {
      const address = byName(maps, filename)
      const answer = address === undefined ? null : await fetch(address)
      if (answer?.ok === true) return new Uint8Array(await answer.arrayBuffer())
    }
    if (kind === 'standardFontDataUrl') {
      const font = await byName(fonts, filename)?.()
      if (font !== undefined) return bytesOf(font.slice(font.indexOf(',') + 1))
    }
    // The worker has its decoders in it and asks for them by name (pdf-worker.ts).
    if (kind === 'wasmUrl') return new TextEncoder().encode(filename)
    throw new Error(`There is no ${filename} here.`)
  }
}

const bytesOf = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))

/** More is not read into a page's memory; such a file is for downloading. */
export const MOST_PDF_BYTES = 256 * 1024 ** 2
/** Beyond it a page would not be drawn at all. */
const MOST_CANVAS_BYTES = 256 * 1024 ** 2
/** Everything is asked of the page by kind and name, nothing by address. */
const BUNDLED = 'bundled/'

/** @returns the task, and how to end it with its worker */
export function openPdf(data: ArrayBuffer): {
  readonly task: PDFDocumentLoadingTask
  readonly close: () => Promise<void>
} {
  const port = new Worker(new URL('./pdf-worker.ts', import.meta.url), { type: 'module' })
  const worker = PDFWorker.create({ port })
  const task = getDocument({
    data,
    worker,
    verbosity: VerbosityLevel.ERRORS,
    BinaryDataFactory: BundledData,
    cMapUrl: BUNDLED,
    cMapPacked: true,
    standardFontDataUrl: BUNDLED,
    wasmUrl: BUNDLED,
    useWorkerFetch: false,
    enableXfa: false,
    canvasMaxAreaInBytes: MOST_CANVAS_BYTES,
    disableWorkerRendering: true,
  })
  return {
    task,
    close: async () => {
      await task.destroy()
      worker.destroy()
      port.terminate()
    },
  }
}
