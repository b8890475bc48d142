/**
 * Answers hold members that the documents do not name. They harm nobody as long as none of the documents' own is missing, and whoever
 * reads the published description is told what they are.
 */
import { expect, test } from 'vitest'
import { openApiText } from '../../../server/openapi.ts'

interface Schema {
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly anyOf?: readonly Schema[]
  readonly $ref?: string
}
const { schemas } = (JSON.parse(openApiText()) as { components: { schemas: Record<string, Schema> } }).components

const DEVICE = 'Id DeviceIdentification DeviceType State AssignedTo LastSeenUtc'
const REGISTERED = `${DEVICE} Capabilities EffectiveConfiguration ConcurrencyId`
const MODELS: readonly [model: string, documented: string, beyond: string][] = [
  [
    'EvidenceModel',
    'EvidenceId Name Thumbnail StartTimeUtc EndTimeUtc State LifecycleState LinkKind Confirmed',
    'Camera Clock DisplayName MayConfirm Status Type',
  ],
  ['DeviceListItem', DEVICE, 'CreatedUtcTime Standing Transaction'],
  ['DeviceRecord', REGISTERED, 'CreatedUtcTime EffectiveSinceUtc Transaction'],
  ['DeviceDetail', REGISTERED, 'Activity CreatedUtcTime EffectiveSinceUtc Negotiations Standing Transaction'],
  [
    'EvidenceRecord',
    `EvidenceId Name Description Tags CategoryId SourceId Thumbnail StartTimeUtc EndTimeUtc CreatedTimeUtc DeletedOnUtc LocationText
    LocationWKT EditingSessionId ConcurrencyId State LifecycleState AssociationState AccessPoliciesGrantType AccessorPermissions CreatedBy
    DeletedBy Device DeviceIdentity AccessPolicies CustomFields`,
    'Clock DisplayName ProtectedUntil Unfinished',
  ],
  [
    'EvidenceResourceRecord',
    `ResourceId EvidenceId Name MimeType StartTimeUtc EndTimeUtc TimeOffset UploadedTimeUtc UploadedBy Parent Thumbnail
    UploadCertificateThumbprint State DecryptedLengthInBytes ConcurrencyId Sha256 LengthInBytes Derivation Processing`,
    'CameraSha256 LastCheck Taken',
  ],
]

/** Of the member itself or of the model that it is. */
const told = ({ description, anyOf = [], $ref }: Schema): boolean =>
  Boolean(description) ||
  anyOf.some(told) ||
  ($ref !== undefined && told(schemas[$ref.split('/').at(-1) as string] as Schema))

test.each(MODELS)('%s holds what is documented, and beyond that what is told and nothing else', (model, own, more) => {
  const { properties = {} } = schemas[model] as Schema
  const documented = own.split(/\s+/)
  const beyond = Object.keys(properties).filter((name) => !documented.includes(name))
  expect(documented.filter((name) => properties[name] === undefined)).toEqual([])
  expect(beyond.toSorted()).toEqual(more.split(' '))
  expect(beyond.filter((name) => !told(properties[name] as Schema))).toEqual([])
})
