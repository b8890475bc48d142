/**
 * Idempotency-Key (decisions 1): the same key and body get the first answer again, another body is refused, and two simultaneous requests
 * run once. The row, written in the service's own transaction, holds over a crash and for all nodes. The map in memory only prevents
 * simultaneous runs in this process.
 */
import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { Fault, fault } from '../../shared/kernel/errors.ts'
import type { RouteDefinition } from '../../shared/kernel/route.ts'
import type { Principal } from '../../shared/kernel/principal.ts'
import type { Database, Tx } from '../kernel/database/database.ts'
import type { AnswerKey } from '../kernel/unit-calls.ts'
import { Answered } from './handlers.ts'
import type { Clock } from '../platform/clock/clock.ts'
import { findAnswer, rememberAnswer, type Scope } from '../kernel/idempotency.store.ts'

export interface IdempotentCall {
  readonly route: RouteDefinition
  readonly principal: Principal | null
  readonly key: string | undefined
  /** Of the parsed request. */
  readonly hash: string
  /** Status of a plain answer. */
  readonly status: number
}

/** Two ways to remember the answer of a call: `rememberAnswer` in a transaction of this thread, `answerKey` for a unit of work. */
export interface Remembering {
  readonly rememberAnswer: <T>(tx: Tx, answer: T, status?: number) => Promise<T>
  readonly answerKey: AnswerKey | null
}

/** The first answer, as stored. */
export interface RememberedAnswer {
  readonly status: number
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
}

export interface Idempotency {
  /** Runs `work`, or gives the remembered answer of this key to `replay`. @throws Fault InvalidModel, IdempotencyKeyReused, IdempotencyKeyInProgress */
  run<T>(
    call: IdempotentCall,
    work: (remembering: Remembering) => Promise<T>,
    replay: (earlier: RememberedAnswer) => Promise<T>,
  ): Promise<T>
}

/**
 * The hash by which a request is known again. Where the request has a secret it depends on a key that is not in the database: the hash of the
 * request alone would let whoever has the database try passwords out, far quicker than by their own hash.
 * @param secretsKey the station's; without one, such requests are known again in this process only
 */
export function createRequestHash(secretsKey: Uint8Array = randomBytes(32)) {
  const key = Buffer.from(hkdfSync('sha256', secretsKey, '', 'sallyport remembered requests', 32))
  return ({ secrets = [] }: Pick<RouteDefinition, 'secrets'>, body: unknown, hash: string): string => {
    const members = typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : {}
    const hasSecret = secrets.some((name) => members[name] != null)
    return hasSecret ? createHmac('sha256', key).update(hash).digest('hex') : hash
  }
}

/** Milliseconds that a second request with the same key waits for the first. */
const WAIT_MS = 15_000

export const NOT_REMEMBERED: Remembering = { rememberAnswer: async (_tx, answer) => answer, answerKey: null }

export function createIdempotency(database: Pick<Database, 'read'>, clock: Clock, patience = WAIT_MS): Idempotency {
  const running = new Map<string, { hash: string; over: Promise<void> }>()

  return {
    run: async (call, work, replay) => {
      const { key, principal, hash } = call
      if (call.route.idempotent !== true || key === undefined || principal === null) return work(NOT_REMEMBERED)
      if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
        throw fault('InvalidModel', 'The request cannot be understood.', [
          { Path: 'Idempotency-Key', Message: 'must be 1 to 255 visible ASCII characters' },
        ])
      }
      const scope: Scope = { principal: `${principal.kind}:${principal.id}`, operation: call.route.id, key }
      const place = JSON.stringify(scope)
      const deadline = clock.monotonic() + patience
      for (let other = running.get(place); other !== undefined; other = running.get(place)) {
        if (other.hash !== hash) throw reused()
        await waitForFirst(other.over, deadline - clock.monotonic())
      }
      const { promise: over, resolve: end } = Promise.withResolvers<void>()
      running.set(place, { hash, over })
      try {
        let remembered = await findAnswer(database.read, scope, clock.now())
        if (remembered === null) {
          try {
            return await work(rememberUnder({ scope, bodyHash: hash, status: call.status }, clock))
          } catch (error) {
            // Another node may have done the same work first: that is why it failed here, and its answer is the first one.
            remembered = await findAnswer(database.read, scope, clock.now())
            if (remembered === null) throw error
          }
        }
        if (remembered.bodyHash !== hash) throw reused()
        const { body, headers } = JSON.parse(remembered.answer) as { body?: unknown; headers: Record<string, string> }
        return await replay({ status: remembered.status, body, headers })
      } finally {
        running.delete(place)
        end()
      }
    },
  }
}

function rememberUnder(answerKey: AnswerKey, clock: Clock): Remembering {
  const { scope, bodyHash, status: standard } = answerKey
  return {
    answerKey,
    rememberAnswer: async (tx, answer, status) => {
      const {
        status: answerStatus,
        body,
        headers,
      } = answer instanceof Answered ? answer : { status: standard, body: answer, headers: {} }
      const remembered = { bodyHash, status: status ?? answerStatus, answer: JSON.stringify({ body, headers }) }
      await rememberAnswer(tx, scope, remembered, clock.now())
      return answer
    },
  }
}

const reused = (): Fault => fault('IdempotencyKeyReused', 'This Idempotency-Key was used with another request.')

async function waitForFirst(over: Promise<void>, millis: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    const inProgress = new Fault(
      'IdempotencyKeyInProgress',
      'The first request with this Idempotency-Key is still running.',
      { retryAfter: 5 },
    )
    timer = setTimeout(() => reject(inProgress), Math.max(0, millis))
  })
  await Promise.race([over, late]).finally(() => clearTimeout(timer))
}
