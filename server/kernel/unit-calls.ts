/** How a call of somebody reaches a unit of work, which runs on another thread: as plain data there, as a call again on the other side. */
import type { Principal } from '../../shared/kernel/principal.ts'
import { type Clock } from '../platform/clock/clock.ts'
import type { Decision } from './access/decision.ts'
import type { Database, Tx } from './database/database.ts'
import { does, unit, type Unit, type UnitBody } from './database/units.ts'
import { rememberAnswer, type Scope } from './idempotency.store.ts'
import type { Arrival, Call } from './ledger/call.ts'

/** Under what an answer is remembered (decisions 1). */
export interface AnswerKey {
  readonly scope: Scope
  /** SHA-256 of what the request says. */
  readonly bodyHash: string
  /** With which a plain answer goes out. */
  readonly status: number
}

/** A call as a unit of work has it. */
export interface UnitCall extends Call {
  /** Null where nobody signed in; `actor` is then an anonymous one. */
  readonly principal: Principal | null
  /**
   * Remembers the answer under the request's Idempotency-Key in the caller's own transaction, so that answer and change commit together.
   * Without a key it does nothing.
   */
  once<T>(tx: Tx, answer: T, status?: number): Promise<T>
  /** A service tells that it judged the caller itself (promise S16). */
  decided(what: Decision): void
}

/** A call that can start a unit of work. */
export interface StartingCall extends UnitCall {
  /** Null: the answer is not remembered. */
  readonly answerKey: AnswerKey | null
}

interface PlainCall {
  readonly actor: Principal
  readonly principal: Principal | null
  readonly source: string
  readonly correlationId: string
  readonly arrival?: Arrival
  readonly answerKey: AnswerKey | null
}

interface Asked<Input> {
  readonly call: PlainCall
  readonly input: Input
}

interface Told<Output> {
  readonly output: Output
  readonly decisions: readonly Decision[]
}

/** A unit that somebody's call starts. */
export type CallUnit<Input, Output> = Unit<Asked<Input>, Told<Output>>

export const callUnit = <Input, Output>(name: string): CallUnit<Input, Output> => unit(name)

const plain = ({ actor, principal, source, correlationId, arrival, answerKey }: StartingCall): PlainCall => ({
  actor,
  principal,
  source,
  correlationId,
  ...(arrival === undefined ? {} : { arrival }),
  answerKey,
})

/** @throws what the unit throws */
export type StartUnit = <Input, Output>(
  named: CallUnit<Input, Output>,
  call: StartingCall,
  input: Input,
) => Promise<Output>

export function createStartUnit(db: Pick<Database, 'run'>, clock: Clock): StartUnit {
  return async (named, call, input) => {
    const { output, decisions } = await db.run(named, { call: plain(call), input }, clock.now)
    for (const decision of decisions) call.decided(decision)
    return output
  }
}

/** Pairs a unit with its work, for the list that the thread loads. */
export const doesCall = <Input, Output>(
  named: CallUnit<Input, Output>,
  clock: Clock,
  body: (tx: Tx, call: UnitCall, input: Input) => Promise<Output>,
): readonly [Unit<never, unknown>, UnitBody] =>
  does(named, async (tx, { call: { answerKey, ...call }, input }) => {
    const decisions: Decision[] = []
    const output = await body(
      tx,
      { ...call, once: onceUnder(answerKey, clock), decided: (what) => void decisions.push(what) },
      input,
    )
    return { output, decisions }
  })

/** For answers that are plain values. */
export function onceUnder(key: AnswerKey | null, clock: Clock): UnitCall['once'] {
  return async (tx, answer, status) => {
    if (key === null) return answer
    const { scope, bodyHash } = key
    const remembered = { bodyHash, status: status ?? key.status, answer: JSON.stringify({ body: answer, headers: {} }) }
    await rememberAnswer(tx, scope, remembered, clock.now())
    return answer
  }
}
