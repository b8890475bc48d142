import { describe, expect, it } from 'vitest'
import {
  type AccountEvent,
  AUTHENTICATOR,
  controlEndsAt,
  controllersOf,
  controllersSince,
  controlStates,
  type ControlAct,
  passkeyFactor,
  settlingDays,
} from './account-control.ts'
import { DAY } from '../retention/retention.ts'

const TIMES = [{ days: 14, since: 0 }]
const control = (account: string, by: string, at = 0, act: ControlAct = 'Created'): AccountEvent => ({
  kind: 'control',
  account,
  by,
  byName: by,
  at: at * DAY,
  act,
})
const password = (account: string, at: number): AccountEvent => ({ kind: 'password', account, at: at * DAY })
const factor = (account: string, at: number, name = AUTHENTICATOR): AccountEvent => ({
  kind: 'factor',
  account,
  at: at * DAY,
  factor: name,
})
const removed = (account: string, at: number, name = AUTHENTICATOR): AccountEvent => ({
  kind: 'factorRemoved',
  account,
  at: at * DAY,
  factor: name,
})
const ended = (account: string, at: number): AccountEvent => ({ kind: 'ended', account, at: at * DAY })
const controllers = (account: string, ...events: AccountEvent[]): string[] =>
  [...controllersOf(controlStates(events), account)].sort()
const endsOn = (...events: AccountEvent[]): number | null => {
  const state = controlStates(events).get('p')
  const at = state === undefined ? null : controlEndsAt(state, TIMES)
  return at === null ? null : at / DAY
}

describe('I10: who controls an account', () => {
  it('whoever created or reset it, and whoever controls them', () => {
    expect(controllers('p', control('p', 'a'))).toEqual(['a'])
    expect(controllers('p', control('b', 'a'), control('p', 'b'))).toEqual(['a', 'b'])
    for (const act of ['PasswordReset', 'SecondStepReset', 'PasskeysReset'] as const)
      expect(controllers('p', control('p', 'a'), ended('p', 20), control('p', 'b', 30, act))).toEqual(['b'])
    // Two who control each other: no endless walk, and nobody controls themselves.
    expect(controllers('a', control('b', 'a'), control('a', 'b'))).toEqual(['b'])
  })

  it('whoever controlled the actor at the time of the act, also after that control ended', () => {
    expect(controllers('p', control('b', 'a'), control('p', 'b', 13), ended('b', 14))).toEqual(['a', 'b'])
    expect(controllers('p', control('b', 'a'), ended('b', 14), control('p', 'b', 15))).toEqual(['b'])
    // Whoever takes over the maker afterwards counts as well.
    expect(controllers('p', control('p', 'b'), control('b', 'a', 3, 'PasswordReset'))).toEqual(['a', 'b'])
  })

  it('resetting one’s own account gives nobody control', () => {
    expect(controllers('p', control('p', 'p', 1, 'PasswordReset'))).toEqual([])
  })
})

describe('I10: when control ends', () => {
  it.each<[string, AccountEvent[], number | null]>([
    ['never without anything of the owner', [control('p', 'a')], null],
    ['never with a password alone', [control('p', 'a'), password('p', 1)], null],
    ['never with a factor alone', [control('p', 'a'), factor('p', 1)], null],
    ['the settling time after the act', [control('p', 'a', 2), password('p', 3), factor('p', 9)], 16],
    ['a passkey is a second factor', [control('p', 'a'), password('p', 1), factor('p', 1, passkeyFactor('1'))], 14],
    ['a factor of before the password is not the owner’s', [control('p', 'a'), factor('p', 1), password('p', 2)], null],
    [
      'one that another left behind keeps control from ending, until it is removed',
      [control('p', 'a'), factor('p', 1, 'passkey:1'), password('p', 2), factor('p', 2)],
      null,
    ],
    [
      'and then it ends',
      [control('p', 'a'), factor('p', 1, 'passkey:1'), password('p', 2), factor('p', 2), removed('p', 3, 'passkey:1')],
      14,
    ],
    [
      'another act begins it anew',
      [control('p', 'a'), password('p', 1), factor('p', 1), control('p', 'b', 5, 'PasswordReset')],
      null,
    ],
    [
      'a factor of before control began stays the owner’s',
      [
        control('p', 'a'),
        password('p', 1),
        factor('p', 1),
        ended('p', 14),
        control('p', 'b', 20, 'PasswordReset'),
        password('p', 21),
      ],
      34,
    ],
    [
      'unless it was removed',
      [
        control('p', 'a'),
        password('p', 1),
        factor('p', 1),
        ended('p', 14),
        control('p', 'b', 20, 'SecondStepReset'),
        password('p', 21),
      ],
      null,
    ],
  ])('%s', (_, events, expected) => expect(endsOn(...events)).toBe(expected))

  it('a shorter setting lets nobody off who acted before it', () => {
    const times = [
      { days: 14, since: 0 },
      { days: 1, since: 10 * DAY },
    ]
    expect(settlingDays(times, 5 * DAY)).toBe(14)
    expect(settlingDays(times, 11 * DAY)).toBe(1)
    expect(settlingDays([{ days: 3, since: 100 }], 5)).toBe(3)
  })

  it('what an account did is of whoever controlled it then', () => {
    const events = [control('p', 'a'), password('p', 1), factor('p', 1), ended('p', 14)]
    const since = (day: number): string[] => [...controllersSince(events, 'p', { since: day * DAY, now: 30 * DAY })]
    expect(since(5)).toEqual(['a'])
    expect(since(14)).toEqual(['a'])
    expect(since(15)).toEqual([])
    // A time that is still to come comes from a clock that was set back.
    expect(since(31)).toEqual(['a'])
  })
})
