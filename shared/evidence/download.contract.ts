import { z } from 'zod'
import { IdParam, TenantNameParams } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'

/** Originals of several evidences in one file. An extension: the interfaces give out one resource at a time. */

/** So many evidences at once; their ids stand in the address. */
export const MOST_DOWNLOADED = 500

const Ids = z
  .union([
    z.array(IdParam).max(MOST_DOWNLOADED, `must not be given more than ${MOST_DOWNLOADED} times`),
    IdParam.transform((id) => [id]),
  ])
  .meta({ override: { type: 'array', items: { type: 'string', pattern: '^[0-9]{1,19}$' }, maxItems: MOST_DOWNLOADED } })

export const downloadOriginals = route({
  id: 'downloadOriginals',
  interface: 'document',
  method: 'GET',
  path: '/documentstore/api/v1/tenant/:tenantName/evidence/download',
  aliases: ['/api/v1/tenant/:tenantName/evidence/download'],
  origin: 'extension',
  summary: 'The originals of several evidences as one ZIP file with a manifest',
  description:
    'All or nothing: Download is needed on each. Files are stored, not compressed, as files/EVIDENCE/RESOURCE-NAME with safe names. manifest.csv names each as it was called, with its length and SHA-256; `sha256sum -c sha256.txt` checks all of them. A file whose bytes are not those of its hash ends the answer before it is whole. Each original is an entry of the ledger before the first byte goes out.',
  permission: { kind: 'member', guests: true },
  audit: { by: 'own', actions: ['resource.downloaded', 'resource.read'] },
  params: TenantNameParams,
  query: z.object({ id: Ids }),
  responses: { 200: 'bytes' },
  errors: [
    'InvalidModel',
    'EvidenceNotFound',
    'EvidenceDeleted',
    'Forbidden',
    'ResourceNotCompleted',
    'OriginalForwarded',
    'TenantNotFound',
  ],
})
