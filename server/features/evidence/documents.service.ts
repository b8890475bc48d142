import { fault } from '../../../shared/kernel/errors.ts'
import { type CustomField, misfits } from '../../../shared/templates/custom-fields.ts'
import type { Level } from '../../../shared/kernel/permissions.ts'
import type { Versions } from '../../kernel/versions/versions.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import type { Access } from '../../kernel/access/access.ts'
import { lastChecksOf } from '../../kernel/evidence/last-check.ts'
import type { NewEvidence, NewResource } from '../../kernel/evidence/model.ts'
import { evidenceObject, type Records, resourceObject } from '../../kernel/evidence/records.ts'
import {
  countOpenResources,
  type EvidenceRow,
  policiesOf,
  type ResourceRow,
  resourcesOf,
  tagsOf,
} from '../../kernel/evidence/records.store.ts'
import type { JobQueue } from '../../kernel/jobs/queue.ts'
import type { HttpCall } from '../../http/handlers.ts'
import { type EvidenceOut, evidenceModel, evidenceModelOfVersion } from './documents.models.ts'
import { type ResourceOut, resourceModel } from '../../kernel/evidence/resource-model.ts'
import { type LookAtEvidence, type ReachEvidence, resourceIn } from '../../kernel/evidence/reach.ts'
import { clockOf, factsOfClock } from '../../kernel/evidence/clocks.store.ts'
import { displayNameOf } from '../../kernel/evidence/display-names.store.ts'

/** At most so many open resources per evidence (decisions 6). */
const MOST_OPEN_RESOURCES = 5

/** What this interface needs of the upload protocol; app.ts supplies it. */
export interface UploadPort {
  /** Absolute and signed for 24 hours. */
  uri(origin: string, tenant: string, resourceId: number, principalId: string): string
  /**
   * Completes an open resource from its uploaded bytes. Idempotent: a complete resource is returned.
   * @throws Fault HashMismatch, DecryptionFailed, NothingUploaded, ResourceNotOpen, Forbidden
   */
  complete(
    call: Call,
    resource: ResourceRow,
    expected: { readonly sha256: string | null; readonly length: number | null },
  ): Promise<ResourceRow>
}

export interface CreateEvidence extends NewEvidence {
  readonly caseIds: readonly string[]
  /** Never kept; null: none was sent. */
  readonly deviceCredential: string | null
}

export interface DocumentsService {
  createEvidence(call: HttpCall, tenant: string, given: CreateEvidence): Promise<EvidenceOut>
  readEvidence(call: HttpCall, tenant: string, id: string, concurrencyId?: string): Promise<EvidenceOut>
  completeEvidence(call: HttpCall, tenant: string, id: string): Promise<EvidenceOut>
  createResource(
    call: HttpCall,
    tenant: string,
    evidenceId: string,
    given: NewResource,
    origin: string,
  ): Promise<ResourceOut & { UploadUri: string }>
  /** With the name of the evidence. */
  listResources(call: HttpCall, tenant: string, evidenceId: string): Promise<{ name: string; resources: ResourceOut[] }>
  readResource(call: HttpCall, tenant: string, evidenceId: string, resourceId: string): Promise<ResourceOut>
  renewUploadUri(
    call: HttpCall,
    tenant: string,
    evidenceId: string,
    resourceId: string,
    origin: string,
  ): Promise<ResourceOut & { UploadUri: string }>
  completeResource(
    call: HttpCall,
    tenant: string,
    evidenceId: string,
    resourceId: string,
    expected: { sha256: string | null; length: number | null },
  ): Promise<ResourceOut>
}

interface Deps {
  db: Database
  records: Records
  ledger: Ledger
  versions: Versions
  jobs: JobQueue
  uploads: UploadPort
  access: Pick<Access, 'asker' | 'onEvidence' | 'inherited'>
  /** IANA name, of the station. */
  timeZone: string
  reach: ReachEvidence
  look: LookAtEvidence
  /** Whether an id names a category of the case service. */
  categoryExists: (from: Tx, tenant: string, id: string) => Promise<boolean>
  /** Those of the template of evidence. */
  customFields: (from: Tx, tenant: string) => Promise<readonly CustomField[]>
  /**
   * Puts new evidence into cases, in its transaction. @returns the evidence as it is then
   * @throws Fault InvalidModel where an id names no case that the caller can view, or a closed one; Forbidden without Edit on one
   */
  linkNew: (tx: Tx, call: HttpCall, evidence: EvidenceRow, caseIds: readonly string[]) => Promise<EvidenceRow>
  /** Whether the credential is a current one of the device. */
  provesDevice: (
    from: Tx,
    device: { SerialNumber: string; Manufacturer: string },
    credential: string,
  ) => Promise<boolean>
  /** @throws Fault when the station takes no writes now, or no further bytes. */
  requireBytes: (bytes: number) => Promise<void>
}

export function createDocumentsService(deps: Deps): DocumentsService {
  const { db, records, ledger, versions, jobs, uploads, reach, look } = deps

  const evidenceOut = async (from: Tx, call: HttpCall, row: EvidenceRow, held: Level): Promise<EvidenceOut> => {
    const { evidence_id: id } = row
    const tags = await tagsOf(from, [id])
    return evidenceModel(
      row,
      tags.get(id) ?? [],
      await policiesOf(from, [id]),
      held,
      await deps.access.inherited(from, call.principal, [id]),
      await clockOf(from, id),
      await displayNameOf(deps, from, call.principal, row),
    )
  }
  const resourcesOut = async (tenant: string, rows: readonly ResourceRow[]): Promise<ResourceOut[]> => {
    const about = await jobs.ofSubjects(rows.map((row) => `resource:${row.resource_id}`))
    const checks = await lastChecksOf(db.read, rows)
    return rows.map((row) =>
      resourceModel(
        tenant,
        row,
        about.filter((job) => job.subject === `resource:${row.resource_id}`),
        checks.get(row.resource_id),
      ),
    )
  }
  const isProved = async (tx: Tx, device: NewEvidence['device'], credential: string | null): Promise<boolean> => {
    const { SerialNumber, Manufacturer } = device ?? { SerialNumber: null, Manufacturer: null }
    if (SerialNumber === null || Manufacturer === null || credential === null) return false
    return deps.provesDevice(tx, { SerialNumber, Manufacturer }, credential)
  }
  const withUri = (call: HttpCall, out: ResourceOut, origin: string, tenant: string) => ({
    ...out,
    UploadUri: uploads.uri(origin, tenant, Number(out.ResourceId), call.actor.id),
  })

  return {
    createEvidence: async (call, tenant, given) => {
      return db.transaction(async (tx) => {
        const { CategoryId: categoryId = null } = given
        refuseWhatIsNotThere(given, categoryId === null || (await deps.categoryExists(tx, tenant, categoryId)))
        const problems = misfits(await deps.customFields(tx, tenant), {}, given.CustomFields ?? {})
        if (problems.length > 0)
          throw fault('InvalidModel', 'Custom fields hold values that do not fit them.', problems)
        const level = given.caseIds.length === 0 ? 'Manage' : 'Edit'
        const { deviceCredential, caseIds, ...stated } = given
        const proved = await isProved(tx, stated.device, deviceCredential)
        const evidence = proved ? { ...stated, deviceIdentity: 'Credential' as const } : stated
        const made = await records.createEvidence(tx, call, tenant, evidence, level)
        const linked = await deps.linkNew(tx, call, made, caseIds)
        const held = await deps.access.onEvidence(tx, call.principal, linked.evidence_id)
        return call.rememberAnswer(tx, await evidenceOut(tx, call, linked, held))
      })
    },

    readEvidence: async (call, tenant, id, concurrencyId) => {
      const { evidence: row, held } = await reach(db.read, call, tenant, id, 'View')
      const today = await evidenceOut(db.read, call, row, held)
      if (concurrencyId === undefined || concurrencyId === row.concurrency_id) return today
      const version = await versions.find('evidence', row.evidence_id, concurrencyId)
      if (version === null) throw fault('InvalidConcurrencyId', 'concurrencyId names no version of this evidence.')
      return evidenceModelOfVersion(
        version.state,
        concurrencyId,
        tenant,
        today,
        await factsOfClock(db.read, row.evidence_id),
      )
    },

    completeEvidence: async (call, tenant, id) => {
      const before = await reach(db.read, call, tenant, id, 'Edit')
      if (isCompleted(before.evidence)) {
        // Nothing happens again, but the record is shown.
        await ledger.record(call, { action: 'evidence.read', object: evidenceObject(before.evidence) })
        return evidenceOut(db.read, call, before.evidence, before.held)
      }
      return db.transaction(async (tx) => {
        const { evidence: row, held } = await reach(tx, call, tenant, id, 'Edit')
        if (isCompleted(row)) return evidenceOut(tx, call, row, held)
        if ((await countOpenResources(tx, row.evidence_id)) > 0) {
          throw fault(
            'ResourceNotCompleted',
            'A resource of this evidence is still open. Complete it first; an open one that gets no bytes is removed after 24 hours.',
          )
        }
        return evidenceOut(tx, call, await records.completeEvidence(tx, call, row), held)
      })
    },

    createResource: async (call, tenant, evidenceId, given, origin) => {
      await deps.requireBytes(given.expectedLength ?? 0)
      return db.transaction(async (tx) => {
        const { evidence } = await reach(tx, call, tenant, evidenceId, 'Edit')
        if ((await countOpenResources(tx, evidence.evidence_id)) >= MOST_OPEN_RESOURCES) {
          throw fault(
            'TooManyOpenResources',
            `This evidence has ${MOST_OPEN_RESOURCES} open resources. Complete one before opening the next.`,
          )
        }
        const row = await records.createResource(tx, call, evidence, given)
        // The signed address does not lie in the database: a repeated call gets a fresh one.
        return withUri(call, await call.rememberAnswer(tx, resourceModel(tenant, row, [])), origin, tenant)
      })
    },

    listResources: async (call, tenant, evidenceId) => {
      const { evidence } = await reach(db.read, call, tenant, evidenceId, 'View')
      const out = await resourcesOut(tenant, await resourcesOf(db.read, evidence.evidence_id))
      return { name: evidence.name, resources: out }
    },

    readResource: async (call, tenant, evidenceId, resourceId) => {
      const { evidence } = await reach(db.read, call, tenant, evidenceId, 'View')
      return (await resourcesOut(tenant, [await resourceIn(db.read, evidence, resourceId)]))[0] as ResourceOut
    },

    renewUploadUri: async (call, tenant, evidenceId, resourceId, origin) => {
      const { evidence } = await reach(db.read, call, tenant, evidenceId, 'Edit')
      const row = await resourceIn(db.read, evidence, resourceId)
      if (row.state !== 'None')
        throw fault(
          'ResourceNotOpen',
          `Resource ${resourceId} is ${row.state === 'Failed' ? 'refused' : 'complete'} and takes no more bytes.`,
        )
      await ledger.record(call, { action: 'upload.renewed', object: resourceObject(row) })
      return withUri(call, resourceModel(tenant, row, []), origin, tenant)
    },

    completeResource: async (call, tenant, evidenceId, resourceId, expected) => {
      const { evidence, refusal } = await look(db.read, call, tenant, evidenceId, 'Edit')
      const row = await resourceIn(db.read, evidence, resourceId)
      // Of an open one completion judges, when the bytes are in: what came from whoever lost the right goes into quarantine (promise U7).
      if (row.state !== 'None' && refusal !== null) throw refusal
      const completed = await uploads.complete(call, row, expected)
      // One that somebody else completed meanwhile is given back to nobody who could not have done it.
      if (refusal !== null) throw refusal
      if (row.state === 'UserCompleted')
        await ledger.record(call, { action: 'resource.read', object: resourceObject(row) })
      return (await resourcesOut(tenant, [completed]))[0] as ResourceOut
    },
  }
}

/** By somebody: what the platform completed alone may still be completed by whoever knows that it is whole. */
const isCompleted = ({ state, unfinished }: EvidenceRow): boolean => state === 'UserCompleted' && unfinished === 0

function refuseWhatIsNotThere(given: CreateEvidence, categoryThere: boolean): void {
  const { StartTimeUtc: start = null, EndTimeUtc: end = null } = given
  if (!categoryThere)
    throw fault('InvalidModel', 'The evidence names a category that is not there.', [
      { Path: 'CategoryId', Message: `There is no category ${given.CategoryId}.` },
    ])
  if (start !== null && end !== null && end.ticks < start.ticks) {
    throw fault('InvalidDateTimeRange', 'EndTimeUtc lies before StartTimeUtc.', [
      { Path: 'EndTimeUtc', Message: 'must not be before StartTimeUtc' },
    ])
  }
}
