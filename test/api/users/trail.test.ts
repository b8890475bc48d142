/** What the ledger says of people (decisions 3 and 12): the history of a user, and what looks suspicious. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CompiledQuery } from 'kysely'
import { isOnPostgres } from '../../support/postgres-given.ts'
import { openTestDatabase } from '../../support/rows.ts'
import { refusalCounts, refusals, trailOf } from '../../../server/features/identity/users/audit-trail.store.ts'
import { callControl } from '../../../server/platform/control/control.ts'
import type { Json } from '../../support/given.ts'
import { assertionFor } from '../../support/integrator.ts'
import { rawRequest } from '../sessions/page.ts'
import { BASE, fresh, type UsersWorld, usersWorld } from './world.ts'

let world: UsersWorld
beforeAll(async () => {
  world = await usersWorld()
})
afterAll(() => world?.given.close())

const history = (id: string, more = ''): Promise<Json> =>
  world.given.expecting(200, world.send('GET', `/users/${id}/history${more}`))

describe('the history of a user', () => {
  it('is what happened with them and what they did, newest first, and of nobody else', async () => {
    const user = await world.user({ Policies: [{ Policy: 'CreateCases' }] })
    const bystander = await world.user({ Policies: [{ Policy: 'CreateCases' }] })
    const page = await world.signedIn(user.Username)
    const other = await world.signedIn(bystander.Username)
    const made = (await page.send('POST', '/api/v1/case/station', { body: { Title: 'Secret operation' } })).json
    await other.send('POST', '/api/v1/case/station', { body: { Title: 'Another' } })
    await world.given.expecting(200, world.send('PATCH', `/users/${user.PrincipalId}`, { Badge: 'K-9' }))
    const { Entries, Cursor } = await history(user.PrincipalId)
    expect(Cursor).toBeNull()
    expect(Entries.map((one: Json) => [one.Action, one.Actor.Name, one.Object.Type])).toEqual([
      ['user.changed', 'chief', 'user'],
      ['case.created', user.Username, 'case'],
      ['session.opened', user.Username, 'user'],
      ['user.created', 'chief', 'user'],
    ])
    expect(Entries[0]).toMatchObject({
      Meaning: expect.stringMatching(/badge/),
      Object: { Type: 'user', Id: user.PrincipalId, Name: user.Username },
      Detail: { before: { Badge: '' }, after: { Badge: 'K-9' } },
      Outcome: 'ok',
    })
    // What a case is called is told by its own history, to those who may read that.
    expect(Entries[1]).toMatchObject({ Object: { Type: 'case', Id: made.CaseId, Name: '' }, Detail: null })
    expect(JSON.stringify(Entries)).not.toContain('Secret')
    const next = await history(user.PrincipalId)
    expect(next.Entries[0]).toMatchObject({ Action: 'ledger.read', Actor: { Name: 'chief' } })
  })

  it('is not mixed up with a person at the terminal whose name is that number', async () => {
    const user = await world.user()
    const command = { command: 'user.unlock', args: { username: 'sergeant' }, user: user.PrincipalId as string }
    await callControl(world.given.data, command, () => {}, new AbortController().signal)
    const before = world.given.ledger().filter(({ actor }) => actor.id === user.PrincipalId)
    expect(before.map(({ actor }) => actor.kind)).toEqual(['cli'])
    expect((await history(user.PrincipalId)).Entries.map((one: Json) => one.Action)).toEqual(['user.created'])
  })

  it('comes in pages that miss nothing', async () => {
    const user = await world.user()
    const page = await world.signedIn(user.Username)
    for (let more = 0; more < 5; more++) {
      await page.send('GET', '/api/v1/category/station')
      await world.send('PATCH', `/users/${user.PrincipalId}`, { Badge: String(more) })
    }
    const whole = (await history(user.PrincipalId)).Entries.map((one: Json) => one.Seq) as number[]
    expect(whole).toHaveLength(12)
    expect(whole).toEqual(whole.toSorted((one, other) => other - one))
    const last = whole[0] as number
    const seen: number[] = []
    for (let before: string | null = String(last + 1); before !== null; ) {
      const { Entries, Cursor } = await history(user.PrincipalId, `?count=5&before=${before}`)
      seen.push(...Entries.map((one: Json) => one.Seq))
      before = Cursor
    }
    expect(seen).toEqual(whole)
  })

  it('needs an administrator who is in AccessAuditTrail too', async () => {
    const user = await world.user()
    const { token } = await world.service({ Policies: [{ Policy: 'AccessAuditTrail' }] })
    await world.refused(world.send('GET', `/users/${user.PrincipalId}/history`, undefined, { token }), 403, 'Forbidden')
    const without = (isIn: boolean) => async () => {
      const db = await openTestDatabase({ file: world.given.file })
      await db.transaction(async (tx) => {
        const policy = 'AccessAuditTrail'
        if (isIn) await tx.insertInto('policy_members').values({ policy, principal_id: 1, level: null }).execute()
        else await tx.deleteFrom('policy_members').where('policy', '=', policy).where('principal_id', '=', 1).execute()
      })
      await db.close()
    }
    await without(false)()
    const reply = await world.send('GET', `/users/${user.PrincipalId}/history`)
    await without(true)()
    expect(reply.status).toBe(403)
    expect(world.given.ledger().find(({ correlationId }) => correlationId === reply.correlationId)).toMatchObject({
      action: 'access.denied',
      reason: 'PrincipalCannotAccessAuditTrail',
    })
    await world.refused(world.send('GET', '/users/999999/history'), 404, 'UserNotFound')
  })
})

describe('suspicious activity', () => {
  const suspicious = (query = '', token = world.chief.token): Promise<Json> =>
    world.given.expecting(200, world.given.call('GET', `${BASE}/suspiciousActivity?${query}`, { token }))
  let source = 1
  /** From an address of its own: the first refusal of a source is written at once, later ones of the minute are counted. */
  const stranger = (
    method: string,
    address: string,
    sent: { body?: unknown; headers?: Record<string, string>; from?: string } = {},
  ) =>
    rawRequest(Number(new URL(world.given.url).port), method, address, {
      from: `127.0.2.${source++}`,
      ...sent,
      headers: { host: new URL(world.given.url).host, ...sent.headers },
    })
  const settled = async (expected: (all: Json) => boolean): Promise<Json> => {
    for (let tries = 0; tries < 100; tries++) {
      const all = await suspicious()
      if (expected(all)) return all
      await new Promise((resolve) => setTimeout(resolve, 30))
    }
    throw new Error('it was not written')
  }

  it('is failed sign-ins, locked accounts, refused calls and tokens, each of its kind and counted', async () => {
    const before = (await suspicious()).Counts
    const user = await world.user()
    const Wrong = { Username: user.Username, Password: 'another long pass phrase', NoticeId: 'default' }
    await stranger('POST', '/connect/session', { body: Wrong })
    await stranger('POST', '/connect/session', { body: { ...Wrong, Username: fresh('nobody') } })
    await world.send('GET', '/users', undefined, { token: world.given.token })
    await stranger('GET', `${BASE}/users`, {
      headers: { authorization: `Bearer ${world.chief.token.slice(0, -6)}AAAAAA` },
    })
    const form = new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      client_id: `${world.given.principalId}@station`,
      assertion: assertionFor(world.given.connection, 'https://elsewhere.example/token'),
    })
    await fetch(`${world.given.url}/connect/token`, { method: 'POST', body: form })
    const all = await settled(({ Counts }) => Counts.SignIn >= before.SignIn + 2 && Counts.Token > before.Token)
    expect({ ...all.Counts, Upload: 0 }).toEqual({
      SignIn: before.SignIn + 2,
      Locked: before.Locked,
      Denied: before.Denied + 2,
      Token: before.Token + 1,
      Upload: 0,
    })
    const mine = all.Entries.find((one: Json) => one.Object.Id === user.PrincipalId)
    expect(mine).toMatchObject({
      Kind: 'SignIn',
      Action: 'session.refused',
      Reason: 'password',
      Outcome: 'denied',
      Times: 1,
      Object: { Type: 'user', Name: user.Username },
    })
    expect(JSON.stringify(all)).not.toContain(Wrong.Password)
    const denied = await suspicious('kind=Denied')
    expect(new Set(denied.Entries.map((one: Json) => one.Kind))).toEqual(new Set(['Denied']))
    expect(denied.Counts).toEqual((await suspicious()).Counts)
    expect(denied.Entries[0].Actor).toBeDefined()
    expect(denied.Entries.map((one: Json) => one.Actor.Name)).toContain('uploader')
  })

  it('knows a locked account', async () => {
    const user = await world.user()
    const body = { Username: user.Username, Password: 'another long pass phrase', NoticeId: 'default' }
    for (let failures = 0; failures < 5; ) {
      // Of one address: five different ones lock nobody out (decisions 13).
      const { status, headers } = await stranger('POST', '/connect/session', { body, from: '127.0.3.1' })
      if (status === 401) failures += 1
      else await new Promise((resolve) => setTimeout(resolve, 1000 * Number(headers.get('retry-after') ?? 1)))
    }
    const { Entries } = await suspicious('kind=Locked')
    expect(Entries).toHaveLength(1)
    expect(Entries[0]).toMatchObject({ Kind: 'Locked', Object: { Id: user.PrincipalId }, Detail: { failures: 5 } })
  })

  it('comes in pages, for so many days and no more', async () => {
    for (let more = 0; more < 4; more++) await world.send('GET', '/users', undefined, { token: world.given.token })
    const whole = (await suspicious('kind=Denied')).Entries.map((one: Json) => one.Seq)
    const seen: number[] = []
    for (let before: string | null = ''; before !== null; ) {
      const { Entries, Cursor } = await suspicious(`kind=Denied&count=2${before === '' ? '' : `&before=${before}`}`)
      seen.push(...Entries.map((one: Json) => one.Seq))
      before = Cursor
    }
    expect(seen).toEqual(whole)
    const db = await openTestDatabase({ file: world.given.file })
    try {
      const future = new Date(Date.now() + 3_600_000).toISOString()
      const asked = { since: future, actions: ['access.denied'] }
      expect(await db.longRead(refusals(db.read, asked, { before: 1e9, count: 5 }))).toEqual([])
      expect(await db.longRead(refusalCounts(db.read, asked))).toEqual([])
    } finally {
      await db.close()
    }
    for (const wrong of ['days=0', 'days=367', 'days=x', 'kind=Nonsense', 'before=0'])
      await world.refused(world.send('GET', `/suspiciousActivity?${wrong}`), 400, 'InvalidModel')
  })

  it('is for members of AccessAuditTrail, administrators or not', async () => {
    const { token } = await world.service({ Policies: [{ Policy: 'AccessAuditTrail' }] })
    expect((await suspicious('', token)).Entries.length).toBeGreaterThan(0)
    await world.refused(
      world.send('GET', '/suspiciousActivity', undefined, { token: world.given.token }),
      403,
      'Forbidden',
    )
  })
})

describe('the ledger is asked by its indexes', () => {
  it('however long it is', async ({ skip }) => {
    skip(isOnPostgres, 'on PostgreSQL: the plan is SQLite’s; that of another server depends on what it counted')
    const db = await openTestDatabase({ file: world.given.file })
    const plan = ({ sql, parameters }: CompiledQuery<unknown>): string =>
      world.given.database((raw) =>
        (raw.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters) as { detail: string }[])
          .map(({ detail }) => detail)
          .join('\n'),
      )
    try {
      const page = { before: 1e9, count: 10 }
      const asked = { since: '2026', actions: ['access.denied'] }
      const trail = plan(trailOf(db.read, { kind: 'user', id: 2 }, page))
      expect(trail).toContain('ledger_by_actor')
      expect(trail).toContain('ledger_object')
      expect(trail).not.toMatch(/SCAN ledger/)
      expect(plan(refusals(db.read, asked, page))).toContain('ledger_refused')
      expect(plan(refusalCounts(db.read, asked))).toContain('ledger_refused')
    } finally {
      await db.close()
    }
  })
})
