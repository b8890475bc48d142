/**
 * Business error codes of interfaces.md 7 that no answer of this product carries, and why (decisions 2). Published in the OpenAPI
 * document as `x-unraised-error-codes`.
 */
const CLOUD = 'It tells of storage and search in a cloud; here everything lies in one database and on one disk.'
const LEDGER = 'The refusal is 403 without a body; this is its reason in the ledger.'

export const UNRAISED: Readonly<Record<string, string>> = {
  None: 'It is no error.',
  Unknown: 'What was not foreseen is 500 ServerError.',
  AuditAccessNotValidated: 'Whether somebody may read a history is settled in the call itself: 403.',
  EvidenceManageAccessNotValidated:
    'The level on evidence is settled in the call itself: PrincipalCannotManageEvidence.',
  MinPolicyPermissionGuardViolation: 'The guard tells CannotRemoveLastAccessPolicyWithFullPermissions.',
  LoginException: 'Signing in is a matter of the token service and of sessions, which have codes of their own.',
  SecurityPoliciesNotFound: 'Security policies are part of the product; there is none that could be missing.',
  DepartmentSelectionStrategyAmbiguous: 'There is one strategy: the department that is named, else the default one.',
  AzureConnectionStringInvalid: CLOUD,
  CategoryContainerAlreadyExists: CLOUD,
  InvalidTenantSearchDatabase: CLOUD,
  TenantSearchDatabaseAlreadyDeployed: CLOUD,
  SearchNotAvailable: CLOUD,
  SearchNotDeployed: CLOUD,
  SearchVersionNotSupported: CLOUD,
  TenantAlreadyExists: 'A station has the one tenant that it was set up with; no operation makes another.',
  TenantAlreadyInTenantMap: 'A station has the one tenant that it was set up with; no operation makes another.',
  PrincipalCannotAccessAuditTrail: LEDGER,
  PrincipalCannotReadCase: LEDGER,
  PrincipalCannotDownloadCase: 'Nothing of a case is downloaded by this version.',
  PrincipalCannotEditCase: LEDGER,
  PrincipalCannotManageCase: LEDGER,
  UserCannotCreateCase: LEDGER,
  UserCannotShareCase: LEDGER,
}
