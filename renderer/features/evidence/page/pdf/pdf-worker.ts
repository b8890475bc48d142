/**
 * The reader's worker, with its picture decoders built in: a worker of this origin may load nothing more (it runs under the policy of its
 * own file), and compiled code is not allowed. The reader asks for compiled decoders and is given the same ones as plain script, by the
 * names under which the page hands them out (see open-pdf.ts).
 */
import jbig2 from 'pdfjs-dist/wasm/jbig2_nowasm_fallback.js'
import openjpeg from 'pdfjs-dist/wasm/openjpeg_nowasm_fallback.js'
import 'pdfjs-dist/build/pdf.worker.min.mjs'

type Decoder = (imports: unknown) => unknown
const DECODERS: Readonly<Record<string, Decoder>> = { 'jbig2.wasm': jbig2, 'openjpeg.wasm': openjpeg }

async function instantiate(name: Uint8Array, imports: unknown) {
  const decoder = DECODERS[new TextDecoder().decode(name)]
  if (decoder === undefined) throw new Error('There is no such decoder here.')
  return { instance: { exports: decoder(imports) } }
}

Object.assign(WebAssembly, { instantiate })
