declare module 'pdfjs-dist/wasm/*_nowasm_fallback.js' {
  const decoder: (imports: unknown) => unknown
  export default decoder
}
declare module 'pdfjs-dist/build/pdf.worker.min.mjs'
