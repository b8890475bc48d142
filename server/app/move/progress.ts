/** What a person sees while the station moves. */
import type { BlobRow } from '../../storage/move-blobs.ts'

export interface Progress {
  blob(row: BlobRow): void
  /** @param what begins the line */
  rows(what: string): (table: string, rows: number) => void
}

const MEGABYTE = 1_000_000
const MINUTE = 60

/** @param all of the station when the move began */
export function createProgress(
  all: { readonly count: number; readonly bytes: number },
  onProgress: (text: string) => void,
): Progress {
  const began = performance.now()
  let blobs = 0
  let bytes = 0
  return {
    blob: ({ length }) => {
      blobs += 1
      bytes += length
      const seconds = (performance.now() - began) / 1000
      const left = bytes === 0 ? 0 : (seconds * Math.max(0, all.bytes - bytes)) / bytes
      onProgress(
        `blobs: ${blobs} of ${Math.max(blobs, all.count)}, ${Math.round(bytes / MEGABYTE)} of ${Math.round(Math.max(bytes, all.bytes) / MEGABYTE)} MB, ${timeLeft(left)}`,
      )
    },
    rows: (what) => (table, rows) => onProgress(`${what}: ${rows} of ${table}`),
  }
}

function timeLeft(seconds: number): string {
  if (seconds < MINUTE) return 'less than a minute left'
  const minutes = Math.ceil(seconds / MINUTE)
  return minutes < 2 * MINUTE ? `about ${minutes} minutes left` : `about ${Math.round(minutes / MINUTE)} hours left`
}
