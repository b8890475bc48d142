/** What a packed program holds. */
import { getRawHeader } from '@electron/asar'

interface Entry {
  readonly files?: Readonly<Record<string, Entry>>
  readonly size?: number
  readonly unpacked?: boolean
}
export interface Packed {
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** Beside the archive, where the system can open it. */
  readonly unpacked: boolean
}

export function packedFiles(archive: string): Packed[] {
  const walk = (entry: Entry, path: string): Packed[] =>
    entry.files === undefined
      ? [{ path, size: entry.size ?? 0, unpacked: entry.unpacked === true }]
      : Object.entries(entry.files).flatMap(([name, inner]) => walk(inner, path === '' ? name : `${path}/${name}`))
  return walk(getRawHeader(archive).header as Entry, '')
}

/** Bytes by package, and by part of the program, the largest first. */
export function whatFills(files: readonly Packed[]): [part: string, bytes: number][] {
  const parts = new Map<string, number>()
  for (const { path, size } of files) {
    const part = /^node_modules\/(@[^/]+\/[^/]+|[^/]+)/.exec(path)?.[0] ?? path.split('/').slice(0, 3).join('/')
    parts.set(part, (parts.get(part) ?? 0) + size)
  }
  return [...parts].toSorted(([, a], [, b]) => b - a)
}
