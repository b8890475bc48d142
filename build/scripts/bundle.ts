/**
 * Bundles the program: its modules and the packages that they import become some hundred files in place of 1,700. Reading, linking and keeping
 * each module by itself is half of what a start costs, and 20 MB (docs/decisions/0041-the-program-is-bundled.md).
 */
import path from 'node:path'
import { build, type Plugin } from 'vite'

/** Packages that are native, or of which files are looked for. They stay beside the program. */
export const APART = [
  '@node-rs/argon2',
  'better-sqlite3',
  'electron-updater',
  'exiftool-vendored',
  'mediabunny',
  'pdfkit',
  'swagger-ui-dist',
  'yazl',
]

export interface Bundling {
  readonly root: string
  /** Where the files are written. An entry lies there as in the checkout. */
  readonly folder: string
  /** Modules that are started, or found by an address, relative to the root. */
  readonly entries: readonly string[]
  readonly extension: '.js' | '.mjs'
  readonly plugins: readonly Plugin[]
}

/** @throws Error when a module cannot be read or resolved */
export async function bundleProgram({ root, folder, entries, extension, plugins }: Bundling): Promise<void> {
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    publicDir: false,
    plugins: [...plugins],
    ssr: { noExternal: true, external: [...APART, 'electron'] },
    build: {
      ssr: true,
      outDir: folder,
      minify: false,
      target: 'node24',
      rolldownOptions: {
        input: Object.fromEntries(entries.map((name) => [name.replace(/\.ts$/, ''), path.join(root, name)])),
        output: { entryFileNames: `[name]${extension}`, chunkFileNames: `chunks/[name]-[hash]${extension}` },
      },
    },
  })
}

/** An address beside a module: `new URL('./a.worker.ts', import.meta.url)`, or of a name. */
const ADDRESS = /new URL\(\s*('\.[^']*'|\w+),\s*import\.meta\.url\s*\)/g
/** Stands for the folder of the program until it is known in which file a module ends up. */
const PROGRAM_FOLDER = 'SALLYPORT_PROGRAM_FOLDER'

/** @param text of a module @param name its path in the program @returns the text with addresses that hold from any file of the bundle */
export const withMovedAddresses = (text: string, name: string): string =>
  text.replaceAll(ADDRESS, (_, address: string) => {
    const beside = address.replace(/\.ts'$/, ".js'")
    return `new URL(${beside}, new URL(${JSON.stringify(name)}, ${PROGRAM_FOLDER}))`
  })

/** Keeps addresses beside a module where they would be if each module were a file: workers, fonts, pages. */
export const movedAddresses = (root: string): Plugin => ({
  name: 'moved-addresses',
  enforce: 'pre',
  transform(code, id) {
    if (!id.startsWith(root) || id.includes('/node_modules/') || !code.includes('import.meta.url')) return null
    const moved = withMovedAddresses(code, path.relative(root, id).replaceAll(path.sep, '/'))
    if (/new URL\([^()]*,\s*import\.meta\.url/.test(moved))
      this.error('An address beside the module is not in a known form')
    return moved
  },
  renderChunk(code, { fileName }) {
    const up = path.posix.relative(path.posix.dirname(fileName), '.')
    return code.replaceAll(PROGRAM_FOLDER, `new URL(${JSON.stringify(`${up}/`)}, import.meta.url)`)
  },
})
