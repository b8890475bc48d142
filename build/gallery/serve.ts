/** The page of parts built alone and served under the product's policy, so that parts can be tested before and without a station. */
import { createServer } from 'node:http'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { build, type Plugin } from 'vite'

const ROOT = fileURLToPath(new URL('../../renderer', import.meta.url))
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
}
/** As the product's pages have it: no inline style element gets through. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'"

const ENTRY = `
import '/styles/index.css'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { addWords, changeLanguage } from '/client/translate.ts'
import { PartsPage } from '${fileURLToPath(new URL('./parts-page.tsx', import.meta.url))}'
import { FormatProvider } from '/ui/format/use-format.tsx'
import { ToastRegion } from '/ui/toast/toast.tsx'
import { ui as en } from '${fileURLToPath(new URL('../../shared/window/ui.messages.en.ts', import.meta.url))}'
import { uiLater as enLater } from '${fileURLToPath(new URL('../../shared/window/ui-later.messages.en.ts', import.meta.url))}'
import { ui as fr } from '${fileURLToPath(new URL('../../shared/window/ui.messages.fr.ts', import.meta.url))}'
import { uiLater as frLater } from '${fileURLToPath(new URL('../../shared/window/ui-later.messages.fr.ts', import.meta.url))}'
const wanted = new URLSearchParams(location.search)
const lng = wanted.get('lang') ?? 'en'
if (wanted.has('theme')) document.documentElement.dataset.theme = wanted.get('theme')
if (wanted.has('density')) document.documentElement.dataset.density = wanted.get('density')
document.documentElement.lang = lng
for (const [of, area, words] of [['en', 'ui', en], ['en', 'uiLater', enLater], ['fr', 'ui', fr], ['fr', 'uiLater', frLater]]) addWords(of, area, words)
changeLanguage(lng)
createRoot(document.getElementById('root')).render(
  createElement(FormatProvider, { locale: lng, zone: 'Europe/Paris' },
    createElement('main', { style: { position: 'fixed', inset: 0, background: 'var(--surface)' } }, createElement(PartsPage)),
    createElement(ToastRegion)))
`

function entry(): Plugin {
  return {
    name: 'parts-alone',
    resolveId: (id) => (id === 'virtual:parts' ? join(ROOT, 'parts-alone.js') : null),
    load: (id) => (id === join(ROOT, 'parts-alone.js') ? ENTRY : null),
  }
}

export interface PartsServer {
  readonly url: string
  readonly close: () => Promise<void>
}

export async function servePartsPage(): Promise<PartsServer> {
  const outDir = await mkdtemp(join(tmpdir(), 'sallyport-parts-'))
  // The runner sets it to test, which would give React as it is for development, several times slower.
  const before = process.env['NODE_ENV']
  process.env['NODE_ENV'] = 'production'
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    plugins: [react(), entry()],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'chrome140',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      cssCodeSplit: false,
      rollupOptions: {
        input: 'virtual:parts',
        output: { entryFileNames: 'parts.js', assetFileNames: '[name][extname]' },
      },
    },
  })
  process.env['NODE_ENV'] = before
  const sheets = (await readdir(outDir)).filter((name) => name.endsWith('.css'))
  const links = sheets.map((name) => `<link rel="stylesheet" href="/${name}">`).join('')
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Parts</title>${links}</head><body><div id="root"></div><script type="module" src="/parts.js"></script></body></html>`
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const send = (body: string | Buffer, type: string): void => {
      response.writeHead(200, { 'Content-Type': type, 'Content-Security-Policy': POLICY }).end(body)
    }
    if (path === '/') return send(page, TYPES['.html'] ?? '')
    if (path === '/favicon.ico') return void response.writeHead(204).end()
    readFile(join(outDir, path)).then(
      (body) => send(body, TYPES[extname(path)] ?? 'application/octet-stream'),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      await new Promise((done) => server.close(done))
      await rm(outDir, { recursive: true, force: true })
    },
  }
}
