/**
 * Opens a PDF with nothing in it that acts: no scripts, no forms, no links, no fetches of its own. Everything the reader needs comes
 * from the page's origin; code made at run time is neither needed nor allowed (the page's policy).
 */
import { getDocument, GlobalWorkerOptions, type PDFDocumentLoadingTask, VerbosityLevel } from 'pdfjs-dist'
import jbig2Address from 'pdfjs-dist/wasm/jbig2_nowasm_fallback.js?url'
import openjpegAddress from 'pdfjs-dist/wasm/openjpeg_nowasm_fallback.js?url'
// oxlint-disable-next-line import/default -- `?url` gives every file a default
import workerAddress from 'pdfjs-dist/build/pdf.worker.min.mjs?url'
import decodersAddress from './decoders.js?url'

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
    throw new Error(`There is no ${filename} here.`)
  }
}

const bytesOf = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))

/** More is not read into a page's memory; such a file is for downloading. */
export const MOST_PDF_BYTES = 256 * 1024 ** 2
/** Beyond it a page would not be drawn at all. */
const MOST_CANVAS_BYTES = 256 * 1024 ** 2

export function openPdf(data: ArrayBuffer): PDFDocumentLoadingTask {
  GlobalWorkerOptions.workerSrc = workerAddress
  const within = (address: string): string => encodeURIComponent(new URL(address, document.baseURI).href)
  const decoders = `${new URL(decodersAddress, document.baseURI).href}?jbig2=${within(jbig2Address)}&openjpeg=${within(openjpegAddress)}&file=/`
  return getDocument({
    data,
    verbosity: VerbosityLevel.ERRORS,
    BinaryDataFactory: BundledData,
    cMapUrl: 'bundled/',
    cMapPacked: true,
    standardFontDataUrl: 'bundled/',
    wasmUrl: decoders,
    // Compiled code is not allowed by the page's policy; the same decoders are there as plain script.
    useWasm: false,
    useWorkerFetch: false,
    enableXfa: false,
    canvasMaxAreaInBytes: MOST_CANVAS_BYTES,
    disableWorkerRendering: true,
  })
}
