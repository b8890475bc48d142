import type { StationMode } from '../kernel/mode.ts'
import { randomUUID } from 'node:crypto'
import { INTERNAL } from '../../shared/kernel/principal.ts'
import type { Alarms } from '../kernel/ledger/alarms.ts'
import type { Call } from '../kernel/ledger/call.ts'
import { notesFolder } from '../features/integrity/verification/copies.ts'
import type { WithFile } from '../kernel/kernel.ts'
import type { Ledger } from '../kernel/ledger/ledger.ts'
import type { NodeIdentity } from '../kernel/node/identity.ts'
import { signerOf } from '../features/integrity/verification/checkpoints.ts'
import { type VerifyReport, verifyStation } from '../features/integrity/verification/verify.ts'
import type { Settings } from '../config/settings.ts'
import type { Database } from '../kernel/database/database.ts'
import { schemaDifferencesOnPostgres } from '../kernel/database/postgres/schema-check.ts'
import type { BlobStore } from '../storage/store.ts'
import { type Notes, openNotes } from '../platform/files/notes.ts'
import { namesIn } from '../platform/files/trees.ts'
import { type Clock, isoMillis } from '../platform/clock/clock.ts'
import type { StationKeys } from '../platform/secrets/keys.ts'
import { movedMark } from './move/home.store.ts'
import { sizeInNote } from '../kernel/ledger/signed-note.ts'
import { lastVerification, rememberVerification, stationSince } from './identity.store.ts'

interface Deps {
  db: Database
  ledger: Ledger
  store: BlobStore
  keys: StationKeys
  /** This process. */
  node: NodeIdentity
  /** Signed checkpoints kept outside the database. */
  notes: Notes
  alarms: Pick<Alarms, 'raise'>
  /** Origin of this station's checkpoints. */
  origin: string
  /** The database as a file, for threads that open it themselves. */
  withFile: WithFile
  clock: Clock
  settings: Pick<Settings, 'databaseUrl'>
  /** With `mayRecord` false the station is read-only, and the verification leaves no entry. A station that moved away leaves none either. */
  mode: Pick<StationMode, 'mayRecord' | 'isRetired'>
}

export type Verify = (
  call: Call,
  options: {
    fast: boolean
    /** A folder with copies of this station's checkpoints; null for those beside the database only. */
    checkpoints: string | null
    signal: AbortSignal
    onProgress: (text: string) => void
  },
) => Promise<VerifyReport>

/** `verify` (decisions 11): reads the ledger and every blob again and records the result in an entry. */
export function createVerification(deps: Deps): Verify {
  const { db, ledger, store, keys, notes, alarms, withFile, clock, node, settings } = deps
  return async (call, { fast, checkpoints, signal, onProgress }) => {
    const moved = await movedMark(db.read)
    // What was signed later is about entries at the new home.
    const own = (texts: string[]): string[] =>
      moved === null ? texts : texts.filter((text) => sizeInNote(text) <= moved.entries)
    const beside = own(await notes.all())
    const outside = checkpoints === null ? [] : own(await copiesIn(checkpoints, deps.origin))
    const verified = async (file: string): Promise<VerifyReport> => {
      // The copy may hold what a node signed with a key that it made a moment ago.
      await keys.refresh()
      return verifyStation({
        db,
        file,
        publicKeys: keys.signing.publicKeys(),
        beside,
        liesElsewhere: async (size) => ((await signerOf(ledger, size))?.id ?? node.id) !== node.id,
        outside,
        schema: settings.databaseUrl === undefined ? [] : await schemaDifferencesOnPostgres(settings.databaseUrl),
        blobs: store,
        fast,
        signal,
        onProgress,
      })
    }
    const report = await withFile(verified, signal)
    const problems = report.problems.length
    if (!deps.mode.mayRecord() || deps.mode.isRetired()) return report
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
        detail: {
          entries: report.entries,
          checkpoints: report.checkpoints,
          blobs: report.blobs,
          rows: report.rows,
          problems,
          fast,
        },
      })
      // Damaged blobs have an alarm each, which fixity raises when it reads them.
      const broken = report.problems.filter(({ kind }) => OF_THE_DATABASE.test(kind))
      if (broken[0] !== undefined)
        await alarms.raise(tx, call, {
          kind: 'ledger',
          subject: 'ledger',
          message: `${broken[0].what}: ${broken[0].message}`,
          detail: { problems: broken.length, firstBad: report.firstBad },
        })
    })
    return report
  }
}

const OF_THE_DATABASE = /^(ledger\.\w+|record|schema|database)$/

/** @throws Error when the folder has no copies of this station: an empty comparison must not look like a success */
async function copiesIn(folder: string, origin: string): Promise<string[]> {
  for (const place of [notesFolder(folder, origin), folder]) {
    if (!((await namesIn(place)) ?? []).some((name) => name.endsWith('.txt'))) continue
    return (await openNotes(place)).all()
  }
  throw new Error(`There are no copies of this station's checkpoints in ${folder}.`)
}

const DAY = 86_400_000

/**
 * A task that verifies the ledger and the names and lengths of blobs when the last verification is a day old, also at a start after a long
 * pause.
 */
export function createDailyVerification({ db, verify, clock }: { db: Database; verify: Verify; clock: Clock }) {
  const abort = new AbortController()
  return {
    run: async (): Promise<void> => {
      const last = (await lastVerification(db.read))?.TimeUtc ?? (await stationSince(db.read))
      if (last === null || clock.now() - Date.parse(last) < DAY) return
      const call = { actor: INTERNAL, source: 'station', correlationId: randomUUID() }
      await verify(call, { fast: true, checkpoints: null, signal: abort.signal, onProgress: () => {} }).catch(
        (error: unknown) => {
          if (!abort.signal.aborted) throw error
        },
      )
    },
    stop: (): void => abort.abort(new Error('The station is stopping')),
  }
}
