/** One good call of each route of disposition and retention, with its entries (promise I1). */
import { openTestDatabase } from '../../support/rows.ts'
import { ageAccounts } from '../../support/accounts.ts'
import type { Json, Reply } from '../../support/given.ts'
import type { Act, World } from '../documents/acts.ts'
import { asChief } from '../cases/acts.ts'
import { pageOf } from '../sessions/acts.ts'
import { categoryOf, makeDue } from './queue.ts'

const BASE = '/api/v1/tenant/station/disposition'
const SOURCES = '/api/v1/tenant/station/retention/source'

export const DISPOSITION_ACTS: Readonly<Record<string, (world: World) => Promise<Act> | Act>> = {
  listDisposition: (world) => ({
    call: () => asChief(world, 'GET', `${BASE}?stage=RecycleBin`),
    status: 200,
    actor: 'chief',
    entries: () => [['list.read', 'disposition', '', { detail: { stage: 'RecycleBin', returned: 0 } }]],
  }),
  getDispositionFigures: (world) => ({
    call: () => asChief(world, 'GET', `${BASE}/figures`),
    status: 200,
    actor: 'chief',
    entries: () => [],
  }),
  previewDisposition: async (world) => {
    const item = await itemOf(world)
    return {
      call: () => asChief(world, 'POST', `${BASE}/preview`, { Items: [item] }),
      status: 200,
      actor: 'chief',
      entries: () => [['disposition.previewed', 'disposition', '', { detail: { items: [item], goes: 1, stays: 0 } }]],
    }
  },
  approveDisposition: async (world) => {
    const item = await itemOf(world)
    const { page } = await pageOf(world.given)
    await ageAccounts(world.given.file)
    const { PreviewId } = await world.given.expecting(200, asChief(world, 'POST', `${BASE}/preview`, { Items: [item] }))
    return {
      call: () =>
        world.given.call('POST', `${BASE}/approve`, { ...page, body: { Items: [item], Reason: 'Reached', PreviewId } }),
      status: 200,
      actor: 'sergeant',
      entries: () => [['disposition.approved', 'disposition', item]],
    }
  },
  keepInstead: async (world) => {
    const item = await itemOf(world)
    return {
      call: () => asChief(world, 'POST', `${BASE}/keep`, { Items: [item], Reason: 'An appeal', Days: 30 }),
      status: 200,
      actor: 'chief',
      entries: () => [['disposition.kept', 'disposition', item]],
    }
  },
  settleWithdrawnLinks: async (world) => {
    const { EvidenceId } = await world.given.evidence()
    return {
      call: () => asChief(world, 'POST', `${BASE}/evidence/${EvidenceId}/settle-links`, { Reason: 'Looked at it' }),
      status: 200,
      actor: 'chief',
      entries: () => [['link.settled', 'evidence', EvidenceId, { detail: { settled: 0, given: 'Looked at it' } }]],
    }
  },
  listCertificates: (world) => ({
    call: () => asChief(world, 'GET', `${BASE}/certificate?count=1`),
    status: 200,
    actor: 'chief',
    entries: ({ json }) => [['list.read', 'certificate', '', { detail: { returned: json.Items.length } }]],
  }),
  getCertificatePart: async (world) => {
    const id = await certificateIn(world)
    return {
      call: () => asChief(world, 'GET', `${BASE}/certificate/${id}/certificate.json`),
      status: 200,
      actor: 'chief',
      entries: () => [['certificate.read', 'certificate', id, { bytes: CERTIFICATE.length, sha256: 'a'.repeat(64) }]],
    }
  },
  listQuarantine: (world) => ({
    call: () => asChief(world, 'GET', `${BASE}/quarantine?count=1`),
    status: 200,
    actor: 'chief',
    entries: ({ json }) => [['list.read', 'quarantine', '', { detail: { returned: json.Items.length } }]],
  }),
  approveQuarantine: async (world) => {
    await ageAccounts(world.given.file)
    const { id, approve } = await quarantinedIn(world)
    return {
      call: approve,
      status: 200,
      actor: 'sergeant',
      entries: ({ json }) => [
        [
          'quarantine.approved',
          'quarantine',
          id,
          { sha256: json[0].Sha256, detail: { number: 1, given: 'Useless', coolingUntilUtc: null } },
        ],
      ],
    }
  },
  keepQuarantined: async (world) => {
    await ageAccounts(world.given.file)
    const { id, approve } = await quarantinedIn(world)
    await world.given.expecting(200, approve())
    return {
      call: () => asChief(world, 'POST', `${BASE}/quarantine/keep`, { Items: [id], Reason: 'An appeal' }),
      status: 200,
      actor: 'chief',
      entries: () => [['quarantine.kept', 'quarantine', id, { detail: { given: 'An appeal' } }]],
    }
  },
  listSourcePolicies: (world) => ({
    call: () => asChief(world, 'GET', SOURCES),
    status: 200,
    actor: 'chief',
    entries: ({ json }) => [['list.read', 'sourcePolicy', '', { detail: { returned: json.length } }]],
  }),
  createSourcePolicy: (world) => ({
    call: () => asChief(world, 'POST', SOURCES, given()),
    status: 201,
    actor: 'chief',
    entries: ({ json }) => [['sourcePolicy.created', 'sourcePolicy', json.SourcePolicyId]],
  }),
  updateSourcePolicy: async (world) => {
    const { SourcePolicyId, ConcurrencyId } = await sourceOf(world)
    return {
      call: () => asChief(world, 'PUT', `${SOURCES}/${SourcePolicyId}`, { ...given(), ConcurrencyId }),
      status: 200,
      actor: 'chief',
      entries: () => [['sourcePolicy.changed', 'sourcePolicy', SourcePolicyId]],
    }
  },
  deleteSourcePolicy: async (world) => {
    const { SourcePolicyId } = await sourceOf(world)
    return {
      call: () => asChief(world, 'DELETE', `${SOURCES}/${SourcePolicyId}`),
      status: 200,
      actor: 'chief',
      entries: () => [['sourcePolicy.deleted', 'sourcePolicy', SourcePolicyId]],
    }
  },
  previewRetention: (world) => ({
    call: () =>
      asChief(world, 'POST', '/api/v1/tenant/station/retention/preview', {
        Source: { SourceId: 'nobody', RetentionDays: 1 },
      }),
    status: 200,
    actor: 'chief',
    entries: () => [['retention.previewed', 'retention', '', { detail: { of: 'source', days: 1, becomeDue: 0 } }]],
  }),
}

const given = () => ({ Name: `Source ${Math.random()}`, DeviceType: 'Trainer', RetentionDays: 365 })
const sourceOf = (world: World): Promise<Json> => world.given.expecting(201, asChief(world, 'POST', SOURCES, given()))

/** Bytes that were refused when they were complete, and the first approval of their destruction. */
async function quarantinedIn(world: World): Promise<{ id: string; approve: () => Promise<Reply> }> {
  const { given } = world
  const { EvidenceId } = await given.evidence()
  const { ResourceId, UploadUri } = await given.resource(EvidenceId)
  await given.put(UploadUri, Buffer.from(`refused ${ResourceId}`))
  const place = `${given.documents}/evidence/${EvidenceId}/resource/${ResourceId}`
  await given.expecting(409, given.call('POST', `${place}/complete`, { body: { Sha256: 'a'.repeat(64) } }))
  const { Items } = await given.expecting(200, asChief(world, 'GET', `${BASE}/quarantine`))
  const id = Items.find((one: Json) => one.ResourceId === ResourceId).QuarantineId
  const { page } = await pageOf(given)
  const approve = () =>
    given.call('POST', `${BASE}/quarantine/approve`, { ...page, body: { Items: [id], Reason: 'Useless' } })
  return { id, approve }
}

/** An item of one evidence. */
async function itemOf(world: World): Promise<string> {
  const { CategoryId } = await categoryOf(world.given, world.admin, 1)
  const { EvidenceId } = await world.given.evidence({ CategoryId })
  const [item] = await makeDue(world.given, [EvidenceId])
  if (item === undefined) throw new Error('the evidence did not come into the queue')
  return item
}

/** What a list of certificates reads of each. */
const CERTIFICATE = Buffer.from(
  JSON.stringify({
    rule: { kind: 'Category', id: '1', name: 'Traffic', days: 1 },
    evidence: { name: 'Front desk' },
    cases: [],
    approvals: [],
  }),
)

/** As destruction leaves one; making one takes days (test/disposition). */
async function certificateIn({ given: { file, evidence } }: World): Promise<string> {
  const { EvidenceId } = await evidence()
  const db = await openTestDatabase({ file })
  const row = await db.transaction((tx) =>
    tx
      .insertInto('certificates')
      .values({
        tenant_id: 'station',
        evidence_id: Number(EvidenceId),
        body: CERTIFICATE,
        sha256: 'a'.repeat(64),
        signature: Buffer.alloc(64),
        public_key: Buffer.alloc(32),
        files: 0,
        bytes: 0,
        created_utc: '2026-11-20T03:00:00.000Z',
      })
      .returning('certificate_id')
      .executeTakeFirstOrThrow(),
  )
  await db.close()
  return String(row.certificate_id)
}
