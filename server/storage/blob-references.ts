/**
 * Counts references to blobs whose rows are not committed yet. Two requests may bring the same bytes. The blob and its intent stay until the
 * last request has committed or failed.
 */
export interface BlobReferences {
  /** Runs `work` when no other work on this SHA-256 is running. */
  runExclusive<T>(sha256: string, work: () => Promise<T>): Promise<T>
  take(sha256: string): void
  isHeld(sha256: string): boolean
  /** @returns the number of remaining references */
  release(sha256: string): number
}

export function blobReferences(): BlobReferences {
  const lines = new Map<string, Promise<unknown>>()
  const held = new Map<string, number>()
  return {
    runExclusive: (sha256, work) => {
      const result = (lines.get(sha256) ?? Promise.resolve()).then(work, work)
      const over = result.catch(() => {}).then(() => void (lines.get(sha256) === over && lines.delete(sha256)))
      lines.set(sha256, over)
      return result
    },
    take: (sha256) => void held.set(sha256, (held.get(sha256) ?? 0) + 1),
    isHeld: (sha256) => held.has(sha256),
    release: (sha256) => {
      const left = Math.max(0, (held.get(sha256) ?? 0) - 1)
      if (left === 0) held.delete(sha256)
      else held.set(sha256, left)
      return left
    },
  }
}
