/** The operations that are driven, as interfaces.md 4 and 5 and decisions 6, 7 and 9 name and place them. */

export type Service = 'cad' | 'case' | 'device' | 'document' | 'blob' | 'key' | 'search' | 'template' | 'token'

export interface Operation {
  readonly service: Service
  readonly method: string
  /** After the base address of the service; `{tenant}` is filled from the connection file. */
  readonly path: string
  /** Where it is specified; a call that shows a rule from elsewhere names its own. */
  readonly section: string
  /** The security policy that the caller needs (decisions 3): without it a 403 is no failure. */
  readonly needs?: string
}

const CASE = '/case/{tenant}/{caseId}'
const CATEGORY = '/category/{tenant}'
const DEPARTMENT = '/department/{tenant}'
const FIELD = '/prefilledfields/{tenant}'
const EVIDENCE = '/tenant/{tenant}/evidence/{evidenceId}'
const RESOURCE = `${EVIDENCE}/resource/{resourceId}`

const on =
  (service: Service, section: string) =>
  (method: string, path: string, needs?: string): Operation => ({
    service,
    section,
    method,
    path,
    ...(needs === undefined ? {} : { needs }),
  })
const cases = on('case', 'interfaces 4')
const named = on('document', 'interfaces 4.3')
const documents = on('document', 'decisions 6')
const blobs = on('blob', 'decisions 6, UploadUri')
const contents = on('document', 'decisions 6, content')
const acts = on('document', 'decisions 6, lists, history, delete')
const devices = on('device', 'interfaces 4.2, decisions 5')
const templates = on('template', 'interfaces 4.4')
const cad = on('cad', 'decisions 8')
const tokens = on('token', 'decisions 9')

export const OPERATIONS = {
  CreateCase: cases('POST', '/case/{tenant}', 'CreateCases'),
  GetCaseById: cases('GET', CASE),
  PatchCase: cases('PATCH', CASE),
  UpdateCase: cases('PUT', CASE),
  GetCaseHistory: cases('GET', `${CASE}/history`, 'AccessAuditTrail'),
  ShareCase: cases('POST', `${CASE}/share`),
  LinkEvidencesToCase: cases('POST', `${CASE}/link-evidences`),
  CreateCategory: cases('POST', CATEGORY, 'ManageConfiguration'),
  ListCategories: cases('GET', CATEGORY),
  GetCategoryById: cases('GET', `${CATEGORY}/{categoryId}`),
  UpdateCategory: cases('PUT', `${CATEGORY}/{categoryId}`, 'ManageConfiguration'),
  CreateDepartment: cases('POST', DEPARTMENT, 'ManageConfiguration'),
  ListDepartments: cases('GET', DEPARTMENT),
  GetDepartmentById: cases('GET', `${DEPARTMENT}/{departmentId}`),
  UpdateDepartment: cases('PUT', `${DEPARTMENT}/{departmentId}`, 'ManageConfiguration'),
  GetDepartmentHistory: cases('GET', `${DEPARTMENT}/{departmentId}/history`, 'AccessAuditTrail'),
  IsDepartmentNameAvailable: cases('POST', `${DEPARTMENT}/availability`),
  GetDefaultDepartment: cases('GET', '/department/default/{tenant}'),
  AssignDefaultDepartment: cases('PUT', '/department/default/{tenant}/assign', 'ManageConfiguration'),
  GetEvidenceRelationsByEvidenceId: cases('GET', '/evidence/{tenant}/{evidenceId}'),
  GetPrefilledFields: cases('GET', FIELD),
  UpdatePrefilledField: cases('PUT', `${FIELD}/{prefilledFieldId}`, 'ManageConfiguration'),
  DeletePrefilledField: cases('DELETE', `${FIELD}/{prefilledFieldId}`, 'ManageConfiguration'),
  // An extension, with which what was made is taken away again.
  DeleteCase: on('case', 'decisions 4')('DELETE', CASE, 'DeleteCasesAndFiles'),

  CreateEvidence: documents('POST', '/tenant/{tenant}/evidence'),
  // With the slash at the end, as it is specified.
  GetEvidence: named('GET', `${EVIDENCE}/`),
  UpdateEvidence: named('PATCH', `${EVIDENCE}/`),
  ListResources: named('GET', `${EVIDENCE}/resource`),
  CreateResource: documents('POST', `${EVIDENCE}/resource`),
  RenewUploadUri: documents('POST', `${RESOURCE}/upload-uri`),
  // At the address that the resource came with.
  UploadBlob: blobs('PUT', ''),
  GetBlockList: blobs('GET', ''),
  GetBlobProperties: blobs('HEAD', ''),
  GetTenantKey: on('key', 'decisions 6, encrypted uploads')('GET', '/tenant/{tenant}/key'),
  CompleteResource: documents('POST', `${RESOURCE}/complete`),
  CompleteEvidence: documents('POST', `${EVIDENCE}/complete`),
  GetContent: contents('GET', `${RESOURCE}/content`),
  HeadContent: contents('HEAD', `${RESOURCE}/content`),
  GetResourceThumbnail: contents('GET', `${RESOURCE}/thumbnail`),
  ListEvidence: acts('GET', '/tenant/{tenant}/evidence'),
  GetEvidenceHistory: acts('GET', `${EVIDENCE}/history`, 'AccessAuditTrail'),
  ProtectEvidence: acts('POST', `${EVIDENCE}/protect`, 'ProtectFromDeletion'),
  UnprotectEvidence: acts('POST', `${EVIDENCE}/unprotect`, 'ProtectFromDeletion'),
  DeleteEvidence: acts('DELETE', EVIDENCE, 'DeleteCasesAndFiles'),
  RestoreEvidence: acts('POST', `${EVIDENCE}/restore`, 'RestoreFromRecycleBin'),

  Search: on('search', 'decisions 7, search')('POST', '/search/{tenant}'),

  AddDevice: devices('POST', '/tenant/{tenant}/device', 'ManageDevices'),
  ActivateDevice: devices('POST', '/tenant/{tenant}/device/{deviceId}/activate', 'ManageDevices'),
  DeactivateDevice: devices('POST', '/tenant/{tenant}/device/{deviceId}/deactivate', 'ManageDevices'),
  // The method is not shown: both are (decisions 5).
  CanManageDevices: devices('GET', '/tenant/{tenant}/device/canmanage'),
  CanManageDevicesByPost: devices('POST', '/tenant/{tenant}/device/canmanage'),
  GetCredentials: devices('POST', '/tenant/{tenant}/credential', 'ManageDevices'),
  ReportFailedCredential: devices('POST', '/tenant/{tenant}/credential/failed', 'ManageDevices'),
  NegotiateConfiguration: devices('POST', '/tenant/{tenant}/configuration/negociate', 'ManageDevices'),
  CommitConfiguration: devices('POST', '/tenant/{tenant}/configuration/commit', 'ManageDevices'),
  RejectConfiguration: devices('POST', '/tenant/{tenant}/configuration/reject', 'ManageDevices'),

  ListTemplates: templates('GET', '/template/{tenant}'),
  PutTemplate: templates('PUT', '/template/{tenant}', 'ManageConfiguration'),

  PushCadEvent: cad('POST', '/events/{tenant}', 'PushCadEvents'),
  PushCadBatch: cad('POST', '/events/{tenant}/batch', 'PushCadEvents'),
  GetCadEvent: cad('GET', '/events/{tenant}/{eventId}'),
  SearchCadEvents: cad('GET', '/events/{tenant}/search'),
  GetCadEventUri: cad('GET', '/events/{tenant}/singleuri'),
  RedirectToCadEvent: on('cad', 'interfaces 4.5')('GET', '/events/{tenant}/singleredirect'),

  IssueToken: tokens('POST', '/token'),
  Discovery: tokens('GET', '/.well-known/openid-configuration'),
  JsonWebKeys: tokens('GET', ''),
  UserInfo: tokens('GET', '/userinfo'),
  Authorize: tokens('GET', '/authorize'),
} as const satisfies Readonly<Record<string, Operation>>

export type OperationName = keyof typeof OPERATIONS

export const operation = (name: OperationName): Operation => OPERATIONS[name]
export const operationNames = Object.keys(OPERATIONS) as OperationName[]
