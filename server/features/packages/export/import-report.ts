/** What imports have in common: what they need, what they tell, and how one is refused. */
import type { Database } from '../../../kernel/database/database.ts'
import type { DatabasePlace } from '../../../kernel/database/row-copy.ts'
import type { Records } from '../../../kernel/evidence/records.ts'
import type { JobQueue } from '../../../kernel/jobs/queue.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Ledger } from '../../../kernel/ledger/ledger.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { BlobStore } from '../../../storage/store.ts'
import type { PackageProblem } from '../verify.ts'
import type { Lists } from './lists.ts'

export interface ImportDeps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'append'>
  readonly clock: Clock
  readonly store: BlobStore
  readonly jobs: JobQueue
  readonly records: Records
  readonly origin: string
  readonly tenant: string
  readonly database: DatabasePlace
  /** @throws Fault when the station accepts no more bytes. */
  readonly requireBytes: (bytes: number) => Promise<void>
}

export interface ImportReport {
  readonly kind: 'station' | 'package'
  /** `refused`: nothing was taken in. `here`: it had been taken in before, and was compared again. */
  readonly state: 'made' | 'here' | 'refused'
  readonly problems: readonly PackageProblem[]
  readonly origin: string | null
  readonly stationName: string
  readonly name: string
  readonly fingerprint: string
  readonly evidence: number
  readonly cases: number
  readonly people: number
  readonly files: number
  readonly entries: number
  /** Files that an interrupted run had taken in. */
  readonly resumed: number
  /** Of a package: evidence that came with an earlier import. */
  readonly alreadyHere: readonly { readonly sourceId: string; readonly evidenceId: string }[]
  /** Of a package: the evidence that was made. */
  readonly made: readonly string[]
  readonly leftBehind: readonly string[]
  readonly lists: Lists | null
}

export interface ImportWork {
  readonly signal: AbortSignal
  readonly onProgress: (text: string) => void
}

export const NOTHING = {
  evidence: 0,
  cases: 0,
  people: 0,
  files: 0,
  entries: 0,
  resumed: 0,
  alreadyHere: [],
  made: [],
  lists: null,
} as const

/** Says in the ledger that it was refused. */
export async function refuse(
  { db, ledger }: Pick<ImportDeps, 'db' | 'ledger'>,
  call: Call,
  about: Pick<ImportReport, 'kind' | 'origin' | 'stationName' | 'name' | 'fingerprint' | 'problems'>,
): Promise<ImportReport> {
  const { kind, problems, fingerprint, origin, name } = about
  const [first] = problems
  await db.transaction((tx) =>
    ledger.append(tx, call, {
      action: 'import.refused',
      object: { type: 'import', id: '', name },
      outcome: 'failed',
      reason: first === undefined ? '' : `${first.where}: ${first.text}`,
      detail: { kind, origin, fingerprint, problems: problems.length },
    }),
  )
  return { ...NOTHING, ...about, state: 'refused', leftBehind: [] }
}
