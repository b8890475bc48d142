/** The models of interfaces.md 2 and decisions 4, 6 and 7 as an integrator reads them: members that must be there, and their types. */
import type { Json } from './client.ts'

/** @returns what is wrong, each with its path; further members are nobody's business. */
export type Shape = (value: Json, path: string) => string[]

const be =
  (what: string, is: (value: Json) => boolean): Shape =>
  (value, path) =>
    is(value) ? [] : [`${path} is ${JSON.stringify(value)?.slice(0, 60) ?? 'missing'}, not ${what}`]

export const text = be('a text', (value) => typeof value === 'string')
const flag = be('true or false', (value) => typeof value === 'boolean')
const number = be('a number', (value) => typeof value === 'number')
const integer = be('an integer', (value) => Number.isSafeInteger(value))
const id = be('a decimal id', (value) => typeof value === 'string' && /^[1-9]\d{0,18}$/.test(value))
const pattern = (what: string, form: RegExp): Shape =>
  be(what, (value) => typeof value === 'string' && form.test(value))
export const version = pattern('a concurrency id', /^[0-9a-f]{40}$/)
const time = pattern('a time in UTC', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,7})?Z$/)
const among = (...words: readonly string[]): Shape => be(`one of ${words.join(', ')}`, (value) => words.includes(value))
const or =
  (shape: Shape): Shape =>
  (value, path) =>
    value === null ? [] : shape(value, path)
export const list =
  (item: Shape): Shape =>
  (value, path) =>
    Array.isArray(value) ? value.flatMap((one, at) => item(one, `${path}[${at}]`)) : [`${path} is no array`]
export const object =
  (members: Readonly<Record<string, Shape>>): Shape =>
  (value, path) =>
    typeof value !== 'object' || value === null || Array.isArray(value)
      ? [`${path} is no object`]
      : Object.entries(members).flatMap(([name, shape]) =>
          Object.hasOwn(value, name) ? shape(value[name], `${path}.${name}`) : [`${path}.${name} is missing`],
        )
const texts: Shape = (value, path) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).flatMap(([name, one]) => text(one, `${path}.${name}`))
    : [`${path} is no object`]

export const boolean = flag

const principal = object({ PrincipalId: or(text), KId: or(text), Name: or(text), Username: or(text) })
const policy = {
  Permissions: or(text),
  PrincipalId: or(text),
  KId: or(text),
  PrincipalType: or(text),
  Username: or(text),
}

export const CaseModel = object({
  AccessPolicies: or(list(object({ ...policy, ExpirationDateUtc: or(time) }))),
  PersonnelRelations: or(
    list(object({ PrincipalId: or(text), KId: or(text), Name: or(text), Username: or(text), Role: or(text) })),
  ),
  CaseId: id,
  Ordinal: pattern('a year and a number', /^\d{4}-\d{6,}$/),
  DepartmentId: or(text),
  Description: or(text),
  ExternalReferenceId1: or(text),
  ExternalReferenceId2: or(text),
  Title: or(text),
  State: among('Open', 'Closed'),
  CategoryId: or(id),
  OccurredOn: or(time),
  EndedOn: or(time),
  CreatedUtcTime: time,
  LastModifiedUtcTime: time,
  LastModifiedBy: or(principal),
  LocationWKT: or(text),
  LocationText: or(text),
  Location: or(object({ Latitude: or(number), Longitude: or(number), Address: or(text), Notes: or(text) })),
  Creator: or(principal),
  Evidences: or(
    list(object({ EvidenceId: id, Name: or(text), LinkKind: among('Manual', 'Automatic'), MayConfirm: flag })),
  ),
  EvidenceIds: or(list(id)),
  Tags: or(list(text)),
  AccessorPermissions: or(list(among('None', 'View', 'Download', 'Edit', 'Manage'))),
  LifecycleState: among('Normal', 'Protected', 'Deleted'),
  ConcurrencyId: version,
  CustomFields: texts,
  ClosedOn: or(time),
  ProtectedUntil: or(time),
  ScheduledDeletionUtc: or(time),
  SourceType: among('Manual', 'Cad'),
  Following: flag,
})

export const HistoryModel = object({
  Name: text,
  Entries: list(
    object({
      Author: principal,
      ConcurrencyId: version,
      ParentReferenceId: version,
      DateUtc: time,
      Action: text,
      Changes: or(list(object({ op: among('add', 'remove', 'replace'), path: text }))),
    }),
  ),
})

export const CategoryModel = object({
  CategoryId: id,
  Name: text,
  Description: or(text),
  Color: or(text),
  RetentionDays: or(integer),
  Enabled: flag,
  ConcurrencyId: version,
  CreatedUtcTime: time,
  LastModifiedUtcTime: time,
  LastModifiedBy: principal,
})

export const DepartmentModel = object({
  DepartmentId: pattern('an id of at most 48 characters', /^.{1,48}$/),
  Name: text,
  Description: or(text),
  Enabled: flag,
  IsDefault: flag,
  AccessPolicies: or(list(object(policy))),
  ConcurrencyId: version,
  CreatedUtcTime: time,
  LastModifiedUtcTime: time,
  LastModifiedBy: principal,
})

export const DefaultDepartmentModel = object({ DepartmentId: or(text), Name: or(text), ConcurrencyId: or(version) })

export const EvidenceRelationsModel = object({
  EvidenceId: id,
  ConcurrencyId: version,
  Relations: list(
    object({
      CaseId: id,
      Title: text,
      Kind: among('Manual', 'Automatic'),
      Confirmed: flag,
      Rule: or(text),
      LinkedOn: time,
      LinkedBy: principal,
    }),
  ),
  HiddenCount: or(integer),
})

export const PrefilledFieldModel = object({
  PrefilledFieldId: text,
  Target: text,
  Label: or(text),
  Values: list(text),
  ETag: text,
})

const uploader = object({ KId: or(text), Username: text, PrincipalId: text, PrincipalType: or(text) })

/** interfaces.md 2.4 */
export const EvidenceRecord = object({
  EvidenceId: id,
  Name: text,
  Description: or(text),
  Tags: list(text),
  CategoryId: or(id),
  SourceId: or(text),
  Thumbnail: or(text),
  StartTimeUtc: or(time),
  EndTimeUtc: or(time),
  CreatedTimeUtc: time,
  DeletedOnUtc: or(time),
  LocationText: or(text),
  LocationWKT: or(text),
  EditingSessionId: or(text),
  ConcurrencyId: version,
  State: among('None', 'UserCompleted'),
  LifecycleState: among('None', 'Protected', 'Deleted'),
  AssociationState: among('None', 'Manual', 'Automatic'),
  AccessPoliciesGrantType: among('None', 'Own', 'Case'),
  AccessorPermissions: list(text),
  CreatedBy: uploader,
  DeletedBy: or(uploader),
  Device: or(
    object({
      DeviceType: or(text),
      ExternalId: or(text),
      Manufacturer: or(text),
      SerialNumber: or(text),
      Model: or(text),
    }),
  ),
  AccessPolicies: list(
    object({
      ExpirationDateUtc: or(time),
      Permissions: text,
      PermissionSource: object({ Reason: text, MergeStrategy: text, Permissions: text }),
      KId: text,
      Username: text,
      PrincipalId: text,
      PrincipalType: text,
    }),
  ),
  CustomFields: texts,
})

/** interfaces.md 2.5 */
const resource = {
  ResourceId: id,
  EvidenceId: id,
  Name: text,
  MimeType: text,
  StartTimeUtc: or(time),
  EndTimeUtc: or(time),
  TimeOffset: or(text),
  UploadedTimeUtc: or(time),
  UploadedBy: uploader,
  Parent: or(id),
  Thumbnail: or(text),
  UploadCertificateThumbprint: or(text),
  State: among('None', 'UserCompleted', 'Failed'),
  DecryptedLengthInBytes: or(integer),
  ConcurrencyId: version,
}
export const ResourceRecord = object(resource)
export const OpenResourceRecord = object({ ...resource, UploadUri: pattern('an absolute address', /^https?:\/\//) })

/** Decisions 6, encrypted uploads: a JSON Web Key. */
export const TenantKey = object({ kty: among('RSA'), n: text, e: text, kid: text })

/** Decisions 7. */
const facet = list(object({ Value: text, Count: integer }))
export const SearchAnswer = object({
  Total: integer,
  TotalIsAtLeast: flag,
  Hits: list(
    object({ Type: among('Case', 'Evidence', 'User', 'Group', 'Device'), Id: id, Title: text, Snippet: or(text) }),
  ),
  Facets: or(object({ Types: facet, Categories: facet, States: facet })),
  Cursor: or(text),
})

/** interfaces.md 2.7 */
export const Template = object({
  type: among('Case', 'Evidence'),
  renamedFields: list(object({ fieldId: text, customName: text })),
  customFields: list(object({ name: text, type: text })),
  lastModifiedUtc: time,
  lastModifiedBy: object({
    firstName: text,
    lastName: text,
    username: text,
    principalId: integer,
    principalType: text,
    kId: text,
  }),
})

const device = object({ SerialNumber: text, Manufacturer: text, Model: or(text), CommonName: or(text) })
const freeForm = be('an object', (value) => typeof value === 'object' && value !== null && !Array.isArray(value))
/** Decisions 5. */
export const DeviceRecord = object({
  Id: pattern('32 hexadecimal digits', /^[0-9a-f]{32}$/),
  DeviceIdentification: device,
  DeviceType: text,
  State: among('Inactive', 'Active'),
  AssignedTo: list(principal),
  Capabilities: or(freeForm),
  LastSeenUtc: or(time),
  EffectiveConfiguration: or(freeForm),
  ConcurrencyId: version,
})
export const CredentialList = list(
  object({ DeviceCredential: text, State: among('Current', 'Pending'), AddedUtc: time }),
)
export const NegotiatedConfiguration = object({
  TransactionId: pattern('a UUID', /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/),
  Configuration: freeForm,
  ExpiresUtc: time,
})

export const TokenResponse = object({
  access_token: text,
  token_type: be('Bearer', (value) => value === 'Bearer'),
  expires_in: integer,
})
export const OAuthError = object({ error: text, error_description: text })

/** Decisions 2. */
export const ExceptionModel = object({
  ErrorCode: text,
  Message: text,
  Details: list(object({ Path: text, Message: text })),
  CorrelationId: text,
})
export const CamelExceptionModel = object({
  errorCode: text,
  message: text,
  details: list(object({ path: text, message: text })),
  correlationId: text,
})

/** Of CAD push (decisions 8): camelCase, as its errors are. */
export const CadResult = object({ eventId: text, caseId: id, uri: text, applied: flag })
export const CadBatch = list(
  object({ eventId: or(text), caseId: or(id), status: integer, applied: flag, errorCode: or(text) }),
)
export const CadEvent = object({ eventId: text, caseId: id, uri: text, event: object({ eventId: text }) })
export const CadEvents = list(CadEvent)
