import { asChief, caseOf } from '../cases/acts.ts'
import type { Json } from '../../support/given.ts'
import type { Act, World } from './acts.ts'

const CASES = '/api/v1/case/station'

const evidenceOf = (world: World, body: Json = {}): Promise<Json> =>
  world.given.expecting(201, asChief(world, 'POST', `${world.given.documents}/evidence`, { Name: 'Cell 4', ...body }))

/** An act on an evidence of the chief's, after others that make it possible. */
async function ofEvidence(
  world: World,
  action: string,
  [method, what, body]: readonly [method: string, what: string, body?: Json],
  before: readonly (readonly [method: string, what: string, body?: Json])[] = [],
  detail: Json = {},
): Promise<Act> {
  const { EvidenceId } = await evidenceOf(world)
  const place = `${world.given.documents}/evidence/${EvidenceId}`
  for (const [earlier, part, sent] of before)
    await world.given.expecting(200, asChief(world, earlier, `${place}${part}`, sent))
  return {
    call: () => asChief(world, method, `${place}${what}`, body),
    status: 200,
    actor: 'chief',
    entries: ({ json }) => [
      [
        action,
        'evidence',
        EvidenceId,
        {
          object: { type: 'evidence', id: EvidenceId, name: 'Cell 4' },
          detail: { ...detail, concurrencyId: json.ConcurrencyId },
        },
      ],
    ],
  }
}

/** One good call of each route about whole evidence and about the key of encrypted uploads (promise I1). */
export const EVIDENCE_ACTS: Readonly<Record<string, (world: World) => Promise<Act> | Act>> = {
  protectEvidence: (world) =>
    ofEvidence(world, 'evidence.protected', ['POST', '/protect', { Reason: 'Appeal' }], [], { reason: 'Appeal' }),
  unprotectEvidence: (world) =>
    ofEvidence(world, 'evidence.unprotected', ['POST', '/unprotect'], [['POST', '/protect', { Reason: 'Appeal' }]]),
  deleteEvidence: (world) => ofEvidence(world, 'evidence.deleted', ['DELETE', '']),
  restoreEvidence: (world) => ofEvidence(world, 'evidence.restored', ['POST', '/restore'], [['DELETE', '']]),
  moveEvidence: async (world) => {
    const from = await caseOf(world)
    const to = await caseOf(world)
    const { EvidenceId } = await evidenceOf(world, { CaseIds: [from.CaseId] })
    const versionOf = async (id: string): Promise<string> =>
      (await world.given.expecting(200, asChief(world, 'GET', `${CASES}/${id}`))).ConcurrencyId
    let left = ''
    let entered = ''
    return {
      call: async () => {
        const reply = await asChief(world, 'POST', `${world.given.documents}/evidence/${EvidenceId}/move`, {
          FromCaseId: from.CaseId,
          ToCaseId: to.CaseId,
        })
        left = await versionOf(from.CaseId)
        entered = await versionOf(to.CaseId)
        return reply
      },
      status: 200,
      actor: 'chief',
      entries: ({ json }) => [
        ['evidence.moved', 'evidence', EvidenceId, { detail: { concurrencyId: json.ConcurrencyId } }],
        ['case.linked', 'case', from.CaseId, { detail: { added: [], removed: [EvidenceId], concurrencyId: left } }],
        ['case.linked', 'case', to.CaseId, { detail: { added: [EvidenceId], removed: [], concurrencyId: entered } }],
      ],
    }
  },
  listEvidenceDuplicates: ({ given, photo }) => ({
    call: () => given.call('GET', `${given.documents}/evidence/${photo.evidenceId}/duplicates`),
    status: 200,
    entries: () => [
      [
        'evidence.duplicates',
        'evidence',
        photo.evidenceId,
        { object: { type: 'evidence', id: photo.evidenceId, name: 'Front desk' }, detail: { returned: 0 } },
      ],
    ],
  }),
  getEvidenceSuggestions: ({ given, photo }) => ({
    call: () => given.call('GET', `${given.documents}/evidence/${photo.evidenceId}/suggestions`),
    status: 200,
    entries: () => [
      [
        'evidence.suggestions',
        'evidence',
        photo.evidenceId,
        { object: { type: 'evidence', id: photo.evidenceId, name: 'Front desk' }, detail: { returned: 0 } },
      ],
    ],
  }),
  getTenantKey: ({ given }) => ({
    call: () => given.call('GET', '/keystore/api/v1/tenant/station/key'),
    status: 200,
    entries: ({ json }) => [
      ['tenantKey.read', 'key', json.kid, { object: { type: 'key', id: json.kid, name: 'tenant' } }],
    ],
  }),
}
