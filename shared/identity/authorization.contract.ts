import { z } from 'zod'
import { route } from '../kernel/route.ts'

/** What the page behind `/connect/authorize` asks the station: which program it is, and what the person decides (decisions 9). */

const Request = z
  .string()
  .min(1)
  .max(4096)
  .meta({ description: 'The query of `/connect/authorize` as the page was given it.' })

export const AuthorizationModel = z
  .object({
    Client: z.object({ Id: z.string(), Name: z.string() }),
    ReturnsTo: z.string().meta({ description: 'The address that the answer goes to.' }),
  })
  .meta({ id: 'Authorization' })

export const DecisionModel = z.object({ Request, Allow: z.boolean() }).meta({ id: 'AuthorizationDecision' })
export const DecidedModel = z
  .object({ RedirectTo: z.string().meta({ description: 'Where the page goes now. Holds the code.' }) })
  .meta({ id: 'AuthorizationDecided' })

const person = { kind: 'member', guests: true } as const
const AT_A_PAGE = 'At a page of the station only: a token cannot beget others.'

export const getAuthorization = route({
  id: 'getAuthorization',
  interface: 'user',
  method: 'GET',
  path: '/connect/authorization',
  origin: 'extension',
  summary: 'Which program asks',
  description: AT_A_PAGE,
  permission: person,
  audit: { by: 'none', reason: 'tells what the request itself and the settings say about a program' },
  query: z.object({ request: Request }),
  responses: { 200: AuthorizationModel },
  errors: ['InvalidModel', 'Forbidden'],
})

export const decideAuthorization = route({
  id: 'decideAuthorization',
  interface: 'user',
  method: 'POST',
  path: '/connect/authorization',
  origin: 'extension',
  summary: 'Let a program work in one’s name, or not',
  description: AT_A_PAGE,
  permission: person,
  audit: { by: 'own', actions: ['authorization.given', 'authorization.declined'] },
  body: DecisionModel,
  responses: { 200: DecidedModel },
  errors: ['InvalidModel', 'Forbidden', 'Unauthorized', 'ReadOnly'],
})
