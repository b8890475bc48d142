import { z } from 'zod'
import { AccessPolicyModel, CaseModel } from './contract.ts'
import { IdParam, TenantParams as Tenant, text, UtcTime } from '../kernel/fields.ts'
import type { Action } from '../kernel/ledger-actions.ts'
import { route } from '../kernel/route.ts'

/** Sharing a case, protecting, deleting and restoring it: interfaces.md 4, decisions 3 and 4. */

const CasePath = Tenant.extend({ caseId: IdParam })

export const LONGEST_MESSAGE = 4096
export const ShareCaseModel = z
  .object({
    AccessPolicies: z.array(AccessPolicyModel).min(1, 'must name somebody').max(1000),
    ExpirationDateUtc: UtcTime.nullish().meta({ description: 'For all that are added or raised.' }),
    Message: text(LONGEST_MESSAGE).nullish().meta({ description: 'Goes to the notices of those it is shared with.' }),
  })
  .meta({ id: 'ShareCaseModel' })

/** Of a reason. */
export const LONGEST_REASON = 4096

export const ProtectCaseModel = z
  .object({
    Until: UtcTime.nullish().meta({ description: 'When the protection ends by itself.' }),
    Reason: text(LONGEST_REASON).refine((reason) => reason.trim() !== '', 'must say why'),
  })
  .meta({ id: 'ProtectCaseModel' })

const common = ['CaseNotFound', 'CaseDeleted', 'TenantNotFound', 'ReadOnly'] as const

export const shareCase = route({
  id: 'shareCase',
  interface: 'case',
  method: 'POST',
  path: '/api/v1/case/:tenantId/:caseId/share',
  origin: 'specification',
  summary: 'Share a case',
  description:
    'Adds or raises, never lowers. Needs Manage; with the policy ShareCases, whoever can view the case shares it at most at Download, and neither with themselves nor with a group they are in. A guest with Manage shares below Manage.',
  permission: { kind: 'level', level: 'View', on: 'case' },
  audit: { by: 'own', actions: ['case.shared'] },
  params: CasePath,
  body: ShareCaseModel,
  responses: { 200: CaseModel },
  errors: ['InvalidModel', 'UnableToLoadUser', ...common],
})

const act = (name: string, summary: string, description: string, action: Action) =>
  ({
    interface: 'case',
    method: 'POST',
    path: `/api/v1/case/:tenantId/:caseId/${name}`,
    origin: 'extension',
    summary,
    description,
    audit: { by: 'own', actions: [action] },
    params: CasePath,
    responses: { 200: CaseModel },
  }) as const

export const protectCase = route({
  id: 'protectCase',
  ...act(
    'protect',
    'Protect a case and its evidence from deletion',
    'Needs Manage and the policy ProtectFromDeletion. Edits go on.',
    'case.protected',
  ),
  permission: { kind: 'policy', policy: 'ProtectFromDeletion' },
  body: ProtectCaseModel,
  errors: ['InvalidModel', 'CaseNotInNormalState', ...common],
})

export const unprotectCase = route({
  id: 'unprotectCase',
  ...act(
    'unprotect',
    'Take the protection of a case away',
    'Needs Manage and the policy ProtectFromDeletion.',
    'case.unprotected',
  ),
  permission: { kind: 'policy', policy: 'ProtectFromDeletion' },
  errors: ['CaseNotProtected', ...common],
})

export const restoreCase = route({
  id: 'restoreCase',
  ...act(
    'restore',
    'Restore a deleted case',
    'Needs the policy RestoreFromRecycleBin alone. The evidence that was deleted with it is restored with it.',
    'case.restored',
  ),
  audit: { by: 'own', actions: ['case.restored', 'evidence.restored'] },
  permission: { kind: 'policy', policy: 'RestoreFromRecycleBin' },
  errors: ['CaseNotFound', 'CaseNotDeleted', 'TenantNotFound', 'ReadOnly'],
})

export const deleteCase = route({
  id: 'deleteCase',
  interface: 'case',
  method: 'DELETE',
  path: '/api/v1/case/:tenantId/:caseId',
  origin: 'extension',
  summary: 'Delete a closed case',
  description:
    'Into the recycle bin; its evidence stays. Needs Manage and the policy DeleteCasesAndFiles. With `withFiles` the evidence that somebody put into this case and that is in no other one goes with it, and is restored with it; when any of that is protected nothing is deleted.',
  permission: { kind: 'policy', policy: 'DeleteCasesAndFiles' },
  audit: { by: 'own', actions: ['case.deleted', 'evidence.deleted'] },
  params: CasePath,
  query: z.object({ withFiles: z.enum(['true', 'false']).optional() }),
  responses: { 200: CaseModel },
  errors: [
    'InvalidModel',
    'CaseNotFound',
    'CaseAlreadyDeleted',
    'CaseNotInNormalState',
    'CaseProtected',
    'EvidenceProtected',
    'EvidenceDisclosed',
    'TenantNotFound',
    'ReadOnly',
  ],
})
