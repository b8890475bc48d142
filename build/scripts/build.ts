/** `npm run build`: the program into dist/app, the pages into dist/renderer. */
import { buildApp } from './app.ts'
import { ensureRenderer } from './renderer.ts'

await buildApp()
const renderer = await ensureRenderer()
process.stdout.write(`Built: dist/app${renderer ? ', dist/renderer' : '; dist/renderer was up to date'}.\n`)
