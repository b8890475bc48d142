/** Passes a call to a unit of work on the database's thread: the call crosses as plain data and becomes a call again there. */
import type { Principal } from '../../shared/kernel/principal.ts'
import { type Clock } from '../platform/clock/clock.ts'
import type { Decision } from './access/decision.ts'
import type { Database, Tx } from './database/database.ts'
import { does, type RowLocks, unit, type Unit, type UnitBody } from './database/units.ts'
import { rememberAnswer, type Scope } from './idempotency.store.ts'
import type { Arrival, Call } from './ledger/call.ts'

/** The key under which an answer is remembered (decisions 1). */
export interface AnswerKey {
  readonly scope: Scope
  /** SHA-256 of the parsed request. */
  readonly bodyHash: string
  /** Status of a plain answer. */
  readonly status: number
}

/** A call as seen by a unit of work. */
export interface UnitCall extends Call {
  /** Null without a sign-in; `actor` is then anonymous. */
  readonly principal: Principal | null
  /**
   * Stores the answer under the request's Idempotency-Key in the caller's transaction, so that answer and change commit together.
   * Does nothing without a key.
   */
  rememberAnswer<T>(tx: Tx, answer: T, status?: number): Promise<T>
  /** Reports that the service checked the caller's permission itself (promise S16). */
  reportDecision(decision: Decision): void
}

/** A call that can start a unit of work. */
export interface StartingCall extends UnitCall {
  /** Null when the answer is not remembered. */
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

interface CallInput<Input> {
  readonly call: PlainCall
  readonly input: Input
}

interface CallOutput<Output> {
  readonly output: Output
  readonly decisions: readonly Decision[]
}

/** A unit of work that is started by a call. */
export type CallUnit<Input, Output> = Unit<CallInput<Input>, CallOutput<Output>>

/** @param locks as `Unit` has it */
export const callUnit = <Input, Output>(
  name: string,
  locks?: (input: Input) => RowLocks | null,
): CallUnit<Input, Output> => (locks === undefined ? unit(name) : unit(name, ({ input }) => locks(input)))

const plainCallOf = ({ actor, principal, source, correlationId, arrival, answerKey }: StartingCall): PlainCall => ({
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
    const { output, decisions } = await db.run(named, { call: plainCallOf(call), input }, clock.now)
    for (const decision of decisions) call.reportDecision(decision)
    return output
  }
}

/** Pairs a unit with its function, for the list that the database's thread loads. */
export const doesCall = <Input, Output>(
  named: CallUnit<Input, Output>,
  clock: Clock,
  body: (tx: Tx, call: UnitCall, input: Input) => Promise<Output>,
): readonly [Unit<never, unknown>, UnitBody] =>
  does(named, async (tx, { call: { answerKey, ...call }, input }) => {
    const decisions: Decision[] = []
    const output = await body(
      tx,
      {
        ...call,
        rememberAnswer: rememberUnder(answerKey, clock),
        reportDecision: (decision) => void decisions.push(decision),
      },
      input,
    )
    return { output, decisions }
  })

/** For answers that are plain values. */
export function rememberUnder(key: AnswerKey | null, clock: Clock): UnitCall['rememberAnswer'] {
  return async (tx, answer, status) => {
    if (key === null) return answer
    const { scope, bodyHash } = key
    const remembered = { bodyHash, status: status ?? key.status, answer: JSON.stringify({ body: answer, headers: {} }) }
    await rememberAnswer(tx, scope, remembered, clock.now())
    return answer
  }
}
