import { Buffer } from 'node:buffer'
import type { Database, Tx } from '../../kernel/database/database.ts'
import type { BlobStore } from '../../storage/store.ts'
import { exifWords } from '../../kernel/evidence/exif-text.ts'
import {
  caseWkt,
  evidencePlace,
  exifBlob,
  findByDevice,
  findByExif,
  findByPlace,
  type Pending,
  pendingRows,
  settlePending,
} from '../../kernel/evidence/search-index.store.ts'

/** Rows of one transaction, which is short enough not to delay other writers noticeably. */
const AT_ONCE = 100
/** Bytes; the limit of exiftool's answers (platform/exif). */
const MOST_BYTES = 8 * 1024 * 1024

/**
 * Brings the search index of an older station up to date, in batches: boxes around places, ids of devices, and the Exif in files.
 * Unreadable files are skipped; their evidence is still found by its other data. @returns how many rows were updated
 */
export function createSearchCatchUp({ db, store }: { db: Database; store: Pick<BlobStore, 'open'> }) {
  let finished = false
  return {
    run: async (): Promise<number> => {
      if (finished) return 0
      const due = await pendingRows(db.read, AT_ONCE)
      finished = due.length === 0
      if (finished) return 0
      // Files are read before the transaction, so that no writer waits for the disk.
      const words = new Map<number, { evidenceId: number; words: string }>()
      for (const { what, object_id: id } of due) {
        if (what !== 'exif') continue
        const row = await exifBlob(db.read, id)
        const text = row === undefined || row.sha256 === null ? null : await contentOf(store, row.sha256)
        if (row !== undefined && text !== null) words.set(id, { evidenceId: row.evidence_id, words: wordsOf(text) })
      }
      await db.transaction(async (tx) => {
        for (const pending of due) {
          await settle(tx, pending, words)
          await settlePending(tx, pending)
        }
      })
      return due.length
    },
  }
}

async function settle(
  tx: Tx,
  { what, object_id: id }: Pending,
  words: ReadonlyMap<number, { evidenceId: number; words: string }>,
): Promise<void> {
  if (what === 'case') {
    const wkt = await caseWkt(tx, id)
    if (wkt !== null) await findByPlace(tx, 'case', id, wkt)
  } else if (what === 'evidence') {
    const row = await evidencePlace(tx, id)
    if (row?.location_wkt) await findByPlace(tx, 'evidence', id, row.location_wkt)
    if (row?.device) await findByDevice(tx, id, row.device)
  } else {
    const found = words.get(id)
    if (found !== undefined) await findByExif(tx, id, found.evidenceId, found.words)
  }
}

async function contentOf(store: Pick<BlobStore, 'open'>, sha256: string): Promise<string | null> {
  try {
    const blob = await store.open(sha256)
    if (blob.size > MOST_BYTES) return null
    const parts: Buffer[] = []
    for await (const part of blob.stream()) parts.push(part as Buffer)
    return Buffer.concat(parts).toString('utf8')
  } catch {
    // Fixity finds and reports missing and damaged blobs.
    return null
  }
}

function wordsOf(json: string): string {
  try {
    return exifWords(JSON.parse(json))
  } catch {
    return ''
  }
}
