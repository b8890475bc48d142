import type { Given, Json } from '../../support/given.ts'
import { asChief } from '../cases/acts.ts'
import type { Act, World } from '../documents/acts.ts'

const PLACE = '/api/v1/tenant/station/headquarters'
const ITSELF = 'itself'

/** One good call of each route of forwarding (promise I1). The station is its own headquarters, and paused. */
export const FORWARDING_ACTS: Readonly<Record<string, (world: World) => Promise<Act> | Act>> = {
  getHeadquarters: (world) => ({
    call: () => asChief(world, 'GET', PLACE),
    status: 200,
    actor: 'chief',
    entries: ({ json }) => [['headquarters.read', 'headquarters', 'station', { detail: { state: json.State } }]],
  }),
  importHeadquarters: async (world) => {
    const connection = await world.given.integration(`${ITSELF} ${Math.random()}`)
    return {
      call: () => asChief(world, 'PUT', `${PLACE}/connection`, { Connection: connection }),
      status: 200,
      actor: 'chief',
      entries: ({ json }) => [
        [
          'headquarters.imported',
          'headquarters',
          'station',
          { detail: { clientId: json.ClientId, tenant: 'station' } },
        ],
      ],
    }
  },
  putForwardingRules: async (world) => {
    await connected(world)
    return {
      call: () => asChief(world, 'PUT', `${PLACE}/rules`, { Paused: true, InCase: true }),
      status: 200,
      actor: 'chief',
      entries: ({ json }) => [['headquarters.rulesChanged', 'headquarters', 'station', { detail: json.Rules }]],
    }
  },
  testHeadquarters: async (world) => {
    await connected(world)
    return {
      call: () => asChief(world, 'POST', `${PLACE}/test`),
      status: 200,
      actor: 'chief',
      entries: () => [['headquarters.tested', 'headquarters', 'station']],
    }
  },
  removeHeadquarters: async (world) => {
    await connected(world)
    return {
      call: () => asChief(world, 'DELETE', `${PLACE}/connection`),
      status: 204,
      actor: 'chief',
      entries: () => [['headquarters.removed', 'headquarters', 'station']],
    }
  },
  listForwarding: (world) => ({
    call: () => asChief(world, 'GET', `${PLACE}/item?state=failed`),
    status: 200,
    actor: 'chief',
    entries: ({ json }) => [
      ['list.read', 'forwarding', '', { detail: { returned: json.Items.length, state: 'failed' } }],
    ],
  }),
  retryForwarding: async (world) => {
    await connected(world)
    const evidenceId = await failedItem(world.given)
    return {
      call: () => asChief(world, 'POST', `${PLACE}/item/${evidenceId}/retry`),
      status: 204,
      actor: 'chief',
      entries: () => [['forwarding.retried', 'evidence', evidenceId]],
    }
  },
  listForwardingQuestions: (world) => ({
    call: () => asChief(world, 'GET', `${PLACE}/question`),
    status: 200,
    actor: 'chief',
    entries: ({ json }) => [['list.read', 'forwardingQuestion', '', { detail: { returned: json.length } }]],
  }),
  settleForwardingQuestion: async (world) => {
    await connected(world)
    const evidenceId = await failedItem(world.given)
    const question = await write(
      world.given,
      `INSERT INTO forwarding_questions (tenant_id, evidence_id, fields, asked_utc) VALUES ('station', ?, '[{"Field":"Description","Ours":"a","Theirs":"b","Value":"b"}]', '2026-11-20T00:00:00Z')`,
      Number(evidenceId),
    )
    return {
      call: () => asChief(world, 'POST', `${PLACE}/question/${question}/settle`, { Keep: 'ours' }),
      status: 204,
      actor: 'chief',
      entries: () => [
        ['forwarding.questionSettled', 'evidence', evidenceId, { detail: { kept: 'ours', fields: ['Description'] } }],
      ],
    }
  },
  getEvidenceForwarding: ({ given, photo }) => ({
    call: () => given.call('GET', `${given.documents}/evidence/${photo.evidenceId}/forwarding`),
    status: 200,
    entries: ({ json }) => [
      ['evidence.forwardingRead', 'evidence', photo.evidenceId, { detail: { state: json.State } }],
    ],
  }),
  forwardEvidence: async (world) => {
    await connected(world)
    const { given } = world
    const evidenceId = await complete(given)
    return {
      call: () => given.call('POST', `${given.documents}/evidence/${evidenceId}/forward`),
      status: 202,
      entries: () => [['forwarding.requested', 'evidence', evidenceId]],
    }
  },
  fetchOriginal: async (world) => {
    await connected(world)
    const { given } = world
    const { evidenceId, resourceId, sha256 } = await given.completed(Buffer.from(`forwarded ${Math.random()}`))
    // A receipt of another headquarters: nothing is fetched from there.
    await given.meddle((db) => {
      db.prepare(
        "INSERT INTO forwarding_receipts (resource_id, evidence_id, sha256, length, address, remote_tenant, remote_evidence_id, remote_resource_id, confirmed_utc) VALUES (?, ?, ?, 10, 'https://elsewhere.example', 'station', '1', '1', '2026-11-20T00:00:00Z')",
      ).run(Number(resourceId), Number(evidenceId), sha256)
      db.prepare(
        "INSERT INTO forwarded_blobs (sha256, length, resource_id, cleared_utc, removed) VALUES (?, 10, ?, '2026-11-20T00:00:00Z', 1)",
      ).run(sha256, Number(resourceId))
    })
    return {
      call: async () => {
        const reply = await given.call('POST', `${given.documents}/evidence/${evidenceId}/resource/${resourceId}/fetch`)
        await given.meddle((db) => void db.prepare('DELETE FROM forwarded_blobs WHERE sha256 = ?').run(sha256))
        return reply
      },
      status: 202,
      entries: () => [
        [
          'resource.fetchRequested',
          'resource',
          resourceId,
          { detail: { evidenceId, address: 'https://elsewhere.example' } },
        ],
      ],
    }
  },
}

async function connected(world: World): Promise<void> {
  const connection = await world.given.integration(`${ITSELF} ${Math.random()}`)
  await world.given.expecting(200, asChief(world, 'PUT', `${PLACE}/connection`, { Connection: connection }))
  await world.given.expecting(200, asChief(world, 'PUT', `${PLACE}/rules`, { Paused: true }))
}

async function complete(given: Given): Promise<string> {
  const { evidenceId } = await given.completed(Buffer.from(`forwarded ${Math.random()}`))
  await given.expecting(200, given.call('POST', `${given.documents}/evidence/${evidenceId}/complete`, { body: {} }))
  return evidenceId
}

async function failedItem(given: Given): Promise<string> {
  const evidenceId = await complete(given)
  const sent: Json = {
    Name: 'Front desk',
    Description: null,
    Tags: [],
    Category: null,
    StartTimeUtc: null,
    EndTimeUtc: null,
    LocationText: null,
    LocationWKT: null,
    CustomFields: {},
  }
  await write(
    given,
    "INSERT INTO forwarding_items (evidence_id, tenant_id, state, ground, created_at, bytes, queued_at, sent) VALUES (?, 'station', 'failed', 'everything', 1, 10, 1, ?)",
    Number(evidenceId),
    JSON.stringify(sent),
  )
  return evidenceId
}

/** @returns the id of the new row */
const write = ({ meddle }: Given, sql: string, ...values: unknown[]): Promise<number> =>
  meddle((db) => Number(db.prepare(sql).run(...values).lastInsertRowid))
