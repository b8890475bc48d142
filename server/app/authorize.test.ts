/** Each permission check by itself (promise S4). test/api/permissions shows that each route makes them. */
import { describe, expect, it } from 'vitest'
import { Fault, fault } from '../../shared/kernel/errors.ts'
import type { Permission, RouteDefinition } from '../../shared/kernel/route.ts'
import type { AuthorizeRequest } from '../http/ports.ts'
import { viewable } from '../kernel/access/viewable.store.ts'
import { refusalOfLevel } from '../kernel/access/evidence-level.ts'
import { cookieName } from '../features/identity/sessions/cookie.ts'
import type { SessionPrincipal } from '../features/identity/sessions/sessions.service.ts'
import { createAuthorize } from './authorize.ts'

type Deps = Parameters<typeof createAuthorize>[0]

type Caller = Awaited<ReturnType<Deps['tokens']['verifyAccessToken']>>

const OFFICER = { kind: 'user', id: '7', name: 'officer', kId: 'k', guest: false } as Caller
const SESSION = { ...OFFICER, locked: false, passwordDue: false } as unknown as SessionPrincipal
const ORIGIN = 'http://127.0.0.1:7460'
const route = (permission: Permission, more: Partial<RouteDefinition> = {}): RouteDefinition =>
  ({ id: 'x', interface: 'document', method: 'GET', path: '/x', permission, ...more }) as RouteDefinition
const MEMBER = route({ kind: 'member', guests: false })
const request = (more: Partial<AuthorizeRequest> = {}): AuthorizeRequest => ({
  method: 'GET',
  headers: {},
  params: {},
  query: {},
  source: '127.0.0.1',
  arrival: 'network',
  origin: ORIGIN,
  correlationId: 'c',
  ...more,
})
const byToken = request({ headers: { authorization: 'Bearer t' } })
const bySession = (more: Partial<AuthorizeRequest> = {}): AuthorizeRequest =>
  request({ headers: { cookie: `${cookieName(ORIGIN)}=${'a'.repeat(43)}` }, ...more })
/** A station in which the officer has no right except to sign in. */
const judge = (deps: Partial<Deps> = {}) =>
  createAuthorize({
    tokens: { verifyAccessToken: async () => OFFICER },
    sessions: { find: async () => SESSION, stands: async () => SESSION },
    findGuest: async () => null,
    byApiKey: async () => OFFICER,
    apiKeyInQuery: false,
    isAdministrator: async () => false,
    isInPolicy: async () => false,
    isEnabled: async () => true,
    levelOnEvidence: async () => null,
    ...deps,
  })
const codeOf = async (judged: ReturnType<ReturnType<typeof judge>>): Promise<string> => {
  const { refusal } = await judged
  return refusal === undefined ? 'let in' : refusal.code
}

describe('S4 a caller', () => {
  it('S19: is refused without a token, a key or a session', async () => {
    expect(await codeOf(judge()(MEMBER, request()))).toBe('Unauthorized')
    expect(await codeOf(judge()(MEMBER, byToken))).toBe('let in')
  })

  it('S19: cannot send the key in the address when that is turned off', async () => {
    const cad = route({ kind: 'member', guests: false }, { interface: 'cad' })
    expect(await codeOf(judge()(cad, request({ apiKey: 'k' })))).toBe('Unauthorized')
    expect(await codeOf(judge()(cad, request({ headers: { 'x-api-key': 'k' } })))).toBe('let in')
    expect(await codeOf(judge({ apiKeyInQuery: true })(cad, request({ apiKey: 'k' })))).toBe('let in')
  })

  it.each<[string, Permission, Partial<Deps>]>([
    ['an administrator', { kind: 'administrator' }, { isAdministrator: async () => true }],
    ['an administrator, from afar,', { kind: 'loopback-or-administrator' }, { isAdministrator: async () => true }],
    ['in the policy', { kind: 'policy', policy: 'CreateCases' }, { isInPolicy: async () => true }],
  ])('S19: must be %s when the route requires it', async (_what, permission, holding) => {
    expect(await codeOf(judge()(route(permission), byToken))).toBe('Forbidden')
    expect(await codeOf(judge(holding)(route(permission), byToken))).toBe('let in')
  })

  it('S19: is refused as a guest by routes that exclude guests', async () => {
    const guest = { tokens: { verifyAccessToken: async () => ({ ...OFFICER, guest: true }) } }
    expect(await codeOf(judge(guest)(MEMBER, byToken))).toBe('Forbidden')
    expect(await codeOf(judge(guest)(route({ kind: 'member', guests: true }), byToken))).toBe('let in')
  })

  it('S19: must name an evidence when the route requires a level on it', async () => {
    const onEvidence = route({ kind: 'level', level: 'View', on: 'evidence' })
    const levelOnEvidence = async () => ({ level: 'Manage', deleted: false }) as const
    const ask = (params: AuthorizeRequest['params']) =>
      codeOf(judge({ levelOnEvidence })(onEvidence, { ...byToken, params }))
    expect(await ask({ evidenceId: '5' })).toBe('let in')
    expect([await ask({}), await ask(null)]).toEqual(['InvalidModel', 'InvalidModel'])
    expect(await ask({ evidenceId: '9007199254740993' })).toBe('EvidenceNotFound')
  })
})

describe('S4 a token', () => {
  const failing = (error: Error) => ({
    tokens: {
      verifyAccessToken: async () => {
        throw error
      },
    },
  })

  it('S19: is refused when it is invalid; internal failures are not reported as a refusal', async () => {
    const bad = fault('Unauthorized', 'This token has ended.')
    expect((await judge(failing(bad))(MEMBER, byToken)).refusal).toBe(bad)
    await expect(judge(failing(new Error('the disk')))(MEMBER, byToken)).rejects.toThrow('the disk')
  })

  it('S19: is checked again during a long answer', async () => {
    const tokens: Deps['tokens'] = { verifyAccessToken: async () => OFFICER }
    const { isStillAllowed: still } = await judge({
      tokens: { verifyAccessToken: () => tokens.verifyAccessToken('t') },
    })(MEMBER, byToken)
    expect(await still?.()).toBe(true)
    tokens.verifyAccessToken = () => Promise.reject(fault('Unauthorized', 'This token has ended.'))
    expect(await still?.()).toBe(false)
    tokens.verifyAccessToken = () => Promise.reject(new Error('the disk'))
    await expect(still?.()).rejects.toThrow('the disk')
  })
})

describe('S4 a session', () => {
  const found = (more: object) => ({
    sessions: { find: async () => ({ ...SESSION, ...more }), stands: async () => null },
  })

  it('S19: is answered by few routes while it is locked or its password is due', async () => {
    expect(await codeOf(judge(found({ locked: true }))(MEMBER, bySession()))).toBe('SessionLocked')
    expect(await codeOf(judge(found({ passwordDue: true }))(MEMBER, bySession()))).toBe('PasswordChangeNeeded')
    expect(await codeOf(judge(found({ locked: true }))({ ...MEMBER, whileLocked: true }, bySession()))).toBe('let in')
    expect(await codeOf(judge(found({ passwordDue: true }))({ ...MEMBER, whilePasswordDue: true }, bySession()))).toBe(
      'let in',
    )
  })

  it('S19: cannot change anything without an Origin header', async () => {
    const change = (origin?: string) =>
      codeOf(judge()(MEMBER, bySession({ method: 'POST', headers: { ...bySession().headers, origin } })))
    expect([await change(), await change('http://elsewhere.example'), await change(ORIGIN)]).toEqual([
      'OriginNotAllowed',
      'OriginNotAllowed',
      'let in',
    ])
  })

  it('S19: ends running answers when it ends, is locked, or its password is due', async () => {
    let now: SessionPrincipal | null = SESSION
    const { isStillAllowed: still } = await judge({ sessions: { find: async () => SESSION, stands: async () => now } })(
      MEMBER,
      bySession(),
    )
    expect(await still?.()).toBe(true)
    for (const then of [null, { ...SESSION, locked: true }, { ...SESSION, passwordDue: true }]) {
      now = then
      expect(await still?.()).toBe(false)
    }
  })
})

describe('S4 a level on an evidence', () => {
  const code = (found: Parameters<typeof refusalOfLevel>[1], needed: 'View' | 'Edit'): string =>
    (refusalOfLevel('5', found, needed) as Fault | null)?.code ?? 'let in'
  it('S19: evidence without View is not found, and deleted evidence is not served', () => {
    expect(code(null, 'View')).toBe('EvidenceNotFound')
    expect(code({ level: 'None', deleted: true }, 'View')).toBe('EvidenceNotFound')
    expect(code({ level: 'Manage', deleted: true }, 'View')).toBe('EvidenceDeleted')
    expect(code({ level: 'View', deleted: false }, 'Edit')).toBe('Forbidden')
    expect(code({ level: 'Edit', deleted: false }, 'Edit')).toBe('let in')
  })

  it('S19: refuses a column whose alias is used inside the condition', () => {
    const viewer = {
      self: 7,
      identities: new Set([7]),
      nowTicks: 0n,
      unassociated: 'None',
      fromMyDevice: 'None',
      few: false,
    } as const
    expect(() => viewable('p.evidence_id', viewer)).toThrow(/would be taken for a column of the rights/)
    expect(() => viewable('evidence.evidence_id', viewer)).not.toThrow()
  })
})
