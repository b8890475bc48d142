/**
 * The program as the processes of a test run it: bundled, with everything that it is made of but native parts. A station of the sources reads
 * and links 1,700 modules on three threads, which is half of what its start costs the processors; stations that are killed leave nothing
 * compiled behind. Suites that run `npm start`, `npm run sallyport` and dist/app start the other two forms.
 */
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import { bundleProgram } from '../../build/scripts/bundle.ts'
import { builtName, FOLDER } from './program.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const KEPT = path.join(ROOT, 'node_modules/.cache/program')
const DAY = 86_400_000
/** Of what the bundle follows from. */
const SOURCES = [
  '{server,shared,test/simulators}/**/*.ts',
  'package-lock.json',
  'build/scripts/bundle.ts',
  'test/support/bundle.ts',
]
/** What is found by an address beside its module is an entry of its own. */
const ENTRIES = [
  'server/bin/sallyport.ts',
  'test/simulators/sallyport.ts',
  'server/app/units.ts',
  '{server,test/simulators}/**/*.worker.ts',
]
/** vitest's `globalSetup`. */
export async function setup(): Promise<void> {
  // Copies of the product with something taken out (test/guards, test/repository) borrow the packages; each runs once, from its sources.
  if (lstatSync(path.join(ROOT, 'node_modules')).isSymbolicLink()) return
  process.env[FOLDER] = await ensureProgram()
}

async function ensureProgram(): Promise<string> {
  const folder = path.join(KEPT, stampOfSources())
  mkdirSync(KEPT, { recursive: true })
  if (!existsSync(folder)) {
    const aside = mkdtempSync(path.join(KEPT, 'making-'))
    await bundle(aside, folder)
    // Stations of another account read it too.
    chmodSync(aside, 0o755)
    try {
      renameSync(aside, folder)
    } catch (error) {
      // Another run made the same one meanwhile.
      if (!existsSync(folder)) throw error
      rmSync(aside, { recursive: true, force: true })
    }
  }
  const now = new Date()
  utimesSync(folder, now, now)
  for (const name of readdirSync(KEPT)) removeOld(path.join(KEPT, name))
  return folder
}

/** Runs beside this one may use what they made. */
function removeOld(folder: string): void {
  const { mtimeMs } = statSync(folder, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() }
  if (Date.now() - mtimeMs > DAY) rmSync(folder, { recursive: true, force: true })
}

function stampOfSources(): string {
  const hash = createHash('sha256').update(ROOT)
  for (const name of globSync(SOURCES, { cwd: ROOT }).toSorted())
    hash.update(`\0${name}\0`).update(readFileSync(path.join(ROOT, name)))
  return hash.digest('hex').slice(0, 16)
}

/**
 * Bundles the program as a later version of it would be. @param changes what each of its files, as it lies in the checkout, has instead
 * @returns the file that Node runs @throws Error when the file does not have what is changed
 */
export async function bundleChanged(folder: string, changes: readonly SourceChange[]): Promise<string> {
  const left = new Set(changes)
  const changing: Plugin = {
    name: 'a later version',
    enforce: 'pre',
    transform: (code, id) => {
      let changed = code
      for (const change of changes.filter(({ file }) => id === path.join(ROOT, file))) {
        if (!changed.includes(change.from)) throw new Error(`${change.file} does not have ${change.from}`)
        changed = changed.replace(change.from, () => change.to)
        left.delete(change)
      }
      return changed === code ? null : changed
    },
  }
  await bundle(folder, folder, [changing])
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
  if (left.size > 0) throw new Error(`No part of the program: ${[...left].map(({ file }) => file).join(', ')}`)
  return path.join(folder, builtName('server/bin/sallyport.ts'))
}

export interface SourceChange {
  readonly file: string
  readonly from: string
  readonly to: string
}

/** @param at where it will lie */
async function bundle(folder: string, at: string, further: readonly Plugin[] = []): Promise<void> {
  const entries = globSync(ENTRIES, { cwd: ROOT })
  await bundleProgram({
    root: ROOT,
    folder,
    entries,
    extension: '.mjs',
    plugins: [...further, addresses(at, new Set(entries))],
  })
}

/** An address beside a module is that of the entry, or where the module lies in the checkout: pages and packages are found from there. */
const addresses = (at: string, entries: ReadonlySet<string>): Plugin => ({
  name: 'addresses of modules',
  enforce: 'pre',
  transform: (code, id) => {
    if (!id.startsWith(ROOT) || id.includes('/node_modules/') || !code.includes('import.meta.url')) return null
    const own = JSON.stringify(pathToFileURL(id).href)
    return code
      .replace(/new URL\(\s*'(\.[^']+\.ts)',\s*import\.meta\.url\s*\)/g, (text, relative: string) => {
        const name = path.relative(ROOT, path.join(path.dirname(id), relative))
        if (!entries.has(name)) return text
        return `new URL(${JSON.stringify(pathToFileURL(path.join(at, builtName(name))).href)})`
      })
      .replaceAll('import.meta.url', own)
  },
})
