import { z } from 'zod'
import { SECURITY_POLICIES } from '../kernel/permissions.ts'
import { PrincipalOutputModel } from '../cases/categories.contract.ts'
import { IdMember, IdParam, Name, page, TenantParams as Tenant, UtcTime } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'
import { administrator, GivenPolicy, HeldPolicy, PageQuery, USER_SERVICE } from './users.contract.ts'

/** Integrations, which sign in with a key of their own: interfaces.md 2.8, decisions 3 and 9. */

const ServicePath = Tenant.extend({ serviceId: IdParam })

const texts = z.array(z.string()).readonly()
const nullText = z.null()
/** `config.json`: the only copy there is of the private key and of the API key. */
export const ConnectionModel = z
  .object({
    TenantId: z.string(),
    ServicePrincipalId: z.string(),
    ServicePrincipalKey: z.object({
      k: nullText,
      kid: z.string(),
      kty: z.literal('RSA'),
      use: nullText,
      n: z.string(),
      e: z.string(),
      x5t: nullText,
      d: z.string(),
      p: z.string(),
      q: z.string(),
      dp: z.string(),
      dq: z.string(),
      qi: z.string(),
      nbf: z.string(),
      exp: z.string(),
    }),
    APIKey: z.string(),
    ApiBaseAddresses: texts,
    SecurityTokenServiceBaseAddresses: texts,
    CADApiAddresses: texts,
    CaseServiceBaseAddresses: texts,
    DeviceServiceBaseAddresses: texts,
    DocumentStoreBaseAddresses: texts,
    KeyStoreBaseAddresses: texts,
    SearchServiceBaseAddresses: texts,
    UserServiceBaseAddresses: texts,
    CertificateThumbprints: texts.meta({
      description:
        'SHA-256 of the station’s CA, then of its certificate, where the addresses are those of its LAN; empty elsewhere.',
    }),
    DisableEncryption: z.literal(true),
  })
  .meta({ id: 'ConnectionFile' })

const service = {
  PrincipalId: z.string(),
  KId: z.string(),
  Name: z.string(),
  BaseUrl: z.string().nullable(),
  Enabled: z.boolean(),
  Administrator: z.boolean(),
  CreatedUtcTime: z.string(),
}
export const ServiceListItem = z.object(service).meta({ id: 'ServiceListItem' })

const validity = {
  CreatedUtcTime: z.string(),
  ExpiresUtc: z.string().nullable().meta({ description: 'Of one that was replaced: when it ends.' }),
}
const ApiKeyModel = z
  .object({
    ApiKeyId: z.string(),
    Name: z.string().meta({ description: 'Empty: it came with a connection file.' }),
    LastUsedUtc: z.string().nullable().meta({ description: 'To a few seconds.' }),
    ...validity,
  })
  .meta({ id: 'ApiKeyModel' })
export const ServiceModel = z
  .object({
    ...service,
    Groups: z.array(PrincipalOutputModel),
    Policies: z.array(HeldPolicy),
    Keys: z.array(z.object({ Thumbprint: z.string().meta({ description: 'RFC 7638, SHA-256.' }), ...validity })),
    ApiKeys: z.array(ApiKeyModel),
  })
  .meta({ id: 'ServiceModel' })

const BaseUrl = z.string().min(1).max(2048)
export const CreateServiceModel = z
  .object({
    Name,
    BaseUrl: BaseUrl.nullish().meta({
      description:
        'Where the integration reaches the station: scheme, name, port. The address of this request unless sent.',
    }),
    GroupIds: z.array(IdMember).max(100).nullish(),
    Policies: z.array(GivenPolicy).max(SECURITY_POLICIES.length).nullish(),
  })
  .meta({ id: 'CreateServiceModel' })

/** Thirty days: an old key that is still in use after that is forgotten, not replaced. */
const MOST_OVERLAP = 43_200
export const RotateModel = z
  .object({
    OverlapMinutes: z.int().min(0).max(MOST_OVERLAP).nullish().meta({
      description: 'How long the old one is still taken; 0, the default: it ends at once.',
    }),
  })
  .meta({ id: 'RotateModel' })

export const ConnectedService = z
  .object({
    Service: ServiceModel,
    Connection: ConnectionModel.nullable().meta({
      description: 'null where an answer is repeated for its Idempotency-Key: the file was handed out with the first.',
    }),
  })
  .meta({ id: 'ConnectedService' })

const ONCE =
  'The connection file is in this answer and nowhere else: the station keeps the public key, and of the API key a hash. A file that was lost is replaced by rotating the key.'

export const listServices = route({
  id: 'listServices',
  interface: 'user',
  method: 'GET',
  path: `${USER_SERVICE}/services`,
  origin: 'decision',
  summary: 'List integrations by name, disabled ones too',
  permission: administrator,
  audit: { by: 'read', action: 'list.read', objectType: 'service' },
  params: Tenant,
  query: PageQuery,
  responses: { 200: page(ServiceListItem).meta({ id: 'ServicePage' }) },
  errors: ['InvalidModel', 'TenantNotFound'],
})

export const createService = route({
  id: 'createService',
  interface: 'user',
  method: 'POST',
  path: `${USER_SERVICE}/services`,
  origin: 'decision',
  summary: 'Create an integration',
  description: ONCE,
  permission: administrator,
  audit: { by: 'own', actions: ['service.created'] },
  params: Tenant,
  body: CreateServiceModel,
  responses: { 201: ConnectedService },
  errors: ['InvalidModel', 'NameTaken', 'TenantNotFound', 'ReadOnly'],
  idempotent: true,
})

export const getService = route({
  id: 'getService',
  interface: 'user',
  method: 'GET',
  path: `${USER_SERVICE}/services/:serviceId`,
  origin: 'decision',
  summary: 'Read an integration, with the keys that are valid',
  permission: administrator,
  audit: { by: 'read', action: 'user.read', objectType: 'service', objectParam: 'serviceId' },
  params: ServicePath,
  responses: { 200: ServiceModel },
  errors: ['ServiceNotFound', 'TenantNotFound'],
})

export const rotateKey = route({
  id: 'rotateServiceKey',
  interface: 'user',
  method: 'POST',
  path: `${USER_SERVICE}/services/:serviceId/rotate-key`,
  origin: 'decision',
  summary: 'Replace the keys of an integration',
  description: `The key pair and, since a connection file holds both, the API key. ${ONCE} Access tokens that the old key obtained run out within the hour; disabling the integration stops them at once.`,
  permission: administrator,
  audit: { by: 'own', actions: ['service.keyRotated'] },
  params: ServicePath,
  body: RotateModel.optional(),
  responses: {
    200: z.object({ Service: ServiceModel, Connection: ConnectionModel, OldEndsUtc: z.string() }).meta({
      id: 'RotatedKey',
    }),
  },
  errors: ['InvalidModel', 'ServiceNotFound', 'TenantNotFound', 'ReadOnly'],
})

export const RegisterKeyModel = z
  .object({
    Key: z.record(z.string(), z.unknown()).meta({
      description:
        'A public JSON web key: RSA of 2048 to 8192 bits, or EC with P-256. One with private members is refused. `nbf` and `exp` count like NotBeforeUtc and ExpiresUtc, as a time or as seconds since 1970; `0001-01-01T00:00:00` means not set.',
    }),
    NotBeforeUtc: UtcTime.nullish(),
    ExpiresUtc: UtcTime.nullish(),
  })
  .meta({ id: 'RegisterKeyModel' })

export const registerKey = route({
  id: 'registerServiceKey',
  interface: 'user',
  method: 'POST',
  path: `${USER_SERVICE}/services/:serviceId/register-key`,
  origin: 'extension',
  summary: 'Register a public key that an integration made itself',
  description: 'It is taken beside those that are there, at most 10. Rotating ends them all.',
  permission: administrator,
  audit: { by: 'own', actions: ['service.keyRegistered'] },
  params: ServicePath,
  body: RegisterKeyModel,
  // One public key.
  bodyBytes: 64 * 1024,
  bodyParts: 2_000,
  responses: { 200: ServiceModel },
  errors: [
    'InvalidModel',
    'InvalidJsonWebKeys',
    'InvalidJsonWebKeyValidityPeriod',
    'ServiceNotFound',
    'TenantNotFound',
    'ReadOnly',
  ],
})

export const rotateApiKey = route({
  id: 'rotateServiceApiKey',
  interface: 'user',
  method: 'POST',
  path: `${USER_SERVICE}/services/:serviceId/rotate-api-key`,
  origin: 'decision',
  summary: 'Replace the API key of an integration',
  description: 'The key pair stays. The new API key is in this answer and nowhere else.',
  permission: administrator,
  audit: { by: 'own', actions: ['service.apiKeyRotated'] },
  params: ServicePath,
  body: RotateModel.optional(),
  responses: {
    200: z.object({ Service: ServiceModel, APIKey: z.string(), OldEndsUtc: z.string() }).meta({ id: 'RotatedApiKey' }),
  },
  errors: ['InvalidModel', 'ServiceNotFound', 'TenantNotFound', 'ReadOnly'],
})

export const disableService = route({
  id: 'disableService',
  interface: 'user',
  method: 'POST',
  path: `${USER_SERVICE}/services/:serviceId/disable`,
  origin: 'decision',
  summary: 'Disable an integration',
  description:
    'Its tokens stop. Cases that nobody else manages go to Account Administrators, each with an entry and a notice.',
  permission: administrator,
  audit: { by: 'own', actions: ['service.disabled', 'case.handedOver', 'user.read'] },
  params: ServicePath,
  responses: { 200: ServiceModel },
  errors: ['ServiceNotFound', 'TenantNotFound', 'ReadOnly'],
})

export const enableService = route({
  id: 'enableService',
  interface: 'user',
  method: 'POST',
  path: `${USER_SERVICE}/services/:serviceId/enable`,
  origin: 'decision',
  summary: 'Enable an integration again',
  description:
    'A token that was given out before works again until it runs out: where it may have gone astray, rotate the key and wait an hour.',
  permission: administrator,
  audit: { by: 'own', actions: ['service.enabled', 'user.read'] },
  params: ServicePath,
  responses: { 200: ServiceModel },
  errors: ['ServiceNotFound', 'TenantNotFound', 'ReadOnly'],
})
