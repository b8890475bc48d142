/**
 * The renderer's files. Each is read when it is asked for first, and kept: a station starts without reading 15 MB, and what was served once
 * stays the same while it runs.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
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

/** Finds a file by its path below the origin, such as `/assets/x.js`; null when there is none, or it is gone since the station started. */
export type Site = (path: string) => SiteFile | null

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

/** Sites by folder. Stations of one process share them until the renderer is built again. */
const known = new Map<string, { readonly stamp: string; readonly site: Site }>()

/** @returns null when the folder has no index.html */
export function readSite(folder: string): Site | null {
  const page = statSync(join(folder, 'index.html'), { throwIfNoEntry: false })
  if (page === undefined) return null
  const stamp = `${page.size}:${page.mtimeMs}:${page.ino}`
  const before = known.get(folder)
  if (before?.stamp === stamp) return before.site
  const site = siteIn(folder)
  known.set(folder, { stamp, site })
  return site
}

const isHashed = (path: string): boolean => path.startsWith('/assets/')

function siteIn(folder: string): Site {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const nameOf = new Map(names.map((name) => [`/${relative(folder, name).replaceAll('\\', '/')}`, name]))
  const read = new Map<string, SiteFile>()
  const site: Site = (path) => {
    const name = nameOf.get(path)
    if (name === undefined || TYPES[extname(name)] === undefined) return null
    const file = read.get(path) ?? fileAt(name, path)
    if (file !== null) read.set(path, file)
    return file
  }
  // The pages that name the others are kept from the start, so that a build beside a running station does not mix them.
  for (const path of nameOf.keys()) if (!isHashed(path)) site(path)
  return site
}

/** Null when it is gone. */
function fileAt(name: string, path: string): SiteFile | null {
  const bytes = bytesAt(name)
  if (bytes === null) return null
  return {
    bytes,
    brotli: bytesAt(`${name}.br`),
    gzip: bytesAt(`${name}.gz`),
    type: TYPES[extname(name)] as string,
    etag: `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`,
    hashed: isHashed(path),
  }
}

function bytesAt(name: string): Buffer | null {
  try {
    return readFileSync(name)
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
