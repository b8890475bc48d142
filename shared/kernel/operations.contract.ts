import { z } from 'zod'
import { INTERFACES, route } from './route.ts'

/** Operations (decisions 1): is it alive, may it take work, how is it doing, what does it offer. */

const anyone = { kind: 'anyone' } as const
const machine = {
  by: 'none',
  reason: 'Says how the machine is doing; no evidence, no case and no person is in it.',
} as const
const description = { by: 'none', reason: 'The description of the interfaces is the same for everybody.' } as const

export const HealthModel = z.object({ Status: z.literal('ok') }).meta({ id: 'Health' })

export const ReadinessModel = z
  .object({
    Status: z.enum(['ready', 'read-only', 'not-ready']),
    Checks: z.record(z.string(), z.object({ Ok: z.boolean(), Message: z.string() })),
  })
  .meta({ id: 'Readiness' })

export const health = route({
  id: 'health',
  interface: 'operations',
  method: 'GET',
  path: '/healthz',
  origin: 'decision',
  summary: 'The process answers',
  permission: anyone,
  audit: machine,
  responses: { 200: HealthModel },
  errors: [],
  uncounted: true,
})

export const readiness = route({
  id: 'readiness',
  interface: 'operations',
  method: 'GET',
  path: '/readyz',
  origin: 'decision',
  summary: 'Database and store can be written',
  permission: anyone,
  audit: machine,
  responses: { 200: ReadinessModel, 503: ReadinessModel },
  errors: [],
  uncounted: true,
})

export const metrics = route({
  id: 'metrics',
  interface: 'operations',
  method: 'GET',
  path: '/metrics',
  origin: 'decision',
  summary: 'Figures in the Prometheus text format',
  permission: { kind: 'loopback-or-administrator' },
  audit: machine,
  responses: { 200: 'bytes' },
  errors: [],
  uncounted: true,
})

export const openApi = route({
  id: 'openApi',
  interface: 'operations',
  method: 'GET',
  path: '/openapi.json',
  origin: 'decision',
  summary: 'This document, or the part of it about one interface',
  permission: anyone,
  audit: description,
  query: z.object({
    interface: z.enum(INTERFACES).optional().meta({ description: 'Without it, the operations of all interfaces.' }),
  }),
  responses: { 200: 'bytes' },
  errors: ['InvalidModel'],
})

export const docs = route({
  id: 'docs',
  interface: 'operations',
  method: 'GET',
  path: '/docs',
  origin: 'decision',
  summary: 'This document as a page',
  permission: anyone,
  audit: description,
  responses: { 200: 'bytes' },
  errors: [],
  uncounted: true,
})

export const docsFile = route({
  id: 'docsFile',
  interface: 'operations',
  method: 'GET',
  path: '/docs/:file',
  origin: 'decision',
  summary: 'A file of that page',
  permission: anyone,
  audit: description,
  params: z.object({ file: z.string() }),
  responses: { 200: 'bytes' },
  errors: ['NotFound'],
  uncounted: true,
})

export const OPERATIONS = [health, readiness, metrics, openApi, docs, docsFile] as const
