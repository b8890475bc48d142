import { randomUUID } from 'node:crypto'
import { INTERNAL } from '../../shared/domain/principal.ts'
import type { Call } from '../custody/call.ts'
import type { Ledger } from '../custody/ledger.ts'
import { type VerifyReport, verifyStation } from '../custody/verify.ts'
import type { Database } from '../db/database.ts'
import type { BlobStore } from '../evidence/store/store.ts'
import type { Notes } from '../platform/files/notes.ts'
import { type Clock, isoMillis } from '../platform/clock/clock.ts'
import type { StationKeys } from '../platform/secrets/keys.ts'
import { lastVerification, rememberVerification, stationSince } from './identity.repository.ts'

interface Deps {
  db: Database
  ledger: Ledger
  store: BlobStore
  keys: StationKeys
  /** Signed checkpoints kept outside the database. */
  notes: Notes
  /** The database's file, for threads that read it by themselves. */
  file: string
  clock: Clock
}

export type Verify = (
  call: Call,
  options: { fast: boolean; signal: AbortSignal; onProgress: (text: string) => void },
) => Promise<VerifyReport>

/** `verify` (decisions 11): the ledger and every blob, read again; what was found is itself an entry. */
export function createVerification({ db, ledger, store, keys, notes, file, clock }: Deps): Verify {
  return async (call, { fast, signal, onProgress }) => {
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
    const problems = report.problems.length
    await db.transaction(async (tx) => {
      await rememberVerification(tx, {
        TimeUtc: isoMillis(clock.now()),
        Result: problems === 0 ? 'intact' : 'broken',
        Problems: problems,
      })
      await ledger.append(tx, call, {
        action: 'ledger.verified',
        object: { type: 'station', id: '1', name: '' },
        outcome: problems === 0 ? 'ok' : 'failed',
        detail: { entries: report.entries, checkpoints: report.checkpoints, blobs: report.blobs, problems, fast },
      })
    })
    return report
  }
}

const DAY = 86_400_000

/**
 * A chore: a station that nobody verified for a day looks at its ledger, and at names and lengths of its blobs, by itself; so does one
 * that starts after having been off for long.
 */
export function createDailyVerification({ db, verify, clock }: { db: Database; verify: Verify; clock: Clock }) {
  const abort = new AbortController()
  return {
    run: async (): Promise<void> => {
      const last = (await lastVerification(db.read))?.TimeUtc ?? (await stationSince(db.read))
      if (last === null || clock.now() - Date.parse(last) < DAY) return
      const call = { actor: INTERNAL, source: 'station', correlationId: randomUUID() }
      await verify(call, { fast: true, signal: abort.signal, onProgress: () => {} }).catch((error: unknown) => {
        if (!abort.signal.aborted) throw error
      })
    },
    stop: (): void => abort.abort(new Error('The station is stopping')),
  }
}
