import { asChief } from '../cases/acts.ts'
import type { Act, World } from './acts.ts'

const TEMPLATES = '/customfieldservice/api/v1/template/station'

/** One good call of each route that changes an evidence, reads its history, or is about templates (promise I1). */
export const CHANGE_ACTS: Readonly<Record<string, (world: World) => Promise<Act> | Act>> = {
  patchEvidence: async ({ given }) => {
    const { EvidenceId } = await given.evidence()
    return {
      call: () =>
        given.call('PATCH', `${given.documents}/evidence/${EvidenceId}`, { body: { Name: 'Cell 2', Tags: ['night'] } }),
      status: 200,
      entries: ({ json }) => [
        [
          'evidence.changed',
          'evidence',
          EvidenceId,
          {
            object: { type: 'evidence', id: EvidenceId, name: 'Cell 2' },
            detail: { concurrencyId: json.ConcurrencyId, changed: ['Name', 'Tags'] },
          },
        ],
      ],
    }
  },
  getEvidenceHistory: async (world) => {
    const { given } = world
    const { EvidenceId } = await given.evidence()
    await given.call('PATCH', `${given.documents}/evidence/${EvidenceId}`, { body: { Name: 'Cell 3' } })
    return {
      call: () => asChief(world, 'GET', `${given.documents}/evidence/${EvidenceId}/history?count=1`),
      status: 200,
      actor: 'chief',
      entries: () => [
        [
          'evidence.history',
          'evidence',
          EvidenceId,
          { object: { type: 'evidence', id: EvidenceId, name: 'Cell 3' }, detail: { returned: 1 } },
        ],
      ],
    }
  },
  listTemplates: ({ given }) => ({
    call: () => given.call('GET', TEMPLATES),
    status: 200,
    entries: ({ json }) => [['list.read', 'template', '', { detail: { returned: json.length } }]],
  }),
  putTemplate: async (world) => {
    await asChief(world, 'PUT', TEMPLATES, { type: 'Case' })
    return {
      call: () => asChief(world, 'PUT', TEMPLATES, { type: 'Case', customFields: [{ name: 'Unit', type: 'Text' }] }),
      status: 200,
      actor: 'chief',
      entries: () => [
        [
          'template.changed',
          'template',
          'Case',
          {
            detail: {
              added: false,
              renamedFields: 0,
              customFields: 1,
              fieldsAdded: ['Unit'],
              fieldsRemoved: [],
              fieldsRetyped: [],
            },
          },
        ],
      ],
    }
  },
}
