/** The renderer's files. They are read once, since they are few, small, and do not change while the station runs. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface SiteFile {
  readonly bytes: Buffer
  readonly brotli: Buffer | null
  readonly gzip: Buffer | null
  readonly type: string
  /** A strong tag, with quotes. */
  readonly etag: string
  /** The name contains the hash of the file, so clients may cache it for ever. */
  readonly hashed: boolean
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.bcmap': 'application/octet-stream',
  '.txt': 'text/plain; charset=utf-8',
}

/** Read files by folder. Stations of one process share them until the renderer is built again. */
const read = new Map<string, { readonly stamp: string; readonly files: ReadonlyMap<string, SiteFile> }>()

/** @returns files by their path below the origin, such as `/assets/x.js`; null when the folder has no index.html */
export function readSite(folder: string): ReadonlyMap<string, SiteFile> | null {
  const page = statSync(join(folder, 'index.html'), { throwIfNoEntry: false })
  if (page === undefined) return null
  const stamp = `${page.size}:${page.mtimeMs}:${page.ino}`
  const known = read.get(folder)
  if (known?.stamp === stamp) return known.files
  const files = filesIn(folder)
  read.set(folder, { stamp, files })
  return files
}

function filesIn(folder: string): ReadonlyMap<string, SiteFile> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const known = new Set(names)
  const files = new Map<string, SiteFile>()
  for (const name of names) {
    const type = TYPES[extname(name)]
    if (type === undefined) continue
    const bytes = readFileSync(name)
    const path = `/${name.slice(folder.length).replaceAll('\\', '/').replace(/^\/+/, '')}`
    files.set(path, {
      bytes,
      brotli: known.has(`${name}.br`) ? readFileSync(`${name}.br`) : null,
      gzip: known.has(`${name}.gz`) ? readFileSync(`${name}.gz`) : null,
      type,
      etag: `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`,
      hashed: path.startsWith('/assets/'),
    })
  }
  return files
}

/** The renderer's folder: beside the sources in a checkout, beside the compiled program in a package. */
export function siteFolder(): string {
  const places = ['../../../dist/renderer', '../../../../renderer'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  )
  return places.find((folder) => existsSync(join(folder, 'index.html'))) ?? (places[0] as string)
}
