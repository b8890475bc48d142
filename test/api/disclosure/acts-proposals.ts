/** One good call of each route of proposals and requests for disclosure (promise I1). */
import { ageAccounts } from '../../support/accounts.ts'
import { asChief } from '../cases/acts.ts'
import type { Act, Expected, World } from '../documents/acts.ts'
import { pageOf } from '../sessions/acts.ts'
import { caseWithEvidence, DISCLOSURES, GIVEN, given } from './acts.ts'

interface OfProposal {
  readonly CaseId: string
  readonly place: string
  readonly id: string
  readonly no: number
}

export const PROPOSAL_ACTS: Readonly<Record<string, (world: World) => Promise<Act> | Act>> = {
  proposeDisclosure: async (world) => {
    const { CaseId, EvidenceId } = await caseWithEvidence(world)
    return {
      call: () =>
        asChief(world, 'POST', `${DISCLOSURES}/case/${CaseId}/proposal`, { ...GIVEN, EvidenceIds: [EvidenceId] }),
      status: 201,
      actor: 'chief',
      entries: () => [['disclosure.proposed', 'disclosureProposal', newest(world)]],
    }
  },
  getDisclosureProposal: (world) =>
    ofProposal(world, ({ CaseId, place, no }) => ({
      call: () => asChief(world, 'GET', place),
      status: 200,
      entries: () => [['disclosure.read', 'case', CaseId, { detail: { proposal: no } }]],
    })),
  decideDisclosureProposal: async (world) => {
    const proposed = await propose(world)
    const by = await manager(world, proposed.CaseId)
    return {
      call: () =>
        world.given.call('POST', `${proposed.place}/decide`, {
          ...by,
          body: { Decision: 'Refuse', Reason: 'Too much' },
        }),
      status: 200,
      actor: 'sergeant',
      entries: () => [['disclosure.refused', 'disclosureProposal', proposed.id, { reason: 'Too much' }]],
    }
  },
  withdrawDisclosureProposal: (world) =>
    ofProposal(world, ({ place, id }) => ({
      call: () => asChief(world, 'POST', `${place}/withdraw`),
      status: 200,
      entries: () => [['disclosure.withdrawn', 'disclosureProposal', id]],
    })),
  giveApprovedDisclosure: async (world) => {
    const { CaseId, place } = await propose(world)
    const by = await manager(world, CaseId)
    await world.given.expecting(
      200,
      world.given.call('POST', `${place}/decide`, { ...by, body: { Decision: 'Approve' } }),
    )
    return {
      call: () => asChief(world, 'POST', `${place}/give`, {}),
      status: 201,
      actor: 'chief',
      entries: ({ json }): readonly Expected[] => given(world, json, 'disclosure.given'),
    }
  },
  recordDisclosureRequest: async (world) => {
    const { CaseId } = await caseWithEvidence(world)
    return {
      call: () => asChief(world, 'POST', `${DISCLOSURES}/case/${CaseId}/request`, ASKED),
      status: 201,
      actor: 'chief',
      entries: () => [['disclosure.asked', 'disclosureRequest', newest(world, 'request')]],
    }
  },
  closeDisclosureRequest: async (world) => {
    const { CaseId } = await caseWithEvidence(world)
    const place = `${DISCLOSURES}/case/${CaseId}/request`
    const { No } = await world.given.expecting(201, asChief(world, 'POST', place, ASKED))
    const id = newest(world, 'request')
    return {
      call: () => asChief(world, 'POST', `${place}/${No}/close`, { Reason: 'Withdrawn' }),
      status: 200,
      actor: 'chief',
      entries: () => [['disclosure.askedClosed', 'disclosureRequest', id, { reason: 'Withdrawn' }]],
    }
  },
}

const ASKED = { Recipient: GIVEN.Recipient, What: 'All recordings' }

const newest = ({ given: { database } }: World, what: 'proposal' | 'request' = 'proposal'): string =>
  String(database((db) => db.prepare(`SELECT max(${what}_id) FROM disclosure_${what}s`).pluck().get()))

async function propose(world: World): Promise<OfProposal> {
  const { CaseId, EvidenceId } = await caseWithEvidence(world)
  const place = `${DISCLOSURES}/case/${CaseId}/proposal`
  const { No } = await world.given.expecting(
    201,
    asChief(world, 'POST', place, { ...GIVEN, EvidenceIds: [EvidenceId] }),
  )
  return { CaseId, place: `${place}/${No}`, id: newest(world), no: No }
}

const ofProposal = async (world: World, act: (of: OfProposal) => Omit<Act, 'actor'>): Promise<Act> => ({
  ...act(await propose(world)),
  actor: 'chief',
})

/** Somebody who manages the case, and whose account is theirs alone. */
async function manager(world: World, caseId: string): Promise<Awaited<ReturnType<typeof pageOf>>['page']> {
  const { page, id } = await pageOf(world.given)
  await ageAccounts(world.given.file)
  const { KId } = await world.given.expecting(
    200,
    world.given.call('GET', `/userservice/api/v1/tenant/station/users/${id}`, page),
  )
  const policy = { Permissions: 'Manage', PrincipalId: id, KId, PrincipalType: 'user' }
  await world.given.expecting(
    200,
    asChief(world, 'POST', `/api/v1/case/station/${caseId}/share`, { AccessPolicies: [policy] }),
  )
  return page
}
