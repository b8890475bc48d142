import { EXIF_MOST_BYTES, exifFacts } from '../../../platform/exif/exif.ts'
import type { BlobStore } from '../../../storage/store.ts'
import type { CaptureClaims } from './capture-time.ts'

/** What metadata that was read from a picture, and lies in the store, says of its time. Null where it cannot be read. */
export async function claimsIn(store: Pick<BlobStore, 'open'>, sha256: string): Promise<CaptureClaims | null> {
  try {
    const blob = await store.open(sha256)
    if (blob.size > EXIF_MOST_BYTES) return null
    const parts: Buffer[] = []
    for await (const part of blob.stream()) parts.push(part as Buffer)
    return exifFacts(Buffer.concat(parts).toString('utf8'))
  } catch {
    // A blob that is gone or damaged is found, and told, by those who look after blobs.
    return null
  }
}
