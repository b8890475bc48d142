import { Readable } from 'node:stream'
import * as contract from '../../../shared/evidence/download.contract.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import type { BytesAnswer, BytesRequest } from '../../http/bytes.ts'
import { checked, queryMembers } from '../../http/checked-answer.ts'
import { type BoundRoute, bytes, type HttpCall } from '../../http/handlers.ts'
import type { Access } from '../../kernel/access/access.ts'
import { lifecycleOfEvidence } from '../../kernel/access/access.store.ts'
import { refusalOfLevel } from '../../kernel/access/evidence-level.ts'
import type { Database } from '../../kernel/database/database.ts'
import { refuseForwarded } from '../../kernel/evidence/forwarded.store.ts'
import type { ReachRows } from '../../kernel/evidence/reach.ts'
import { resourceObject } from '../../kernel/evidence/records.ts'
import { type EvidenceRow, type ResourceRow, resourcesOf } from '../../kernel/evidence/records.store.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { BlobStore } from '../../storage/store.ts'
import { type ArchivedFile, archiveOf } from './download.archive.ts'
import { safeName } from './download.names.ts'

interface Deps {
  readonly db: Pick<Database, 'read'>
  readonly access: Access
  readonly reachRows: ReachRows
  readonly store: Pick<BlobStore, 'open'>
  readonly ledger: Pick<Ledger, 'record'>
  readonly clock: Clock
}

interface Original {
  readonly evidence: EvidenceRow
  readonly resource: ResourceRow & { readonly sha256: string; readonly length: number }
}

const COLUMNS = ['EvidenceId', 'Evidence', 'ResourceId', 'FileName', 'RecordedStartUtc'] as const
/** Entries that one group of the ledger takes at once. */
const ENTRIES_AT_ONCE = 100

/** Originals of several evidences as one ZIP file. */
export function downloadRoutes(deps: Deps): BoundRoute[] {
  return [
    bytes(contract.downloadOriginals, async (request, call) => {
      const { id: ids } = checked(contract.downloadOriginals.query, queryMembers(request.url))
      const originals = await originalsOf(deps, call, [...new Set(ids)])
      await requireDownload(deps, call, new Set(originals.map(({ evidence }) => evidence.evidence_id)))
      if (request.method === 'HEAD') {
        await recordAll(deps, call, originals, 'resource.read')
        return { status: 200, headers: headersOf(deps.clock.now()) }
      }
      return archived(deps, request, call, originals)
    }),
  ]
}

/** @throws Fault EvidenceNotFound, EvidenceDeleted, Forbidden, ResourceNotCompleted, OriginalForwarded: of the first that cannot be given out */
async function originalsOf({ db, reachRows }: Deps, call: HttpCall, ids: readonly string[]): Promise<Original[]> {
  const found: Original[] = []
  for (const evidenceId of ids) {
    const { evidence } = await reachRows(call, 'Download', { tenant: call.tenant, evidenceId })
    for (const resource of await resourcesOf(db.read, evidence.evidence_id)) {
      if (resource.role !== 'original' || resource.state !== 'UserCompleted') continue
      if (resource.sha256 === null || resource.length === null) continue
      await refuseForwarded(db.read, resource.sha256)
      found.push({ evidence, resource: { ...resource, sha256: resource.sha256, length: resource.length } })
    }
  }
  if (found.length === 0) throw fault('ResourceNotCompleted', 'None of these has a file yet.')
  return found
}

/** Asked once more of all, and again of each before its bytes are sent: a download can take an hour. @throws Fault EvidenceNotFound, EvidenceDeleted, Forbidden */
async function requireDownload({ access, db }: Deps, call: HttpCall, ids: Iterable<number>): Promise<void> {
  const levels = await access.onEvidences(db.read, call.principal, [...ids])
  for (const [id, level] of levels) {
    const deleted = (await lifecycleOfEvidence(db.read, id)) === 'Deleted'
    const refusal = refusalOfLevel(String(id), { level, deleted }, 'Download')
    if (refusal !== null) throw refusal
  }
}

async function archived(
  deps: Deps,
  request: BytesRequest,
  call: HttpCall,
  originals: readonly Original[],
): Promise<BytesAnswer> {
  const files = originals.map((original): ArchivedFile => fileOf(deps, call, original))
  const { bytes: body, size } = await archiveOf(COLUMNS, files)
  try {
    await recordAll(deps, call, originals, 'resource.downloaded')
    request.signal.throwIfAborted()
  } catch (error) {
    body.destroy()
    throw error
  }
  return { status: 200, headers: { ...headersOf(deps.clock.now()), 'Content-Length': String(size) }, body }
}

function fileOf(deps: Deps, call: HttpCall, { evidence, resource }: Original): ArchivedFile {
  return {
    path: `files/${evidence.evidence_id}/${resource.resource_id}-${safeName(resource.name)}`,
    size: resource.length,
    sha256: resource.sha256,
    modified: new Date(resource.created_utc),
    described: [
      String(evidence.evidence_id),
      evidence.name,
      String(resource.resource_id),
      resource.name,
      evidence.start_utc,
    ],
    open: async () => {
      await requireDownload(deps, call, [evidence.evidence_id])
      const blob = await deps.store.open(resource.sha256)
      return blob.size === 0 ? Readable.from([]) : blob.stream(0, blob.size - 1)
    },
  }
}

async function recordAll(
  { ledger }: Deps,
  call: HttpCall,
  originals: readonly Original[],
  action: 'resource.downloaded' | 'resource.read',
): Promise<void> {
  for (let at = 0; at < originals.length; at += ENTRIES_AT_ONCE)
    await Promise.all(
      originals.slice(at, at + ENTRIES_AT_ONCE).map(({ evidence, resource }) =>
        ledger.record(call, {
          action,
          object: resourceObject(resource),
          sha256: resource.sha256,
          ...(action === 'resource.downloaded' ? { bytes: resource.length } : {}),
          detail: { evidenceId: String(evidence.evidence_id), range: null, archive: originals.length },
        }),
      ),
    )
}

function headersOf(now: number): Record<string, string> {
  const stamp = new Date(now).toISOString().slice(0, 19).replaceAll(':', '')
  return {
    'Content-Type': 'application/zip',
    'Content-Disposition': `attachment; filename="Evidence ${stamp}Z.zip"`,
    'Cache-Control': 'private, no-store',
  }
}
