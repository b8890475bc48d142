/** One good call of each route of disclosure (promise I1). */
import { type Json, sha256Of } from '../../support/given.ts'
import { asChief, caseOf } from '../cases/acts.ts'
import type { Act, Expected, World } from '../documents/acts.ts'

export const DISCLOSURES = '/api/v1/tenant/station/disclosures'
export const GIVEN = {
  Recipient: { Name: 'A. Mercer', Role: 'prosecutor', Organisation: 'Mercer & Cole' },
  Authority: 'CPIA 1996, s. 3',
  Medium: 'handover',
}

export const DISCLOSURE_ACTS: Readonly<Record<string, (world: World) => Promise<Act> | Act>> = {
  listDisclosures: (world) =>
    ofRecord(world, ({ CaseId }) => ({
      call: () => asChief(world, 'GET', `${DISCLOSURES}/case/${CaseId}`),
      status: 200,
      entries: () => [['disclosure.listed', 'case', CaseId, { detail: { returned: 1, due: 0 } }]],
    })),
  createDisclosure: async (world) => {
    const { CaseId, EvidenceId } = await caseWithEvidence(world)
    return {
      call: () => asChief(world, 'POST', `${DISCLOSURES}/case/${CaseId}`, { ...GIVEN, EvidenceIds: [EvidenceId] }),
      status: 201,
      actor: 'chief',
      entries: ({ json }) => given(world, json, 'disclosure.given'),
    }
  },
  getDisclosure: (world) =>
    ofRecord(world, ({ CaseId }) => ({
      call: () => asChief(world, 'GET', `${DISCLOSURES}/case/${CaseId}/record/1`),
      status: 200,
      entries: () => [['disclosure.read', 'case', CaseId, { detail: { no: 1 } }]],
    })),
  supersedeDisclosure: (world) =>
    ofRecord(world, ({ CaseId, EvidenceId }) => ({
      call: () =>
        asChief(world, 'POST', `${DISCLOSURES}/case/${CaseId}/record/1/supersede`, {
          ...GIVEN,
          EvidenceIds: [EvidenceId],
          Reason: 'It was another disc',
        }),
      status: 201,
      entries: ({ json }) => given(world, json, 'disclosure.superseded', 'It was another disc'),
    })),
  acknowledgeDisclosure: (world) =>
    ofRecord(world, ({ CaseId, id }) => ({
      call: () =>
        asChief(world, 'POST', `${DISCLOSURES}/case/${CaseId}/record/1/acknowledge`, {
          By: 'A. Mercer',
          How: 'in-person',
          Witnesses: ['P. Lund', 'R. Adeyemi'],
        }),
      status: 200,
      entries: () => [['disclosure.acknowledged', 'disclosure', id()]],
    })),
  endDisclosureGround: async (world) => {
    const { CaseId, EvidenceId } = await caseWithEvidence(world)
    const line = { EvidenceId, Description: 'The yard', Ground: 'Not relevant', Basis: 'MG6C' }
    await world.given.expecting(
      201,
      asChief(world, 'POST', `${DISCLOSURES}/case/${CaseId}`, { ...GIVEN, Withheld: [line] }),
    )
    const id = newestOf(world)
    return {
      call: () =>
        asChief(world, 'POST', `${DISCLOSURES}/case/${CaseId}/record/1/end-ground`, {
          EvidenceId,
          Reason: 'It matters',
        }),
      status: 200,
      actor: 'chief',
      entries: () => [['disclosure.groundEnded', 'disclosure', id, { reason: 'It matters' }]],
    }
  },
  printDisclosureRecordSheet: (world) =>
    ofRecord(world, ({ CaseId }) => ({
      call: () => asChief(world, 'GET', `${DISCLOSURES}/case/${CaseId}/record-sheet?format=csv`),
      status: 200,
      entries: ({ bytes }) => [
        [
          'disclosure.printed',
          'case',
          CaseId,
          { bytes: bytes?.length ?? 0, sha256: sha256Of(bytes ?? new Uint8Array()) },
        ],
      ],
    })),
  printDisclosureReceipt: (world) => printed(world, 'receipt'),
  printSchedule: (world) => printed(world, 'schedule?schedule=list&format=csv'),
  listSupplementsDue: (world) => ({
    call: () => asChief(world, 'GET', `${DISCLOSURES}/due`),
    status: 200,
    actor: 'chief',
    entries: ({ json }) => [['list.read', 'disclosure', '', { detail: { due: true, returned: json.Items.length } }]],
  }),
  listRestrictions: async (world) => {
    const { EvidenceId } = await caseWithEvidence(world)
    return {
      call: () => asChief(world, 'GET', `${DISCLOSURES}/evidence/${EvidenceId}/restriction`),
      status: 200,
      actor: 'chief',
      entries: () => [['restriction.read', 'evidence', EvidenceId, { detail: { returned: 0 } }]],
    }
  },
  setRestriction: async (world) => {
    const { EvidenceId } = await caseWithEvidence(world)
    return {
      call: () => restrict(world, EvidenceId),
      status: 201,
      actor: 'chief',
      entries: () => [['restriction.set', 'evidence', EvidenceId, { reason: 'Names a witness' }]],
    }
  },
  liftRestriction: async (world) => {
    const { EvidenceId } = await caseWithEvidence(world)
    await world.given.expecting(201, restrict(world, EvidenceId))
    return {
      call: () =>
        asChief(world, 'POST', `${DISCLOSURES}/evidence/${EvidenceId}/restriction/lift`, {
          Kind: 'privileged',
          Reason: 'Waived',
        }),
      status: 200,
      actor: 'chief',
      entries: () => [['restriction.lifted', 'evidence', EvidenceId, { reason: 'Waived' }]],
    }
  },
}

const restrict = (world: World, EvidenceId: string) =>
  asChief(world, 'POST', `${DISCLOSURES}/evidence/${EvidenceId}/restriction`, {
    Kind: 'privileged',
    Reason: 'Names a witness',
  })

export const given = (
  world: World,
  { Items }: Json,
  action: string,
  reason: string | null = null,
): readonly Expected[] => [
  [action, 'disclosure', newestOf(world), { reason }],
  ...Items.map(({ ResourceId, Sha256 }: Json) => ['resource.disclosed', 'resource', ResourceId, { sha256: Sha256 }]),
]

/** Of the record that was made last. */
export const newestOf = ({ given: { database } }: World): string =>
  String(database((db) => db.prepare('SELECT max(disclosure_id) FROM disclosures').pluck().get()))

export async function caseWithEvidence(world: World): Promise<{ CaseId: string; EvidenceId: string }> {
  const { CaseId } = await caseOf(world)
  const { EvidenceId } = await world.given.expecting(
    201,
    asChief(world, 'POST', `${world.given.documents}/evidence`, { Name: 'Yard', CaseId }),
  )
  const { ResourceId, UploadUri } = await world.given.expecting(
    201,
    asChief(world, 'POST', `${world.given.documents}/evidence/${EvidenceId}/resource`, { Name: 'yard.txt' }),
  )
  await world.given.put(UploadUri, Buffer.from(`yard ${EvidenceId}`))
  await world.given.expecting(
    200,
    asChief(world, 'POST', `${world.given.documents}/evidence/${EvidenceId}/resource/${ResourceId}/complete`, {}),
  )
  await world.given.expecting(
    204,
    asChief(world, 'POST', `/api/v1/case/station/${CaseId}/link-evidences`, { Evidences: [{ EvidenceId }] }),
  )
  return { CaseId, EvidenceId }
}

async function ofRecord(
  world: World,
  act: (of: { CaseId: string; EvidenceId: string; id: () => string }) => Omit<Act, 'actor'>,
): Promise<Act> {
  const { CaseId, EvidenceId } = await caseWithEvidence(world)
  await world.given.expecting(
    201,
    asChief(world, 'POST', `${DISCLOSURES}/case/${CaseId}`, { ...GIVEN, EvidenceIds: [EvidenceId] }),
  )
  const id = newestOf(world)
  return { ...act({ CaseId, EvidenceId, id: () => id }), actor: 'chief' }
}

const printed = (world: World, rest: string): Promise<Act> =>
  ofRecord(world, ({ CaseId, id }) => ({
    call: () => asChief(world, 'GET', `${DISCLOSURES}/case/${CaseId}/record/1/${rest}`),
    status: 200,
    entries: ({ bytes }) => [
      [
        'disclosure.printed',
        'disclosure',
        id(),
        { bytes: bytes?.length ?? 0, sha256: sha256Of(bytes ?? new Uint8Array()) },
      ],
    ],
  }))
