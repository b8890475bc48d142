// @module-tag counted
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { scale } from '../../support/scale.ts'
import { type Answer, type Page, PASSWORD, QUICK, startWorld, type World, WRONG } from './world.ts'

/**
 * Decisions 10 and 13 as a small model: two people at two pages of one machine. Whatever they do, and however long they wait in between, each
 * answer of the station is the model's, and so is the cookie that comes with it.
 */
const SECOND = 1000
const MINUTE = 60 * SECOND
const IDLE = 30 * MINUTE
const LONGEST = 12 * 60 * MINUTE
const WAITS = [0, SECOND - 1, SECOND, 4 * SECOND, 14 * MINUTE, 15 * MINUTE, IDLE - 1, IDLE, 5 * 60 * MINUTE] as const
const PEOPLE = ['ada', 'bob'] as const
type Name = (typeof PEOPLE)[number]

type Step =
  | { readonly act: 'signIn' | 'unlock'; readonly page: number; readonly name: Name; readonly right: boolean }
  | { readonly act: 'lock' | 'activity' | 'signOut' | 'work' | 'carryOn' | 'old'; readonly page: number }
  | { readonly act: 'wait'; readonly millis: number }
  | { readonly act: 'switch'; readonly name: Name }
  | { readonly act: 'restart' }

interface Session {
  readonly name: Name
  readonly began: number
  active: number
  locked: boolean
  failures: Failures
}
interface Failures {
  count: number
  last: number
  until: number | null
}

const NOTHING = (): Failures => ({ count: 0, last: Number.NEGATIVE_INFINITY, until: null })

class Model {
  now = 0
  readonly sessions: (Session | null)[] = [null, null]
  readonly enabled: Record<Name, boolean> = { ada: true, bob: true }
  readonly account: Record<Name, Failures> = { ada: NOTHING(), bob: NOTHING() }
  source = NOTHING()
  /** Who signed in from this machine before. */
  readonly familiar = new Set<Name>()

  /** The session of a page after what time has done to it. */
  session(page: number): Session | null {
    const session = this.sessions[page] ?? null
    if (session === null) return null
    if (!this.enabled[session.name] || this.now - session.began >= LONGEST) {
      this.sessions[page] = null
      return null
    }
    if (this.now - session.active >= IDLE) session.locked = true
    return session
  }
  state(page: number): string {
    const session = this.session(page)
    return session === null ? 'none' : session.locked ? 'locked' : 'open'
  }
  private wait(of: Failures, free: number, longest: number): number {
    if (of.until !== null) return Math.max(0, of.until - this.now)
    if (this.now - of.last >= 15 * MINUTE || of.count <= free) return 0
    return Math.max(0, of.last + Math.min(longest, SECOND * 2 ** (of.count - free - 1)) - this.now)
  }
  private fail(of: Failures, locksAt: number): Failures {
    const over = of.until !== null ? this.now >= of.until : this.now - of.last >= 15 * MINUTE
    const count = (over ? 0 : of.count) + 1
    return { count, last: this.now, until: count >= locksAt ? this.now + 15 * MINUTE : null }
  }
  /** What the door says to a password. */
  try(name: Name, right: boolean): 'in' | 'refused' | number {
    const ofSource = this.familiar.has(name) ? 0 : this.wait(this.source, 20, MINUTE)
    const wait = Math.max(this.wait(this.account[name], 1, 4 * SECOND), ofSource)
    if (wait > 0) return Math.ceil(wait / SECOND)
    if (right && this.enabled[name]) {
      this.account[name] = NOTHING()
      this.familiar.add(name)
      return 'in'
    }
    this.account[name] = this.fail(this.account[name], 5)
    this.source = this.fail(this.source, Number.POSITIVE_INFINITY)
    return 'refused'
  }
  /** An open session has a count of its own. */
  unlock(session: Session, right: boolean): 'in' | 'refused' | number {
    const wait = this.wait(session.failures, 1, 4 * SECOND)
    if (wait > 0) return Math.ceil(wait / SECOND)
    session.failures = right ? NOTHING() : this.fail(session.failures, 5)
    return right ? 'in' : 'refused'
  }
}

const page = fc.nat(1)
const name = fc.constantFrom(...PEOPLE)
const right = fc.boolean()
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ act: fc.constant('signIn' as const), page, name, right }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('unlock' as const), page, name, right }) },
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constantFrom(
        'lock' as const,
        'activity' as const,
        'signOut' as const,
        'work' as const,
        'carryOn' as const,
        'old' as const,
      ),
      page,
    }),
  },
  { weight: 5, arbitrary: fc.record({ act: fc.constant('wait' as const), millis: fc.constantFrom(...WAITS) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('switch' as const), name }) },
  { weight: 1, arbitrary: fc.constant({ act: 'restart' as const }) },
)

/** Status, code or state, seconds to wait, and whether a new cookie came. */
const told = (answer: Answer, before: string | null, after: Page) => [
  answer.status,
  answer.json?.ErrorCode ?? answer.json?.State ?? answer.json?.name ?? null,
  Number(answer.headers.get('retry-after') ?? 0),
  after.cookie !== before,
]

interface Run {
  world: World
  readonly pages: Page[]
  readonly ids: Record<Name, string>
  /** A cookie that was replaced or given up. */
  readonly stale: string[]
  readonly model: Model
}

async function take(run: Run, one: Step): Promise<void> {
  const { model } = run
  if (one.act === 'wait') {
    run.world.clock.advance(one.millis)
    model.now += one.millis
    return
  }
  if (one.act === 'switch') {
    model.enabled[one.name] = !model.enabled[one.name]
    await run.world.enable(run.ids[one.name], model.enabled[one.name])
    // Noticed by whoever is asked while it lasts.
    for (const at of [0, 1]) expect(await run.pages[at]?.state()).toBe(model.state(at))
    return
  }
  if (one.act === 'restart') {
    run.world = await run.world.restart()
    const cookies = run.pages.map(({ cookie }) => cookie)
    run.pages.splice(0, 2, run.world.page(), run.world.page())
    for (const [at, cookie] of cookies.entries()) (run.pages[at] as Page).cookie = cookie
    return
  }
  await atPage(run, one)
}

async function atPage(run: Run, one: Extract<Step, { page: number }>): Promise<void> {
  const { model } = run
  const at = run.pages[one.page] as Page
  const before = at.cookie
  const session = model.session(one.page)
  let answer: Answer
  let expected: unknown[]
  switch (one.act) {
    case 'signIn': {
      const found = model.try(one.name, one.right)
      answer = await at.signIn(one.name, one.right ? PASSWORD : WRONG)
      if (found === 'in') {
        model.sessions[one.page] = {
          name: one.name,
          began: model.now,
          active: model.now,
          locked: false,
          failures: NOTHING(),
        }
        expect(answer.json.User.Username).toBe(one.name)
      }
      expected = found === 'in' ? [200, 'open', 0, true] : refusal(found)
      break
    }
    case 'unlock': {
      const found = session === null ? null : model.unlock(session, one.right)
      answer = await at.send('POST', '/connect/session/unlock', { body: { Password: one.right ? PASSWORD : WRONG } })
      if (found === 'in' && session !== null) Object.assign(session, { active: model.now, locked: false })
      expected = found === null ? NOBODY : found === 'in' ? [200, 'open', 0, true] : refusal(found)
      break
    }
    case 'lock':
      answer = await at.send('POST', '/connect/session/lock')
      if (session !== null) session.locked = true
      expected = session === null ? NOBODY : [200, 'locked', 0, false]
      break
    case 'activity':
      answer = await at.send('POST', '/connect/session/activity')
      if (session !== null && !session.locked) session.active = model.now
      expected = session === null ? NOBODY : [200, model.state(one.page), 0, false]
      break
    case 'signOut':
      answer = await at.send('DELETE', '/connect/session')
      model.sessions[one.page] = null
      expected = [204, null, 0, before !== null]
      break
    case 'work':
      answer = await at.send('POST', '/api/v1/tenant/x/change')
      expected =
        session === null ? NOBODY : session.locked ? [401, 'SessionLocked', 0, false] : [200, session.name, 0, false]
      break
    case 'carryOn':
      answer = await at.send('POST', '/api/v1/tenant/x/upload')
      expected = session === null ? NOBODY : [200, session.name, 0, false]
      break
    case 'old': {
      const visitor = run.world.page()
      visitor.cookie = run.stale.at(-1) ?? null
      const sent = visitor.cookie
      answer = await visitor.send('GET', '/api/v1/tenant/x/who')
      expect(told(answer, sent, visitor)).toEqual(NOBODY)
      return
    }
  }
  expect([one, ...told(answer, before, at)]).toEqual([one, ...expected])
  if (before !== null && at.cookie !== before) run.stale.push(before)
  for (const other of [0, 1])
    expect([one, other, await run.pages[other]?.state()]).toEqual([one, other, model.state(other)])
}

const NOBODY = [401, 'Unauthorized', 0, false]
const refusal = (found: 'refused' | number): unknown[] =>
  found === 'refused' ? [401, 'SignInRefused', 0, false] : [429, 'TooManyAttempts', found, false]

it('whatever is done in whatever order, the station answers as the model does, and its ledger tells the same story', {
  timeout: 1_200_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }), async (steps) => {
      const world = await startWorld({ passwords: QUICK })
      const run: Run = {
        world,
        pages: [world.page(), world.page()],
        ids: { ada: await world.user('ada'), bob: await world.user('bob') },
        stale: [],
        model: new Model(),
      }
      try {
        for (const one of steps) await take(run, one)
        // Of every session that began, the ledger's last word is how it stands.
        const { rows, entries } = await ended(run.world)
        for (const { id, over, locked } of rows) {
          const last = entries.findLast(({ detail }) => detail?.['session'] === id && detail['notice'] === undefined)
          const word = last?.action ?? 'session.opened'
          const standing = over
            ? ['session.closed', 'session.ended']
            : locked
              ? ['session.locked', 'session.refused']
              : ['session.opened', 'session.unlocked', 'session.refused']
          expect([id, standing]).toEqual([id, expect.arrayContaining([word])])
        }
      } finally {
        await run.world.close()
      }
    }),
    // Shrinking would start stations for minutes; the step that fails is named as it is.
    { numRuns: scale(10, 100, 3), endOnFailure: true },
  )
})

async function ended({ db, ledger }: World) {
  const rows = await db.read.selectFrom('sessions').select(['session_id', 'ended_at', 'locked_at']).execute()
  return {
    rows: rows.map(({ session_id, ended_at, locked_at }) => ({
      id: String(session_id),
      over: ended_at !== null,
      locked: locked_at !== null,
    })),
    entries: ledger(),
  }
}
