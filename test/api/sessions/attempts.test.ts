// @module-tag merge
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { nameKey } from '../../../shared/kernel/names.ts'
import type { Answer, Page } from './page.ts'
import { PASSWORD, QUICK, startWorld, type World, WRONG } from './world.ts'

/** Decisions 13: five failures in 15 minutes lock an account for one source, and nobody learns which names there are. See lock-out.test.ts. */
const SECOND = 1000
const MINUTE = 60 * SECOND
let world: World
let officer = ''
let page: Page
beforeEach(async () => {
  world = await startWorld({ passwords: QUICK })
  officer = await world.user('officer')
  page = world.page()
})
afterEach(() => world?.close())

const told = ({ status, json, headers }: Answer) => [status, json.ErrorCode ?? json.State, headers.get('retry-after')]
const REFUSED = [401, 'SignInRefused', null]
const OPEN = [200, 'open', null]
const held = (seconds: number) => [429, 'TooManyAttempts', String(seconds)]

/** Fails `times` times, waiting as long as it takes in between. */
async function fail(name: string, times: number): Promise<void> {
  for (let count = 0; count < times; count++) {
    expect(told(await page.signIn(name, WRONG))).toEqual(REFUSED)
    world.clock.advance(4 * SECOND)
  }
}

describe.each([
  ['an account', 'officer'],
  ['a name that is not there', 'nobody'],
])('failures of %s', (_what, name) => {
  it('hold up the next try by 0, 0, 1, 2 and 4 seconds, and a try that is too soon costs nothing', async () => {
    for (const wait of [0, 0, 1, 2, 4]) {
      if (wait > 0) {
        expect(told(await page.signIn(name, WRONG))).toEqual(held(wait))
        world.clock.advance(wait * SECOND - 1)
        expect(told(await page.signIn(name, PASSWORD))).toEqual(held(1))
        world.clock.advance(1)
      }
      expect(told(await page.signIn(name, WRONG))).toEqual(REFUSED)
    }
  })

  it('five of them lock it for 15 minutes, also against the right password, also over a restart', async () => {
    await fail(name, 5)
    expect(told(await page.signIn(name, PASSWORD))).toEqual(held(15 * 60 - 4))
    world = await world.restart()
    page = world.page()
    expect(told(await page.signIn(name.toUpperCase(), PASSWORD))).toEqual(held(15 * 60 - 4))
    world.clock.advance(15 * MINUTE - 4 * SECOND - 1)
    expect(told(await page.signIn(name, PASSWORD))).toEqual(held(1))
    world.clock.advance(1)
    expect(told(await page.signIn(name, PASSWORD))).toEqual(name === 'officer' ? OPEN : REFUSED)
  })
})

describe('what counts', () => {
  it('a success wipes the count of the account', async () => {
    await fail('officer', 4)
    expect(told(await page.signIn('officer', PASSWORD))).toEqual(OPEN)
    await fail('officer', 4)
    expect(told(await page.signIn('officer', PASSWORD))).toEqual(OPEN)
  })

  it('failures are forgotten when there was none for 15 minutes', async () => {
    await fail('officer', 4)
    world.clock.advance(15 * MINUTE - 4 * SECOND)
    await fail('officer', 4)
    world.clock.advance(15 * MINUTE - 4 * SECOND - 1)
    expect(told(await page.signIn('officer', WRONG))).toEqual(REFUSED)
    expect(told(await page.signIn('officer', PASSWORD))).toEqual(held(15 * 60))
    // And no row of them is left when they no longer count.
    world.clock.advance(31 * MINUTE)
    await page.signIn('somebody', WRONG)
    expect(await world.db.read.selectFrom('sign_in_failures').selectAll().execute()).toHaveLength(2)
  })

  it('one account that is locked keeps no other one out', async () => {
    await fail('officer', 5)
    expect(told(await page.signIn('sergeant', PASSWORD))).toEqual(OPEN)
  })

  it('a source has a larger budget, over whatever names, and then waits too', async () => {
    for (let count = 0; count < 21; count++) expect(told(await page.signIn(`name ${count}`, WRONG))).toEqual(REFUSED)
    expect(told(await page.signIn('sergeant', PASSWORD))).toEqual(held(1))
    const elsewhere = await world.raw('POST', '/connect/session', {
      from: '127.0.3.9',
      headers: { host: `127.0.0.1:${world.port}` },
      body: { Username: 'sergeant', Password: PASSWORD, NoticeId: 'default' },
    })
    expect(told(elsewhere)).toEqual(OPEN)
    world.clock.advance(SECOND)
    expect(told(await page.signIn('sergeant', PASSWORD))).toEqual(OPEN)
    for (const wait of [1, 2, 4, 8, 16, 32, 60, 60]) {
      world.clock.advance((wait - 1) * SECOND)
      if (wait > 1) expect(told(await page.signIn('officer', PASSWORD))).toEqual(held(1))
      // S18: who signed in from here before is not held up by other names.
      expect(told(await page.signIn('sergeant', PASSWORD))).toEqual(OPEN)
      world.clock.advance(SECOND)
      expect(told(await page.signIn(`other ${wait} ${world.clock.now()}`, WRONG))).toEqual(REFUSED)
    }
  })

  it('guesses sent at once are looked at one after another: not one more than in a row', async () => {
    const guesses = await Promise.all(Array.from({ length: 12 }, () => world.page().signIn('officer', WRONG)))
    const statuses = guesses.map(({ status }) => status).sort()
    expect(statuses).toEqual([401, 401, ...Array.from({ length: 10 }, () => 429)])
    const { failures } = await world.db.read
      .selectFrom('sign_in_failures')
      .select('failures')
      .where('subject', 'like', 'account %')
      .executeTakeFirstOrThrow()
    expect(failures).toBe(2)
  })

  it('more than a handful waiting from one source are turned away', async () => {
    const all = await Promise.all(Array.from({ length: 40 }, () => world.page().signIn('officer', PASSWORD)))
    const codes = all.map(({ json }) => json.ErrorCode ?? json.State)
    expect(new Set(codes)).toEqual(new Set(['open', 'TooManyRequests']))
    expect(codes.filter((code) => code === 'open').length).toBeGreaterThanOrEqual(16)
    expect(told(await page.signIn('officer', PASSWORD))).toEqual(OPEN)
  })
})

describe('I1 refusals at the door are in the ledger', () => {
  it('the first of a source as it is, the others of the minute with their count, an account that got locked by its name', async () => {
    const first = await page.signIn('officer', WRONG)
    expect(await world.entriesOf(first, 1)).toEqual([
      expect.objectContaining({
        action: 'session.refused',
        outcome: 'denied',
        reason: 'password',
        actor: expect.objectContaining({ kind: 'anonymous' }),
        object: { type: 'user', id: officer, name: 'officer' },
        source: '127.0.0.1',
        detail: { count: 1 },
      }),
    ])
    await page.signIn('officer', WRONG)
    await page.signIn('officer', WRONG)
    await page.signIn('nobody at all', WRONG)
    world = await world.restart()
    const counted = world.ledger().filter(({ object }) => object.type === 'source')
    expect(counted).toEqual([
      expect.objectContaining({
        action: 'access.denied',
        outcome: 'denied',
        object: { type: 'source', id: '127.0.0.1', name: '' },
        detail: expect.objectContaining({
          count: 3,
          kinds: [
            { kind: 'session.refused password', count: 1 },
            { kind: 'session.refused TooManyAttempts', count: 1 },
            { kind: 'session.refused unknown', count: 1 },
          ],
        }),
      }),
    ])
    page = world.page()
    world.clock.advance(20 * MINUTE)
    await fail('officer', 4)
    const fifth = await page.signIn('officer', WRONG)
    expect((await world.entriesOf(fifth, 1)).filter(({ action }) => action === 'user.locked')).toEqual([
      expect.objectContaining({
        object: { type: 'user', id: officer, name: 'officer' },
        source: '127.0.0.1',
        detail: { failures: 5, until: new Date(world.clock.now() + 15 * MINUTE).toISOString() },
      }),
    ])
    await fail('nobody', 5)
    expect(world.ledger().filter(({ action }) => action === 'user.locked')).toHaveLength(1)
  })

  it('says in the ledger alone that an account is disabled or has no password', async () => {
    const disabled = await world.user('disabled')
    await world.enable(disabled, false)
    const answer = await page.signIn('disabled', PASSWORD)
    expect((await world.entriesOf(answer, 1))[0]).toMatchObject({ reason: 'disabled', object: { id: disabled } })
    const unknown = await world.page().signIn('not there', PASSWORD)
    expect({ ...answer.json, CorrelationId: '' }).toEqual({ ...unknown.json, CorrelationId: '' })
    // It counts like every other failure: no wait would say that the password was right.
    expect(told(await page.signIn('disabled', PASSWORD))).toEqual(REFUSED)
    expect(told(await page.signIn('disabled', PASSWORD))).toEqual(held(1))
  })

  it('a name is kept as a hash alone: people type their passwords there', async () => {
    await page.signIn('my secret pass phrase', 'x')
    const subjects = await world.db.read.selectFrom('sign_in_failures').select('subject').execute()
    expect(subjects.map(({ subject }) => subject).sort()).toEqual([
      expect.stringMatching(/^account [0-9a-f]{64} from 127\.0\.0\.1$/),
      'source 127.0.0.1',
    ])
    expect((await world.written()).includes('my secret pass phrase')).toBe(false)
  })
})

describe('the time it takes', () => {
  let slow: World
  afterAll(() => slow?.close())

  it('tells nothing of whether there is such an account, is disabled or has no password', async () => {
    slow = await startWorld()
    await slow.user('officer')
    await slow.enable(await slow.user('disabled'), false)
    await slow.user('keyless')
    await slow.db.transaction((tx) =>
      tx.updateTable('principals').set({ password_hash: null }).where('name_key', '=', nameKey('keyless')).execute(),
    )
    const names = ['officer', 'disabled', 'keyless', 'nobody']
    const times = new Map<string, number[]>(names.map((name) => [name, []]))
    for (let round = 0; round < 7; round++) {
      slow.clock.advance(60 * MINUTE)
      for (const name of names) {
        const began = performance.now()
        expect(told(await slow.page().signIn(name, WRONG))).toEqual(REFUSED)
        times.get(name)?.push(performance.now() - began)
      }
    }
    const middle = (name: string): number => (times.get(name) ?? []).toSorted((a, b) => a - b)[3] as number
    const known = middle('officer')
    // A look without a password verified takes a hundredth of it.
    for (const name of names)
      expect([name, middle(name) / known]).toEqual([
        name,
        expect.toSatisfy((ratio: number) => ratio > 0.5 && ratio < 2),
      ])
  })
})
