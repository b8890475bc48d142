/** Small routes that stand for what a session opens: one for each permission, and streams that go on. */
import { z } from 'zod'
import { route } from '../../../shared/kernel/route.ts'
import { eventStream } from '../../../server/http/event-stream.ts'
import { type BoundRoute, bytes, json } from '../../../server/http/handlers.ts'

const silent = { by: 'none', reason: 'a test' } as const
const base = { interface: 'document', origin: 'extension', summary: 'a test', audit: silent, errors: [] } as const
const member = { kind: 'member', guests: true } as const
const Who = z.object({ id: z.string(), name: z.string(), kId: z.string(), kind: z.string(), source: z.string() })
const at = (name: string) => ({ id: name, path: `/api/v1/tenant/x/${name}` })

export const who = route({ ...base, ...at('who'), method: 'GET', permission: member, responses: { 200: Who } })
const change = route({ ...who, ...at('change'), method: 'POST' })
const upload = route({ ...who, ...at('upload'), method: 'POST', whileLocked: true })
const members = route({ ...who, ...at('members'), permission: { kind: 'member', guests: false } })
export const rule = route({ ...who, ...at('rule'), permission: { kind: 'administrator' } })
export const figures = route({ ...who, ...at('figures'), permission: { kind: 'loopback-or-administrator' } })
const events = route({ ...base, ...at('events'), method: 'GET', permission: member, responses: { 200: 'bytes' } })
const lasting = route({ ...events, ...at('lasting'), whileLocked: true })

export function standInRoutes(): BoundRoute[] {
  return [
    ...[who, change, upload, members, rule, figures].map((one) =>
      json(one, async ({ call }) => {
        const { id, name, kId, kind } = call.actor
        return { id, name, kId, kind, source: call.source }
      }),
    ),
    ...[events, lasting].map((one) => bytes(one, async ({ signal }) => eventStream({}, () => () => {}, signal))),
  ]
}
