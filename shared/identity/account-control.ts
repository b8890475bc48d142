/**
 * Who controls an account (decisions 6, promise I10). Whoever created an account, reset its password, or took away its second step or
 * passkeys can sign in with it, or could arrange to. They control it until its owner has set a password and a second factor of their
 * own and the settling time has passed since the last such act. The end of control is an event of its own, recorded in the ledger.
 */
import { DAY } from '../retention/retention.ts'

export const CONTROL_ACTS = ['Created', 'PasswordReset', 'SecondStepReset', 'PasskeysReset', 'KeysReplaced'] as const
export type ControlAct = (typeof CONTROL_ACTS)[number]

/** Everybody who works at the command line counts as one person: names of the operating system prove nothing here. */
export const COMMAND_LINE = 'cli'

/** A PrincipalId, or COMMAND_LINE. */
export type Person = string

/** What happened to an account, in the order of the ledger. `at` is in milliseconds since 1970. */
export type AccountEvent = { readonly account: Person; readonly at: number } & (
  | { readonly kind: 'control'; readonly act: ControlAct; readonly by: Person; readonly byName: string }
  /** The owner set a password. */
  | { readonly kind: 'password' }
  /** The owner added a second factor: an authenticator or a passkey. */
  | { readonly kind: 'factor'; readonly factor: string }
  | { readonly kind: 'factorRemoved'; readonly factor: string }
  /** The station recorded that control ended. */
  | { readonly kind: 'ended' }
)

export interface StandingAct {
  readonly act: ControlAct
  readonly by: Person
  readonly byName: string
  readonly at: number
}

/**
 * `settled`: it was there when control ended last, or was added while nobody controlled the account. `own`: added after the owner set a
 * password of their own, while control lasts. `foreign`: whoever controls the account may have added it.
 */
type FactorTrust = 'settled' | 'own' | 'foreign'

export interface AccountState {
  /** The acts that still give control. Empty: the account is its owner's alone. */
  acts: StandingAct[]
  /** Who acted, and whoever controlled them when they acted. */
  controllers: Set<Person>
  /** The owner set a password after the last act. */
  ownPassword: boolean
  factors: Map<string, FactorTrust>
  endedAt: number | null
}

export const AUTHENTICATOR = 'authenticator'
export const passkeyFactor = (id: string): string => `passkey:${id}`

export type ControlStates = ReadonlyMap<Person, AccountState>

const newState = (): AccountState => ({
  acts: [],
  controllers: new Set(),
  ownPassword: false,
  factors: new Map(),
  endedAt: null,
})

/** Everybody who controls the account now, directly or through accounts that they control; without the account itself. */
export function controllersOf(states: ControlStates, account: Person): Set<Person> {
  const found = new Set<Person>()
  const waiting = [account]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const by of states.get(next)?.controllers ?? [])
      if (by !== account && !found.has(by)) {
        found.add(by)
        waiting.push(by)
      }
  return found
}

function applyEvent(states: Map<Person, AccountState>, event: AccountEvent): void {
  const state = states.get(event.account) ?? newState()
  states.set(event.account, state)
  switch (event.kind) {
    case 'control':
      applyControl(states, state, event)
      return
    case 'password':
      state.ownPassword = true
      return
    case 'factor':
      state.factors.set(event.factor, state.acts.length === 0 ? 'settled' : state.ownPassword ? 'own' : 'foreign')
      return
    case 'factorRemoved':
      state.factors.delete(event.factor)
      return
    case 'ended':
      state.acts = []
      state.controllers = new Set()
      state.endedAt = event.at
      for (const factor of state.factors.keys()) state.factors.set(factor, 'settled')
  }
}

function applyControl(
  states: Map<Person, AccountState>,
  state: AccountState,
  { account, act, by, byName, at }: AccountEvent & { kind: 'control' },
): void {
  for (const factor of state.factors.keys()) {
    const removed =
      act === 'SecondStepReset' ? factor === AUTHENTICATOR : act === 'PasskeysReset' && factor !== AUTHENTICATOR
    if (removed) state.factors.delete(factor)
  }
  // An administrator who resets their own account hands it to nobody.
  if (by === account) {
    if (act === 'PasswordReset') state.ownPassword = true
    return
  }
  for (const [factor, trust] of state.factors) if (trust === 'own') state.factors.set(factor, 'foreign')
  state.ownPassword = false
  state.acts.push({ act, by, byName, at })
  state.controllers.add(by)
  // Who controlled the actor's account at this moment may be the one who acted; that stays true when their control ends later.
  for (const other of controllersOf(states, by)) if (other !== account) state.controllers.add(other)
}

/** The state of every account after these events. */
export function controlStates(events: readonly AccountEvent[]): Map<Person, AccountState> {
  const states = new Map<Person, AccountState>()
  for (const event of events) applyEvent(states, event)
  return states
}

/**
 * Everybody who controlled the account at some moment since a time: what an account did then may have been done by whoever controlled it
 * then. A time that is still to come was given by a clock that was set back since, so that everything counts.
 */
export function controllersSince(
  events: readonly AccountEvent[],
  account: Person,
  { since, now }: { readonly since: number; readonly now: number },
): Set<Person> {
  const states = new Map<Person, AccountState>()
  const found = new Set<Person>()
  let reached = since > now
  for (const event of events) {
    reached ||= event.at >= since
    if (reached) for (const by of controllersOf(states, account)) found.add(by)
    applyEvent(states, event)
  }
  for (const by of controllersOf(states, account)) found.add(by)
  return found
}

/** How many days the setting asked for, from when on; the oldest first. */
export interface SettlingTime {
  readonly days: number
  readonly since: number
}

/** The longest that the setting asked for since an act: making it shorter lets nobody off who acted before. */
export function settlingDays(times: readonly SettlingTime[], actAt: number): number {
  let longest = 0
  for (const [at, { days }] of times.entries()) {
    const next = times[at + 1]
    if (next === undefined || next.since >= actAt) longest = Math.max(longest, days)
  }
  return longest
}

/** Whether the owner has a second factor, and nobody else's remains. */
export const hasOwnFactor = ({ factors }: AccountState): boolean =>
  factors.size > 0 && ![...factors.values()].includes('foreign')

/** When control ends, as things stand; null while the owner has still to do something. */
export function controlEndsAt(state: AccountState, times: readonly SettlingTime[]): number | null {
  const last = state.acts.reduce((latest, { at }) => Math.max(latest, at), 0)
  if (state.acts.length === 0 || !state.ownPassword || !hasOwnFactor(state)) return null
  return last + settlingDays(times, last) * DAY
}
