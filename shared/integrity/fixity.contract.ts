import { z } from 'zod'
import { IdParam, TenantNameParams as Tenant } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'

/** *Check now*: stored bytes are read back from the disk and hashed again (promise I5), an extension. */

const both = (path: string) => ({
  path: `/documentstore/api/v1/tenant/:tenantName${path}`,
  aliases: [`/api/v1/tenant/:tenantName${path}`] as const,
})
const EvidencePath = Tenant.extend({ evidenceId: IdParam })
const view = { kind: 'level', level: 'View', on: 'evidence' } as const

export const checkResource = route({
  id: 'checkResource',
  interface: 'document',
  method: 'POST',
  ...both('/evidence/:evidenceId/resource/:resourceId/check'),
  origin: 'extension',
  summary: 'Read the bytes of a resource back from the disk and compare their hash',
  description:
    'A job does it; what it found is `LastCheck` of the resource and an entry of the ledger. While one is on its way, that one is answered.',
  permission: view,
  audit: { by: 'own', actions: ['check.requested'] },
  params: EvidencePath.extend({ resourceId: IdParam }),
  responses: { 202: z.object({ JobId: z.string() }).meta({ id: 'CheckStarted' }) },
  errors: [
    'EvidenceNotFound',
    'ResourceNotFound',
    'ResourceNotCompleted',
    'OriginalForwarded',
    'TenantNotFound',
    'ReadOnly',
  ],
})

export const checkEvidence = route({
  id: 'checkEvidence',
  interface: 'document',
  method: 'POST',
  ...both('/evidence/:evidenceId/check'),
  origin: 'extension',
  summary: 'Read the bytes of every completed resource of an evidence back from the disk',
  permission: view,
  audit: { by: 'own', actions: ['check.requested'] },
  params: EvidencePath,
  responses: { 202: z.object({ JobIds: z.array(z.string()) }).meta({ id: 'ChecksStarted' }) },
  errors: ['EvidenceNotFound', 'TenantNotFound', 'ReadOnly'],
})
