import { createHash } from 'node:crypto'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Database, Tx } from '../../../kernel/database/database.ts'
import type { JobQueue } from '../../../kernel/jobs/queue.ts'
import { type Clock, isoMillis } from '../../../platform/clock/clock.ts'
import type { FoundFile, WalkEntry } from '../../../platform/files/walk.ts'
import type { Records } from '../../../kernel/evidence/records.ts'
import {
  type EvidenceRow,
  evidenceOf,
  ingestedFile,
  rememberIngestedFile,
  resourceById,
} from '../../../kernel/evidence/records.store.ts'
import type { BlobStore, PlacedBlob } from '../../../storage/store.ts'
import { placeAndCommit } from '../../../kernel/evidence/place-and-commit.ts'

export interface IngestReport {
  readonly ingested: { path: string; evidenceId: string; resourceId: string; sha256: string; length: number }[]
  /** Files that an earlier run imported and that are unchanged by their hash, not by their date. */
  readonly alreadyHere: { path: string; evidenceId: string; sha256: string }[]
  readonly skipped: { path: string; reason: string }[]
  readonly failed: { path: string; reason: string }[]
  bytes: number
}

export interface IngestOptions {
  readonly paths: readonly string[]
  readonly signal: AbortSignal
  readonly onProgress: (text: string) => void
  /** Links an evidence, for example to a case, in the transaction that imports it; for a file imported earlier in a transaction of its own. */
  readonly place?: PlaceEvidence
}

export type PlaceEvidence = (tx: Tx, call: Call, evidence: EvidenceRow) => Promise<void>

export interface FolderIngest {
  /** Imports files, each as one evidence with one original, through the pipeline of docs/architecture.md. Safe to repeat. @throws only on abort */
  ingest(call: Call, tenant: string, options: IngestOptions): Promise<IngestReport>
}

interface Deps {
  db: Database
  store: BlobStore
  records: Records
  jobs: JobQueue
  clock: Clock
  walk: (paths: readonly string[]) => AsyncIterable<WalkEntry>
  lanes: number
  /** @throws Fault when the station accepts no more bytes. */
  requireBytes: (bytes: number) => Promise<void>
}

export function createFolderIngest(deps: Deps): FolderIngest {
  return {
    ingest: async (call, tenant, { paths, signal, onProgress, place }) => {
      const report: IngestReport = { ingested: [], alreadyHere: [], skipped: [], failed: [], bytes: 0 }
      const entries = deps.walk(paths)[Symbol.asyncIterator]()
      const worker = async (): Promise<void> => {
        for (;;) {
          if (signal.aborted) throw signal.reason
          const next = await entries.next()
          if (next.done === true) return
          if (next.value.kind === 'skipped') report.skipped.push({ path: next.value.path, reason: next.value.reason })
          else await take(deps, call, tenant, next.value, { signal, report, place })
          onProgress(
            `${report.ingested.length} taken in, ${report.alreadyHere.length} here already, ${report.failed.length} failed: ${next.value.path}`,
          )
        }
      }
      await Promise.all(Array.from({ length: deps.lanes }, worker))
      return report
    },
  }
}

async function take(
  deps: Deps,
  call: Call,
  tenant: string,
  file: FoundFile,
  { signal, report, place }: { signal: AbortSignal; report: IngestReport; place: PlaceEvidence | undefined },
): Promise<void> {
  try {
    const key = sourceKey(file)
    const earlier = await ingestedFile(deps.db.read, key)
    if (
      earlier !== undefined &&
      earlier.length === file.length &&
      (await deps.store.hashFile(file.location, { signal })).sha256 === earlier.sha256
    ) {
      const resource = await resourceById(deps.db.read, earlier.resource_id)
      if (place !== undefined && resource !== undefined)
        await deps.db.transaction(async (tx) => place(tx, call, await evidenceOf(tx, resource.evidence_id)))
      report.alreadyHere.push({
        path: file.path,
        evidenceId: String(resource?.evidence_id ?? ''),
        sha256: earlier.sha256,
      })
      return
    }
    await deps.requireBytes(file.length)
    const staged = await deps.store.copyIn(file.location, { signal, expect: { length: file.length } })
    const done = await placeAndCommit(deps, staged, (tx, placed) =>
      commitEvidence(deps, tx, call, tenant, file, key, placed, place),
    )
    deps.jobs.kick()
    report.bytes += staged.length
    report.ingested.push({
      path: file.path,
      evidenceId: String(done.evidence.evidence_id),
      resourceId: String(done.resource.resource_id),
      sha256: staged.sha256,
      length: staged.length,
    })
  } catch (error) {
    if (signal.aborted) throw signal.reason
    report.failed.push({ path: file.path, reason: (error as Error).message })
  }
}

/** Commits in one transaction: evidence, resource, versions, ledger entries, jobs, and the note that this file was imported. */
async function commitEvidence(
  { records, clock }: Deps,
  tx: Tx,
  call: Call,
  tenant: string,
  file: FoundFile,
  key: string,
  placed: PlacedBlob,
  place: PlaceEvidence | undefined,
) {
  const evidence = await records.createEvidence(tx, call, tenant, {
    Name: file.name,
    SourceId: file.path,
    device: null,
    deviceIdentity: null,
  })
  const open = await records.createResource(tx, call, evidence, {
    name: file.name,
    mimeType: 'application/octet-stream',
    start: null,
    end: null,
    timeOffset: null,
    expectedSha256: null,
    expectedLength: null,
  })
  const resource = await records.completeResource(tx, call, open, placed, { detail: { sourcePath: file.path } })
  await rememberIngestedFile(tx, {
    source_key: key,
    resource_id: resource.resource_id,
    path: file.path,
    length: placed.length,
    modified_ns: String(file.modifiedNs),
    sha256: placed.sha256,
    ingested_utc: isoMillis(clock.now()),
  })
  await records.completeEvidence(tx, call, evidence)
  await place?.(tx, call, await evidenceOf(tx, evidence.evidence_id))
  return { evidence, resource }
}

/** Identifies a file by the raw bytes of its path, because a name that is not UTF-8 may look like another one. */
const sourceKey = (file: FoundFile): string => createHash('sha256').update(file.location).digest('hex')
