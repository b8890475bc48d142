import { z } from 'zod'
import { ProtectCaseModel } from '../cases/case-acts.contract.ts'
import { Count, Cursor, IdMember, IdParam, page, TenantNameParams as Tenant } from '../kernel/fields.ts'
import { EvidenceRecord } from './records.contract.ts'
import { route } from '../kernel/route.ts'

/** What is done with whole evidence, in the style of cases: decisions 3, 4 and 6. */

const both = (path: string) => ({
  path: `/documentstore/api/v1/tenant/:tenantName${path}`,
  aliases: [`/api/v1/tenant/:tenantName${path}`] as const,
})
const EvidencePath = Tenant.extend({ evidenceId: IdParam })

export const ProtectEvidenceModel = z.object(ProtectCaseModel.shape).meta({ id: 'ProtectEvidenceModel' })

export const MoveEvidenceModel = z
  .object({ FromCaseId: IdMember, ToCaseId: IdMember })
  .refine(({ FromCaseId, ToCaseId }) => FromCaseId !== ToCaseId, {
    path: ['ToCaseId'],
    message: 'must be another case than FromCaseId',
  })
  .meta({ id: 'MoveEvidenceModel' })

const act = <const Action extends string>(name: string, summary: string, description: string, action: Action) =>
  ({
    interface: 'document',
    method: 'POST',
    ...both(`/evidence/:evidenceId/${name}`),
    origin: 'extension',
    summary,
    description,
    audit: { by: 'own', actions: [action] },
    params: EvidencePath,
    responses: { 200: EvidenceRecord },
  }) as const
const common = ['EvidenceNotFound', 'EvidenceDeleted', 'TenantNotFound', 'ReadOnly'] as const

export const protectEvidence = route({
  id: 'protectEvidence',
  ...act(
    'protect',
    'Protect an evidence from deletion',
    'Needs Manage and the policy ProtectFromDeletion. Edits go on; the protection ends by itself at Until.',
    'evidence.protected',
  ),
  permission: { kind: 'policy', policy: 'ProtectFromDeletion' },
  body: ProtectEvidenceModel,
  errors: ['InvalidModel', 'EvidenceNotInNormalState', ...common],
})

export const unprotectEvidence = route({
  id: 'unprotectEvidence',
  ...act(
    'unprotect',
    'Take the protection of an evidence away',
    'Needs Manage and the policy ProtectFromDeletion.',
    'evidence.unprotected',
  ),
  permission: { kind: 'policy', policy: 'ProtectFromDeletion' },
  errors: ['EvidenceNotProtected', ...common],
})

export const deleteEvidence = route({
  id: 'deleteEvidence',
  interface: 'document',
  method: 'DELETE',
  ...both('/evidence/:evidenceId'),
  origin: 'extension',
  summary: 'Delete an evidence',
  description:
    'Into the recycle bin: its bytes stay and are not given out, its cases go on naming it, and it takes no new files until it is restored. Needs Manage and the policy DeleteCasesAndFiles. What is protected, itself or by a case it is in, is not deleted.',
  permission: { kind: 'policy', policy: 'DeleteCasesAndFiles' },
  audit: { by: 'own', actions: ['evidence.deleted'] },
  params: EvidencePath,
  responses: { 200: EvidenceRecord },
  errors: [
    'EvidenceNotFound',
    'EvidenceAlreadyDeleted',
    'EvidenceProtected',
    'EvidenceDisclosed',
    'TenantNotFound',
    'ReadOnly',
  ],
})

export const restoreEvidence = route({
  id: 'restoreEvidence',
  ...act('restore', 'Restore a deleted evidence', 'Needs the policy RestoreFromRecycleBin alone.', 'evidence.restored'),
  permission: { kind: 'policy', policy: 'RestoreFromRecycleBin' },
  errors: ['EvidenceNotFound', 'EvidenceNotDeleted', 'TenantNotFound', 'ReadOnly'],
})

export const moveEvidence = route({
  id: 'moveEvidence',
  ...act(
    'move',
    'Move an evidence from one case to another',
    'One act: it leaves the one as it comes into the other, or neither happens; moving it back undoes it. Needs Edit on the evidence and on both cases, which are open. Only a link that somebody made is moved.',
    'evidence.moved',
  ),
  audit: { by: 'own', actions: ['evidence.moved', 'case.linked'] },
  permission: { kind: 'level', level: 'Edit', on: 'evidence' },
  body: MoveEvidenceModel,
  errors: ['InvalidModel', 'CaseClosed', 'InvalidLinkAction', ...common],
})

export const DuplicateModel = z
  .object({
    ResourceId: z.string().meta({ description: 'Of this evidence.' }),
    Sha256: z.string(),
    EvidenceId: z.string().meta({ description: 'The other one, as the members that follow.' }),
    EvidenceName: z.string(),
    OtherResourceId: z.string(),
    Name: z.string(),
    LengthInBytes: z.int(),
    UploadedTimeUtc: z.string().nullable(),
  })
  .meta({ id: 'EvidenceDuplicate' })

export const listDuplicates = route({
  id: 'listEvidenceDuplicates',
  interface: 'document',
  method: 'GET',
  ...both('/evidence/:evidenceId/duplicates'),
  origin: 'extension',
  summary: 'Files of other evidence that have the same bytes',
  description:
    'Recognised by their SHA-256, oldest first. Only in evidence that the caller can view; how many there are beside those is not told. A second copy is kept as an act of its own and never dropped.',
  permission: { kind: 'level', level: 'View', on: 'evidence' },
  audit: { by: 'read', action: 'evidence.duplicates', objectType: 'evidence', objectParam: 'evidenceId' },
  params: EvidencePath,
  query: z.object({ cursor: Cursor, count: Count(100) }),
  responses: { 200: page(DuplicateModel).meta({ id: 'EvidenceDuplicatePage' }) },
  errors: ['InvalidModel', 'EvidenceNotFound', 'TenantNotFound'],
})
