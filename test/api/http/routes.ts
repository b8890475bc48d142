/** Small contract entries that show one thing of the frame each. */
import { z } from 'zod'
import { type RouteDefinition, route } from '../../../shared/kernel/route.ts'

const silent = { by: 'none', reason: 'a test' } as const
const member = { kind: 'member', guests: true } as const
const anyone = { kind: 'anyone' } as const
const base = { origin: 'extension', summary: 'a test', audit: silent, errors: [] } as const

export const Thing = z.object({
  Name: z.string().min(1).max(20),
  Count: z.int().optional(),
  Extra: z.record(z.string(), z.string()).optional(),
})

export const readThing = route({
  ...base,
  id: 'readThing',
  interface: 'document',
  method: 'GET',
  path: '/api/v1/tenant/:tenantName/thing/:thingId',
  permission: member,
  audit: { by: 'read', action: 'evidence.read', objectType: 'thing', objectParam: 'thingId' },
  params: z.object({ tenantName: z.string(), thingId: z.string().max(40) }),
  query: z.object({
    count: z.coerce.number().int().min(1).max(1000).optional(),
    tag: z.union([z.string(), z.array(z.string())]).optional(),
  }),
  responses: {
    200: z.object({
      thingId: z.string(),
      tenantName: z.string(),
      count: z.number().optional(),
      tags: z.array(z.string()),
    }),
  },
})

export const literalThing = route({
  ...base,
  id: 'literalThing',
  interface: 'document',
  method: 'GET',
  path: '/api/v1/tenant/:tenantName/thing/canmanage',
  permission: member,
  responses: { 200: z.boolean() },
})

export const createThing = route({
  ...base,
  id: 'createThing',
  interface: 'document',
  method: 'POST',
  path: '/api/v1/tenant/:tenantName/thing',
  aliases: ['/documentstore/api/v1/tenant/:tenantName/thing'],
  permission: member,
  audit: { by: 'own', actions: ['evidence.created'] },
  params: z.object({ tenantName: z.string() }),
  body: Thing,
  responses: { 201: z.object({ Id: z.int(), Name: z.string() }), 200: z.object({ Id: z.int(), Name: z.string() }) },
  idempotent: true,
})

export const caseThing = route({
  ...base,
  id: 'caseThing',
  interface: 'case',
  method: 'POST',
  path: '/api/v1/case/:tenantId',
  permission: member,
  params: z.object({ tenantId: z.string() }),
  body: z.object({ Title: z.string() }),
  responses: { 201: z.object({ CaseId: z.string() }) },
  idempotent: true,
})

export const forbiddenCase = route({
  ...base,
  id: 'forbiddenCase',
  interface: 'case',
  method: 'GET',
  path: '/api/v1/case/:tenantId/:caseId',
  permission: { kind: 'administrator' },
  responses: { 200: z.string() },
})

export const template = route({
  ...base,
  id: 'putTemplate',
  interface: 'template',
  method: 'PUT',
  path: '/customfieldservice/api/v1/template/:tenantName',
  permission: member,
  body: z.strictObject({ type: z.enum(['Case', 'Evidence']) }),
  responses: { 200: z.string() },
})

export const history = route({
  ...base,
  id: 'history',
  interface: 'case',
  method: 'GET',
  path: '/api/v1/case/:tenantId/:caseId/history',
  permission: anyone,
  offers: ['application/json', 'text/json', 'text/plain', 'application/json-patch+json'],
  responses: { 200: z.array(z.string()) },
})

export const onlyJson = route({
  ...base,
  id: 'onlyJson',
  interface: 'case',
  method: 'GET',
  path: '/api/v1/evidence/:tenantId/:evidenceId',
  permission: anyone,
  offers: ['application/json'],
  responses: { 200: z.string() },
})

export const token = route({
  ...base,
  id: 'token',
  interface: 'token',
  method: 'POST',
  path: '/connect/token',
  aliases: ['/connect/Token'],
  permission: anyone,
  accepts: ['application/x-www-form-urlencoded'],
  body: z.object({ grant_type: z.string() }),
  responses: { 200: z.object({ grant_type: z.string() }) },
})

export const silentPost = route({
  ...base,
  id: 'silentPost',
  interface: 'device',
  method: 'POST',
  path: '/api/v1/tenant/:tenantId/device/:deviceId/activate',
  permission: member,
  params: z.object({ tenantId: z.string(), deviceId: z.string() }),
  responses: { 204: null },
})

export const echo = route({
  ...base,
  id: 'echo',
  interface: 'document',
  method: 'POST',
  path: '/api/v1/echo',
  permission: anyone,
  body: z.unknown(),
  responses: { 200: z.unknown() },
})

export const content = route({
  ...base,
  id: 'content',
  interface: 'document',
  method: 'GET',
  path: '/api/v1/tenant/:tenantName/content/:name',
  permission: anyone,
  uncounted: true,
  responses: { 200: 'bytes', 206: 'bytes' },
})

export const upload = route({
  ...base,
  id: 'upload',
  interface: 'blob',
  method: 'PUT',
  path: '/blob/:container/:blob',
  permission: { kind: 'signed-address' },
  uncounted: true,
  responses: { 201: 'bytes' },
})

export const withDefinition = <R extends RouteDefinition>(definition: R, change: Partial<RouteDefinition>): R =>
  ({ ...definition, ...change }) as R
