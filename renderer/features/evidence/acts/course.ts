/** An act on many: one after the other or a few side by side, told as it goes, stopped between two, and with what failed by name. */
import { Fault, FAULTS } from '../../../../shared/kernel/errors.ts'
import type { Named } from './targets.ts'

export interface Failed {
  readonly target: Named
  readonly refusal: unknown
}

/** Some were done, others were refused or not tried. */
export class PartDone extends Error {
  override readonly name = 'PartDone'
  readonly done: readonly Named[]
  /** Each with why; what was not tried any more is not among them. */
  readonly failed: readonly Failed[]
  /** Why it ended: what was refused first, or `Stopped`. */
  readonly refusal: unknown
  constructor(done: readonly Named[], failed: readonly Failed[], refusal: unknown) {
    super('')
    this.done = done
    this.failed = failed
    this.refusal = refusal
  }
}

/** The person stopped it: what was done by then stays done. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
}

/** Of an act on many: told after each of them, and asked before the next. */
export interface Course {
  readonly onDone: (done: number) => void
  readonly isStopped: () => boolean
}

/** Refusals of anybody and anything: the next item would be refused too. */
const OF_ALL: ReadonlySet<string> = new Set(['ReadOnly', 'Unauthorized', 'SessionLocked', 'TenantNotFound'])

/** A refusal of one item says nothing of the next; a station that does not answer does. */
const isOfOne = (refusal: unknown): boolean =>
  refusal instanceof Fault &&
  refusal.retryAfter === undefined &&
  !OF_ALL.has(refusal.code) &&
  FAULTS[refusal.code] < 500

/**
 * @param parts each is done by one request
 * @param lanes so many at the same time
 * @throws PartDone; of a single target its refusal itself
 */
export async function inTurn<T extends Named>(
  parts: readonly (readonly T[])[],
  act: (part: readonly T[]) => Promise<unknown>,
  { course, lanes = 1 }: { readonly course?: Course | undefined; readonly lanes?: number } = {},
): Promise<void> {
  const done: T[] = []
  const failed: Failed[] = []
  let next = 0
  let end: { readonly why: unknown } | null = null
  const lane = async (): Promise<void> => {
    for (let part = parts[next++]; part !== undefined && end === null; part = parts[next++]) {
      if (course?.isStopped() === true) {
        end ??= { why: new Stopped() }
        return
      }
      try {
        await act(part)
        done.push(...part)
        course?.onDone(done.length)
      } catch (refusal) {
        failed.push(...part.map((target) => ({ target, refusal })))
        if (!isOfOne(refusal)) end ??= { why: refusal }
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(lanes, parts.length) }, lane))
  const why = (end as { readonly why: unknown } | null)?.why ?? failed[0]?.refusal
  if (why === undefined) return
  throw done.length === 0 && parts.flat().length === 1 ? why : new PartDone(done, failed, why)
}

export const partsOf = <T>(all: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size))
