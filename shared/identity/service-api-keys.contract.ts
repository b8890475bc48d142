import { z } from 'zod'
import { IdParam, isLine, line, TenantParams as Tenant } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'
import { ServiceModel } from './services.contract.ts'
import { administrator, USER_SERVICE } from './users.contract.ts'

/** API keys of an integration, each with a name, so that one can be taken away without the others (decisions 8). */

export const LONGEST_KEY_NAME = 100
export const isApiKeyName = (name: string): boolean => isLine(name, LONGEST_KEY_NAME, 1)
export const MakeApiKeyModel = z.object({ Name: line(LONGEST_KEY_NAME, 1) }).meta({ id: 'MakeApiKeyModel' })

const ServicePath = Tenant.extend({ serviceId: IdParam })

export const makeApiKey = route({
  id: 'makeServiceApiKey',
  interface: 'user',
  method: 'POST',
  path: `${USER_SERVICE}/services/:serviceId/api-keys`,
  origin: 'extension',
  summary: 'Make a further API key of an integration',
  description: 'The key is in this answer and nowhere else: the station keeps a hash. At most 20 count at a time.',
  permission: administrator,
  audit: { by: 'own', actions: ['service.apiKeyMade'] },
  params: ServicePath,
  body: MakeApiKeyModel,
  responses: { 201: z.object({ Service: ServiceModel, APIKey: z.string() }).meta({ id: 'MadeApiKey' }) },
  errors: ['InvalidModel', 'NameTaken', 'ServiceNotFound', 'TenantNotFound', 'ReadOnly'],
})

export const revokeApiKey = route({
  id: 'revokeServiceApiKey',
  interface: 'user',
  method: 'DELETE',
  path: `${USER_SERVICE}/services/:serviceId/api-keys/:apiKeyId`,
  origin: 'extension',
  summary: 'Take an API key of an integration away',
  description: 'It opens nothing from then on, and does not come back.',
  permission: administrator,
  audit: { by: 'own', actions: ['service.apiKeyRevoked'] },
  params: ServicePath.extend({ apiKeyId: IdParam }),
  responses: { 200: ServiceModel },
  errors: ['InvalidModel', 'ApiKeyNotFound', 'ServiceNotFound', 'TenantNotFound', 'ReadOnly'],
})
