/** Makes the OpenAPI 3.1 document from the contract alone (decisions, preamble). */
import { STATUS_CODES } from 'node:http'
import { z } from 'zod'
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi'
import { ExceptionModel, type FaultCode } from '../../shared/kernel/errors.ts'
import { type Interface, mostBodyBytes, type Permission, type RouteDefinition } from '../../shared/kernel/route.ts'
import { OAuthErrorModel } from '../../shared/identity/tokens.contract.ts'
import { UNRAISED } from '../../shared/kernel/unraised-errors.ts'
import { statusOn } from './errors.ts'
import { MOST_PARTS } from './json.ts'
import { JSON_OFFERS } from './wire.ts'
import { pathsOf } from './routing.ts'

const CamelExceptionModel = z
  .object({
    errorCode: z.string(),
    message: z.string(),
    details: z.array(z.object({ path: z.string(), message: z.string() })),
    correlationId: z.string(),
  })
  .meta({ id: 'CamelExceptionModel' })

/** RFC 6749 5.2. Refusals of the frame also have the members of the other interfaces. */
const OAuthRefusal = OAuthErrorModel.extend(ExceptionModel.partial().shape).meta({ id: 'OAuthRefusal' })

const JSON_BODIES = ['application/json', 'text/json', 'application/json-patch+json', 'application/*+json'] as const

export const TITLES: Readonly<Record<Interface, string>> = {
  case: 'Case service',
  document: 'Document service',
  device: 'Device service',
  template: 'Template service',
  cad: 'CAD push',
  token: 'Token service',
  blob: 'Blob transfer',
  key: 'Keys',
  search: 'Search',
  user: 'Users',
  operations: 'Operations',
}

export type OpenApiDocument = ReturnType<typeof createDocument>

/** @param version of the product. */
export function openApiDocument(routes: readonly RouteDefinition[], version: string): OpenApiDocument {
  const paths: ZodOpenApiPathsObject = {}
  for (const route of routes) {
    for (const [index, path] of pathsOf(route).entries()) {
      const place = path.replaceAll(/:([^/]+)/g, '{$1}')
      const item = paths[place] ?? {}
      paths[place] = { ...item, [route.method.toLowerCase()]: operation(route, path, index) }
    }
  }
  const used = new Set(routes.map((route) => route.interface))
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Sallyport',
      version,
      description: 'The evidence workstation that stands in a police station.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      'x-unraised-error-codes': UNRAISED,
    },
    servers: [{ url: '/' }],
    tags: Object.entries(TITLES)
      .filter(([name]) => used.has(name as Interface))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: { securitySchemes: SECURITY_SCHEMES },
  })
}

function operation(route: RouteDefinition, path: string, index: number): ZodOpenApiOperationObject {
  return {
    // OpenAPI requires a different id for each path of an operation.
    operationId: index === 0 ? route.id : `${route.id}_${index + 1}`,
    tags: [route.interface],
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    ...(index === 0 ? {} : { 'x-alias-of': route.id }),
    'x-origin': route.origin,
    'x-permission': route.permission,
    'x-audit': route.audit,
    security: securityOf(route.permission, route.interface),
    requestParams: requestParams(route, path),
    ...(route.body === undefined ? {} : { requestBody: requestBody(route, route.body) }),
    responses: { ...successes(route), ...refusals(route) },
  }
}

type ParamSchema = z.ZodObject

function requestParams(route: RouteDefinition, path: string) {
  const names = [...path.matchAll(/:([^/]+)/g)].map((match) => match[1] as string)
  const pathSchema =
    route.params instanceof z.ZodObject
      ? (route.params as ParamSchema)
      : z.object(Object.fromEntries(names.map((name) => [name, z.string()])))
  const header =
    route.idempotent === true
      ? z.object({
          'Idempotency-Key': z
            .string()
            .min(1)
            .max(255)
            .optional()
            .meta({ description: 'Kept 7 days: the same key and body give the first answer.' }),
        })
      : undefined
  return {
    ...(names.length === 0 ? {} : { path: pathSchema }),
    ...(route.query instanceof z.ZodObject ? { query: route.query as ParamSchema } : {}),
    ...(header === undefined ? {} : { header }),
  }
}

function requestBody(route: RouteDefinition, schema: z.ZodType) {
  const { vendorModel } = route
  const types = [
    ...JSON_BODIES,
    ...(vendorModel === undefined ? [] : [`application/vnd.{vendor}.${vendorModel.name}+json; v=${vendorModel.v}`]),
    ...(route.accepts ?? []),
  ]
  return {
    description: `At most ${mostBodyBytes(route)} bytes, with ${route.bodyParts ?? MOST_PARTS} members and elements in all.`,
    'x-most-bytes': mostBodyBytes(route),
    required: !schema.safeParse(undefined).success,
    content: Object.fromEntries(types.map((type) => [type, { schema }])),
  }
}

function successes(route: RouteDefinition): ZodOpenApiResponsesObject {
  const responses: ZodOpenApiResponsesObject = {}
  const headers = { 'X-Correlation-Id': { schema: { type: 'string' as const } } }
  for (const [status, schema] of Object.entries(route.responses)) {
    const description = STATUS_CODES[status] ?? status
    if (schema === null) responses[status as '200'] = { description, headers }
    else if (schema === 'bytes') {
      const types = route.offers ?? ['*/*']
      responses[status as '200'] = {
        description,
        headers,
        content: Object.fromEntries(types.map((type) => [type, {}])),
      }
    } else {
      const offers = route.offers ?? JSON_OFFERS
      responses[status as '200'] = {
        description,
        headers,
        content: Object.fromEntries(offers.map((type) => [type, { schema }])),
      }
    }
  }
  return responses
}

/** Codes with which the frame may refuse an operation before it runs. Contract entries do not repeat them. */
function frameCodes(route: RouteDefinition): FaultCode[] {
  const codes: FaultCode[] = ['HostNotAllowed', 'OriginNotAllowed']
  if (route.params !== undefined || route.query !== undefined || route.body !== undefined) codes.push('InvalidModel')
  if (route.permission.kind !== 'anyone') codes.push('Unauthorized', 'Forbidden')
  const byPerson = !['anyone', 'signed-address', 'share-link'].includes(route.permission.kind)
  if (byPerson && route.whileLocked !== true) codes.push('SessionLocked')
  if (byPerson && route.whilePasswordDue !== true) codes.push('PasswordChangeNeeded')
  if (route.permission.kind === 'level' && route.permission.on === 'evidence') codes.push('EvidenceDeleted')
  if (route.body !== undefined) codes.push('BodyTooLarge', 'UnsupportedMediaType', 'RequestTimeout')
  if (Object.values(route.responses).some((schema) => schema !== null && schema !== 'bytes'))
    codes.push('NotAcceptable')
  if (route.uncounted !== true) codes.push('TooManyRequests')
  if (route.interface !== 'operations') codes.push('NotReady')
  if (route.method !== 'GET' && route.interface !== 'operations') codes.push('ReadOnly')
  if (route.idempotent === true) codes.push('IdempotencyKeyReused', 'IdempotencyKeyInProgress')
  return codes
}

/** Statuses of the public protocols, in addition to the codes of this product. */
const PROTOCOL_STATUSES: Partial<Record<Interface, readonly number[]>> = {
  token: [400],
  blob: [400, 403, 404, 405, 409, 411, 412, 413, 415, 503, 507],
}

/** Overload (promise L5): clients that wait as long as `Retry-After` says are answered. */
const RETRY_AFTER = {
  'Retry-After': {
    schema: { type: 'integer' as const, minimum: 1 },
    description: 'Seconds until it is worth to ask again.',
  },
}

function refusals(route: RouteDefinition): ZodOpenApiResponsesObject {
  const responses: ZodOpenApiResponsesObject = {}
  const codes = new Set([...route.errors, ...frameCodes(route)])
  const byStatus = Map.groupBy(codes, (code) => statusOn(route.interface, code))
  for (const status of PROTOCOL_STATUSES[route.interface] ?? []) if (!byStatus.has(status)) byStatus.set(status, [])
  for (const [status, group] of [...byStatus].sort(([a], [b]) => a - b)) {
    const bare = route.interface === 'case' && (status === 401 || status === 403)
    // A status that is also a success (readiness answers 503 with its own body) keeps that shape.
    if (Object.hasOwn(route.responses, status)) continue
    const content = bare ? {} : { content: refusalContent(route.interface) }
    const description = group.length === 0 ? 'As the protocol has it.' : group.sort().join(', ')
    const headers = status === 429 || status === 503 ? { headers: RETRY_AFTER } : {}
    responses[String(status) as '400'] = { description, 'x-error-codes': group, ...headers, ...content }
  }
  responses['500'] = {
    description: 'ServerError',
    'x-error-codes': ['ServerError'],
    content: refusalContent(route.interface),
  }
  return responses
}

function refusalContent(known: Interface) {
  if (known === 'blob') return { 'application/xml': {} }
  if (known === 'token') return { 'application/json': { schema: OAuthRefusal } }
  return {
    'application/json': { schema: known === 'template' || known === 'cad' ? CamelExceptionModel : ExceptionModel },
  }
}

const SECURITY_SCHEMES = {
  oauth2: {
    type: 'oauth2',
    description: 'JWT bearer assertion (RFC 7523) for services; authorization code with PKCE for people.',
    flows: { clientCredentials: { tokenUrl: '/connect/token', scopes: {} } },
  },
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'sallyport_session',
    description:
      'A person who signed in at this browser; `__Host-sallyport_session` over TLS. Everything but GET and HEAD needs the Origin of the station beside it.',
  },
  apiKey: { type: 'apiKey', in: 'query', name: 'apikey', description: 'CAD push only; X-Api-Key as well.' },
  signedAddress: {
    type: 'apiKey',
    in: 'query',
    name: 'sig',
    description: 'The address as it was given is the authority.',
  },
  guestSession: {
    type: 'apiKey',
    in: 'cookie',
    name: 'sallyport_link',
    description:
      'A guest who opened a link; `__Host-sallyport_link` over TLS. Everything but GET and HEAD needs the Origin of the station beside it.',
  },
} as const

function securityOf(permission: Permission, known: Interface): Record<string, string[]>[] {
  if (permission.kind === 'anyone') return []
  if (permission.kind === 'signed-address') return [{ signedAddress: [] }]
  if (permission.kind === 'share-link') return [{ guestSession: [] }]
  const signedIn = [{ oauth2: [] }, { bearer: [] }, { session: [] }]
  if (known === 'cad') return [...signedIn, { apiKey: [] }]
  return permission.kind === 'loopback-or-administrator' ? [{}, ...signedIn] : signedIn
}
