import type { Call } from '../custody/call.ts'
import type { Ledger } from '../custody/ledger.ts'
import { type VerifyReport, verifyStation } from '../custody/verify.ts'
import type { Database } from '../db/database.ts'
import type { BlobStore } from '../evidence/store/store.ts'
import type { Notes } from '../platform/files/notes.ts'
import type { StationKeys } from '../platform/secrets/keys.ts'

interface Deps {
  db: Database
  ledger: Ledger
  store: BlobStore
  keys: StationKeys
  /** Signed checkpoints kept outside the database. */
  notes: Notes
  /** The database's file, for threads that read it by themselves. */
  file: string
}

/** `verify` (decisions 11): the ledger and every blob, read again; what was found is itself an entry. */
export function createVerification({ db, ledger, store, keys, notes, file }: Deps) {
  return async (
    call: Call,
    { fast, signal, onProgress }: { fast: boolean; signal: AbortSignal; onProgress: (text: string) => void },
  ): Promise<VerifyReport> => {
    const report = await verifyStation({
      db,
      file,
      publicKeys: keys.signing.publicKeys(),
      outside: await notes.all(),
      blobs: store,
      fast,
      signal,
      onProgress,
    })
    await ledger.record(call, {
      action: 'ledger.verified',
      object: { type: 'station', id: '1', name: '' },
      outcome: report.problems.length === 0 ? 'ok' : 'failed',
      detail: {
        entries: report.entries,
        checkpoints: report.checkpoints,
        blobs: report.blobs,
        problems: report.problems.length,
        fast,
      },
    })
    return report
  }
}
