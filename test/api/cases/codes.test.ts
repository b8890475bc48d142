import { expect, test } from 'vitest'
import { openApiDocument } from '../../../server/http/openapi.ts'
import { contractRoutes } from '../../../server/openapi.ts'
import { UNRAISED } from '../../../shared/kernel/unraised-errors.ts'

/** The possible error codes of a business exception, as interfaces.md 7 lists them. */
const BUSINESS_CODES = `AuditAccessNotValidated AzureConnectionStringInvalid CannotAssignCaseToDisabledCategory
  CannotAssignToDisabledDepartment CannotCreateCaseWithNoManageAccess CannotDisableADefaultDepartment
  CannotRemoveLastAccessPolicyWithFullPermissions CannotUpdateClosedCase CaseAlreadyDeleted CaseClosed CaseDeleted CaseNotDeleted
  CaseNotFound CaseNotInNormalState CaseNotProtected CaseNotUpToDate CaseProtected CategoryContainerAlreadyExists CategoryNotFound
  CategoryWithSameNameAlreadyExists ConcurrentWritingError DefaultDepartmentNotAssigned DefaultDepartmentNotFound
  DepartmentAlreadyExists DepartmentChangeCausesLossOfLastAccessPolicyWithFullPermissions DepartmentNameInvalid DepartmentNotFound
  DepartmentSelectionStrategyAmbiguous DepartmentWithoutManagePermission EvidenceDeleted EvidenceManageAccessNotValidated
  EvidenceNotFound EvidenceRelationsNotFound InvalidConcurrencyId InvalidDateTimeRange InvalidJsonWebKeys
  InvalidJsonWebKeyValidityPeriod InvalidLinkAction InvalidModel InvalidTenantSearchDatabase LoginException
  MinPolicyPermissionGuardViolation None PrincipalCannotAccessAuditTrail PrincipalCannotDownloadCase PrincipalCannotEditCase
  PrincipalCannotManageCase PrincipalCannotManageEvidence PrincipalCannotReadCase SearchNotAvailable SearchNotDeployed
  SearchVersionNotSupported SecurityPoliciesNotFound TenantAlreadyExists TenantAlreadyInTenantMap
  TenantGuestCannotUpdateAssignedPersonnel TenantNotFound TenantSearchDatabaseAlreadyDeployed TooManyAddedOrRemovedEvidencesAtOnce
  UnableToLoadUser Unknown UserCannotCreateCase UserCannotShareCase`.split(/\s+/)

test('every business error code is told by an operation, or listed in OpenAPI with the reason why none does', () => {
  const document = openApiDocument(contractRoutes(), '1') as unknown as {
    info: Record<string, unknown>
    paths: Record<string, Record<string, { responses: Record<string, { 'x-error-codes'?: string[] }> }>>
  }
  const told = new Set(
    Object.values(document.paths)
      .flatMap((item) => Object.values(item))
      .flatMap(({ responses }) => Object.values(responses).flatMap((response) => response['x-error-codes'] ?? [])),
  )
  expect(BUSINESS_CODES.filter((code) => !told.has(code)).sort()).toEqual(Object.keys(UNRAISED).sort())
  expect(document.info['x-unraised-error-codes']).toEqual(UNRAISED)
  for (const reason of Object.values(UNRAISED)) expect(reason).toMatch(/\.$/)
})
