/** Gathers units of work that wait for the writer, so that they share its next commit. */
import { errorAcross } from './crossing-error.ts'
import type { WritePriority, WriteQueue } from './write-queue.ts'
import { type GroupAnswer, MOST_IN_A_GROUP, type Unit, type UnitRequest } from './units.ts'

export interface UnitQueue {
  /**
   * @param now told when the unit begins; milliseconds since 1970
   * @throws what the unit throws, then it left nothing; or what `runGroup` throws
   */
  add<Input, Output>(rank: WritePriority, named: Unit<Input, Output>, input: Input, now: () => number): Promise<Output>
}

interface Waiting {
  readonly name: string
  readonly input: unknown
  readonly now: () => number
  resolve(output: unknown): void
  reject(error: unknown): void
}

/**
 * No timer holds a unit back: an idle writer begins with a lone unit at once, and what comes while it is busy goes together.
 * @param runGroup begins, runs the units and commits
 */
export function createUnitQueue(
  turns: WriteQueue,
  runGroup: (units: readonly UnitRequest[]) => Promise<GroupAnswer>,
): UnitQueue {
  const waiting: Readonly<Record<WritePriority, Waiting[]>> = { request: [], background: [] }
  const scheduled: Record<WritePriority, boolean> = { request: false, background: false }

  const runSome = async (rank: WritePriority): Promise<void> => {
    scheduled[rank] = false
    const some = waiting[rank].splice(0, MOST_IN_A_GROUP)
    try {
      const { results } = await runGroup(some.map(({ name, input, now }) => ({ name, input, now: now() })))
      for (const [at, result] of results.entries()) {
        const one = some[at] as Waiting
        if ('error' in result) one.reject(errorAcross(result.error))
        else one.resolve(result.output)
      }
      waiting[rank].unshift(...some.slice(results.length))
    } catch (error) {
      for (const { reject } of some) reject(error)
    }
    schedule(rank)
  }
  const schedule = (rank: WritePriority): void => {
    if (scheduled[rank] || waiting[rank].length === 0) return
    scheduled[rank] = true
    void turns.run(rank, () => runSome(rank))
  }

  return {
    add: <Input, Output>(rank: WritePriority, { name }: Unit<Input, Output>, input: Input, now: () => number) =>
      new Promise<Output>((resolve, reject) => {
        waiting[rank].push({ name, input, now, resolve: (output) => resolve(output as Output), reject })
        schedule(rank)
      }),
  }
}
