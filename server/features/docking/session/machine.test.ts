import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DOCK_STATES, type DockState } from '../../../../shared/docking/docking.ts'
import { type DockEvent, isOver, isSafe, next, TABLE } from './machine.ts'

const EVENTS: readonly DockEvent[] = [
  'done',
  'notACamera',
  'otherCamera',
  'copyAgain',
  'failed',
  'tryAgain',
  'pulled',
  'reinserted',
  'restarted',
]

/**
 * A card of a few files and a store, driven by the table alone: steps do what their names say, as far as the camera is there, and may stop
 * anywhere. Nothing in it knows of the order of states.
 */
interface World {
  state: DockState
  present: boolean
  readonly card: Set<number>
  readonly listed: Set<number>
  readonly stored: Set<number>
  readonly verified: Set<number>
  readonly cleared: Set<number>
  seen: DockState[]
}

const FILES = [0, 1, 2, 3]

function work(world: World, upTo: number): DockEvent {
  const { step } = TABLE[world.state]
  const needsCamera = step === 'identify' || step === 'list' || step === 'copy'
  if (needsCamera && !world.present) return 'pulled'
  if (step === 'list') for (const file of world.card) world.listed.add(file)
  if (step === 'copy') {
    const left = [...world.listed].filter((file) => !world.stored.has(file) && world.card.has(file))
    for (const file of left.slice(0, upTo)) world.stored.add(file)
    if (left.length > upTo) return 'failed'
  }
  if (step === 'verify') for (const file of world.stored) world.verified.add(file)
  if (step === 'clear' && world.present)
    for (const file of [...world.verified].slice(0, upTo)) {
      world.card.delete(file)
      world.cleared.add(file)
    }
  return 'done'
}

const step = fc.oneof(
  { weight: 24, arbitrary: fc.record({ kind: fc.constant('work' as const), upTo: fc.integer({ min: 0, max: 4 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('event' as const), event: fc.constantFrom(...EVENTS) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pull' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('put' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('lose' as const) }) },
)

function run(steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[]): World {
  const world: World = {
    state: 'detected',
    present: true,
    card: new Set(FILES),
    listed: new Set(),
    stored: new Set(),
    verified: new Set(),
    cleared: new Set(),
    seen: ['detected'],
  }
  const take = (event: DockEvent): void => {
    const to = next(world.state, event)
    if (to === null) return
    world.state = to
    world.seen.push(to)
  }
  for (const one of steps) {
    if (one.kind === 'pull') {
      world.present = false
      take('pulled')
    } else if (one.kind === 'put') {
      world.present = true
      take('reinserted')
    } else if (one.kind === 'lose') {
      // The store found, before the session was committed, that it does not have one of them after all.
      const [lost] = world.stored
      if (lost !== undefined && !isSafe(world.state)) {
        world.stored.delete(lost)
        world.verified.delete(lost)
        take('copyAgain')
      }
    } else if (one.kind === 'event') take(one.event)
    else if (TABLE[world.state].step !== null) take(work(world, one.upTo))
  }
  return world
}

describe('I6 the state machine of a session', () => {
  it('has a row for every state, and every way leads to one', () => {
    expect(Object.keys(TABLE).sort()).toEqual([...DOCK_STATES].sort())
    for (const { on } of Object.values(TABLE)) for (const to of Object.values(on)) expect(DOCK_STATES).toContain(to)
  })

  it('reaches release from every state but those that are over, and leaves those never', () => {
    const reaches = (from: DockState, seen = new Set<DockState>()): Set<DockState> => {
      if (seen.has(from)) return seen
      seen.add(from)
      for (const to of Object.values(TABLE[from].on)) reaches(to, seen)
      return seen
    }
    for (const state of DOCK_STATES)
      expect([state, reaches(state).has('released')]).toEqual([state, state !== 'refused'])
    expect(DOCK_STATES.filter(isOver)).toEqual(['released', 'refused'])
  })

  it('can be pulled, can fail and can be found by a new start in every state that works with the camera', () => {
    for (const state of DOCK_STATES) {
      const { step, on } = TABLE[state]
      if (step === null || isSafe(state)) continue
      expect([state, on.pulled, on.failed, on.restarted]).toEqual([state, 'pulled', 'failed', 'pulled'])
    }
    expect([next('pulled', 'reinserted'), next('failed', 'tryAgain')]).toEqual(['resumed', 'resumed'])
  })

  it('clears in one state alone, and the only way there leads through verifying', () => {
    expect(DOCK_STATES.filter((state) => TABLE[state].step === 'clear')).toEqual(['committed'])
    const into = DOCK_STATES.filter((state) => Object.values(TABLE[state].on).includes('committed'))
    expect(into.sort()).toEqual(['committed', 'verifying'])
  })

  it('no order of events clears what was not verified, loses a file, or leaves the table', () => {
    let cleared = 0
    let released = 0
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const world = run(steps)
        for (const file of world.cleared) expect(world.verified.has(file)).toBe(true)
        for (const file of FILES) expect(world.card.has(file) || world.stored.has(file)).toBe(true)
        for (const state of world.seen) expect(DOCK_STATES).toContain(state)
        if (world.cleared.size > 0) expect(world.seen).toContain('committed')
        cleared += world.cleared.size
        released += world.state === 'released' ? 1 : 0
      }),
      { numRuns: 5000 },
    )
    // It got that far often enough for the above to say something.
    expect(cleared).toBeGreaterThan(50)
    expect(released).toBeGreaterThan(20)
  })
})
