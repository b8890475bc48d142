import { z } from 'zod'
import { IdParam, TenantParams as Tenant } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'
import { administrator, USER_SERVICE } from './users.contract.ts'

/** Web pages that may use the API key of an integration for CAD push (decisions 8). */

const ServicePath = Tenant.extend({ serviceId: IdParam })

/** Scheme, host and port as browsers write them: lower case, no path, no user, no port that goes without saying. */
const ORIGIN =
  /^(?:https:\/\/(?!.*:443$)|http:\/\/(?!.*:80$))(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(?::[1-9]\d{0,4})?$/

const Origin = z
  .string()
  .max(300)
  .regex(ORIGIN, 'must be an origin as browsers send it, such as https://dispatch.example')

export const ServiceOriginsModel = z
  .object({ Origins: z.array(Origin).max(50, 'must not hold more than 50 origins') })
  .meta({ id: 'ServiceOriginsModel' })

export const getServiceOrigins = route({
  id: 'getServiceOrigins',
  interface: 'user',
  method: 'GET',
  path: `${USER_SERVICE}/services/:serviceId/origins`,
  origin: 'extension',
  summary: 'The web pages that may use the API key of an integration',
  permission: administrator,
  audit: { by: 'read', action: 'user.read', objectType: 'service', objectParam: 'serviceId' },
  params: ServicePath,
  responses: { 200: ServiceOriginsModel },
  errors: ['ServiceNotFound', 'TenantNotFound'],
})

export const putServiceOrigins = route({
  id: 'putServiceOrigins',
  interface: 'user',
  method: 'PUT',
  path: `${USER_SERVICE}/services/:serviceId/origins`,
  origin: 'extension',
  summary: 'Say which web pages may use the API key of an integration',
  description: 'For CAD push alone, with the key in the address and without a cookie. Whole: none where none is sent.',
  permission: administrator,
  audit: { by: 'own', actions: ['service.originsChanged'] },
  params: ServicePath,
  body: ServiceOriginsModel,
  responses: { 200: ServiceOriginsModel },
  errors: ['InvalidModel', 'ServiceNotFound', 'TenantNotFound', 'ReadOnly'],
})
