import { z } from 'zod'
import { CSV_RULES } from './csv.ts'
import { CaseListQuery } from '../cases/case-list.contract.ts'
import { IdParam, TenantNameParams, TenantParams } from './fields.ts'
import { CUSTODY_KINDS } from '../evidence/custody.contract.ts'
import { canBeSorted, listFilter, NOT_DELETED } from '../evidence/list.contract.ts'
import { route } from './route.ts'
import { suspiciousFilter } from '../identity/audit-trail.contract.ts'
import { USER_SERVICE } from '../identity/users.contract.ts'

/** Lists handed out as a file, whole: the caller's filter, the caller's rights. Extensions, each beside the list it belongs to. */

const both = (path: string) => ({
  path: `/documentstore/api/v1/tenant/:tenantName${path}`,
  aliases: [`/api/v1/tenant/:tenantName${path}`] as const,
})
const EvidencePath = TenantNameParams.extend({ evidenceId: IdParam })
const CasePath = TenantParams.extend({ caseId: IdParam })

const format = z
  .enum(['csv', 'json'])
  .optional()
  .meta({ description: 'Without it what Accept likes better, text/csv or application/json; else CSV.' })

const WRITTEN =
  'An entry of the ledger says that it began, and another, before its last bytes, how many rows and bytes were sent and their SHA-256.'
const base = {
  method: 'GET',
  origin: 'extension',
  audit: { by: 'own', actions: ['list.exportStarted', 'list.exported', 'list.read'] },
  offers: ['text/csv', 'application/json'],
  responses: { 200: 'bytes' },
} as const
const described = (more: string): string => `${more} ${WRITTEN} ${CSV_RULES}`.trim()

export const exportEvidenceList = route({
  ...base,
  id: 'exportEvidenceList',
  interface: 'document',
  ...both('/evidence/export'),
  summary: 'The list of evidence as a file',
  description: described('Filtered and sorted as the list is.'),
  permission: { kind: 'member', guests: true },
  params: TenantNameParams,
  query: z.object({ ...listFilter, format }).refine(canBeSorted, NOT_DELETED),
  errors: ['InvalidModel', 'TenantNotFound'],
})

export const exportCustody = route({
  ...base,
  id: 'exportCustody',
  interface: 'document',
  ...both('/evidence/:evidenceId/custody/export'),
  summary: 'What happened with an evidence as a file, newest first',
  description: described('JSON holds every entry with its stored bytes, from which the chain can be recomputed.'),
  permission: { kind: 'level', level: 'View', on: 'evidence' },
  params: EvidencePath,
  query: z.object({ kind: z.enum(CUSTODY_KINDS).default('all'), format }),
  errors: ['InvalidModel', 'EvidenceNotFound', 'TenantNotFound'],
})

export const exportEvidenceHistory = route({
  ...base,
  id: 'exportEvidenceHistory',
  interface: 'document',
  ...both('/evidence/:evidenceId/history/export'),
  summary: 'The versions of an evidence as a file, newest first',
  description: described('Who may read the history may take it along.'),
  permission: { kind: 'member', guests: false },
  params: EvidencePath,
  query: z.object({ format }),
  errors: ['InvalidModel', 'EvidenceNotFound', 'Forbidden', 'TenantNotFound'],
})

export const exportCaseList = route({
  ...base,
  id: 'exportCaseList',
  interface: 'case',
  path: '/api/v1/case/:tenantId/export',
  summary: 'The list of cases as a file',
  description: described('Filtered as the list is.'),
  permission: { kind: 'member', guests: true },
  params: TenantParams,
  query: CaseListQuery.omit({ cursor: true, count: true }).extend({ format }),
  errors: ['InvalidModel', 'TenantNotFound'],
})

export const exportCaseHistory = route({
  ...base,
  id: 'exportCaseHistory',
  interface: 'case',
  path: '/api/v1/case/:tenantId/:caseId/history/export',
  summary: 'The versions of a case as a file, newest first',
  description: described('Who may read the history may take it along.'),
  permission: { kind: 'member', guests: false },
  params: CasePath,
  query: z.object({ format }),
  errors: ['InvalidModel', 'CaseNotFound', 'CaseDeleted', 'TenantNotFound'],
})

export const exportSuspiciousActivity = route({
  ...base,
  id: 'exportSuspiciousActivity',
  interface: 'user',
  path: `${USER_SERVICE}/suspiciousActivity/export`,
  summary: 'Failed sign-ins, refused calls and the like as a file, newest first',
  description: described('Filtered as the list is.'),
  permission: { kind: 'policy', policy: 'AccessAuditTrail' },
  params: TenantParams,
  query: z.object({ ...suspiciousFilter, format }),
  errors: ['InvalidModel', 'TenantNotFound'],
})
