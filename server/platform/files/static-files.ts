/**
 * The renderer's files. Each is read when it is asked for first, and kept: a station starts without reading 15 MB, and what was served once
 * stays the same while it runs.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface SiteFile {
  readonly type: string
  /** The name contains the hash of the file, so clients may cache it for ever. */
  readonly hashed: boolean
  /** @returns null when the file is gone since the station started */
  contents(): SiteContents | null
}

export interface SiteContents {
  readonly bytes: Buffer
  readonly brotli: Buffer | null
  readonly gzip: Buffer | null
  /** A strong tag, with quotes. */
  readonly etag: string
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

/** Files by folder. Stations of one process share them until the renderer is built again. */
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
    const path = `/${name.slice(folder.length).replaceAll('\\', '/').replace(/^\/+/, '')}`
    let contents: SiteContents | null = null
    files.set(path, {
      type,
      hashed: path.startsWith('/assets/'),
      contents: () => (contents ??= contentsOf(name, known)),
    })
  }
  // The pages that name the others are kept from the start, so that a build beside a running station does not mix them.
  for (const file of files.values()) if (!file.hashed) file.contents()
  return files
}

function contentsOf(name: string, known: ReadonlySet<string>): SiteContents | null {
  const compressed = (end: string): Buffer | null => (known.has(name + end) ? readFileSync(name + end) : null)
  try {
    const bytes = readFileSync(name)
    const etag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`
    return { bytes, brotli: compressed('.br'), gzip: compressed('.gz'), etag }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** The renderer's folder: beside the sources in a checkout, beside the compiled program in a package. */
export function siteFolder(): string {
  const places = ['../../../dist/renderer', '../../../../renderer'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  )
  return places.find((folder) => existsSync(join(folder, 'index.html'))) ?? (places[0] as string)
}
