import type { Act, World } from './acts.ts'

/** Of the routes that the window's custody panel, *check now* and filters ask: one good call each, with its entries. */
export const WINDOW_ACTS: Readonly<Record<string, (world: World) => Promise<Act> | Act>> = {
  listTags: ({ given }) => ({
    call: () => given.call('GET', `${given.documents}/tag?text=n&count=5`),
    status: 200,
    entries: ({ json }) => [['list.read', 'tag', '', { detail: { text: 'n', count: 5, returned: json.length } }]],
  }),
  listEvidenceFacet: ({ given }) => ({
    call: () => given.call('GET', `${given.documents}/facet/type?tag=none`),
    status: 200,
    entries: ({ json }) => [
      ['list.read', 'evidence', '', { detail: { tag: ['none'], facet: 'type', returned: json.Values.length } }],
    ],
  }),
  getCustody: ({ given, photo }) => ({
    call: () => given.call('GET', `${given.documents}/evidence/${photo.evidenceId}/custody?kind=changes&count=3`),
    status: 200,
    entries: () => [
      [
        'ledger.read',
        'evidence',
        photo.evidenceId,
        {
          object: { type: 'evidence', id: photo.evidenceId, name: 'Front desk' },
          detail: { kind: 'changes', count: 3, returned: 3 },
        },
      ],
    ],
  }),
  verifyCustody: ({ given, photo }) => ({
    call: () => given.call('POST', `${given.documents}/evidence/${photo.evidenceId}/custody/verify`),
    status: 200,
    entries: ({ json }) => [
      [
        'custody.verified',
        'evidence',
        photo.evidenceId,
        { detail: { fromSeq: json.FromSeq, toSeq: json.ToSeq, checked: json.Checked, firstBad: null } },
      ],
    ],
  }),
  checkResource: async ({ given }) => {
    const { evidenceId, resourceId } = await given.completed(Buffer.from('to be checked'))
    return {
      call: () => given.call('POST', `${given.documents}/evidence/${evidenceId}/resource/${resourceId}/check`),
      status: 202,
      entries: () => [['check.requested', 'resource', resourceId, { detail: { evidenceId, resources: [resourceId] } }]],
    }
  },
  checkEvidence: async ({ given }) => {
    const { evidenceId, resourceId } = await given.completed(Buffer.from('to be checked too'))
    return {
      call: () => given.call('POST', `${given.documents}/evidence/${evidenceId}/check`),
      status: 202,
      entries: () => [['check.requested', 'evidence', evidenceId, { detail: { evidenceId, resources: [resourceId] } }]],
    }
  },
}
