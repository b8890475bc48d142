import { Fault } from '../../../../shared/kernel/errors.ts'

/** A request that waits for a password to be verified. */
export interface Applicant {
  /** Requests with the same key never run at the same time: their failures are counted together, one after the other. */
  readonly key: string
  readonly source: string
  /** A familiar source, an open session, or the station's own machine: unfamiliar sources cannot take their places. */
  readonly reserved: boolean
}

export interface PasswordQueue {
  /** Runs `work` when its turn comes. @throws Fault TooManyRequests when too many wait, for one source, for one key, or in total. */
  run<T>(applicant: Applicant, work: () => Promise<T>): Promise<T>
}

interface Waiting extends Applicant {
  readonly start: () => void
}

const MOST_OF_KEY = 16
/** A whole shift may share one familiar address. */
const MOST_OF_SOURCE = { stranger: 16, reserved: 64 }
const MOST_STRANGERS = 128
const MOST_RESERVED = 128
/** Verifying a password takes 64 MiB, so at most four run at once. */
const MOST_AT_ONCE = 4

/**
 * Verifies passwords on several cores, but those of one account and those of one unfamiliar source one after another: otherwise a hundred
 * guesses sent at once would all be checked before the first failure counts. Unfamiliar sources never take the last running slot, nor a
 * place that is reserved for familiar sources (promise S18).
 * @param cores of this machine
 */
export function createPasswordQueue(cores: number): PasswordQueue {
  const atOnce = Math.max(2, Math.min(cores, MOST_AT_ONCE))
  const waiting: Waiting[] = []
  const running = new Set<Applicant>()

  const mayRun = (one: Waiting): boolean => {
    const all = [...running]
    if (all.some(({ key }) => key === one.key)) return false
    if (one.reserved) return all.length < atOnce
    const strangers = all.filter(({ reserved }) => !reserved)
    return (
      all.length < atOnce && strangers.length < atOnce - 1 && strangers.every(({ source }) => source !== one.source)
    )
  }
  const startNext = (): void => {
    for (;;) {
      const reserved = waiting.findIndex((one) => one.reserved && mayRun(one))
      const next = reserved >= 0 ? reserved : waiting.findIndex(mayRun)
      const [one] = next < 0 ? [] : waiting.splice(next, 1)
      if (one === undefined) return
      running.add(one)
      one.start()
    }
  }
  /** Running requests count too. */
  const hasRoom = ({ key, source, reserved }: Applicant): boolean => {
    const alike = [...waiting, ...running].filter((one) => one.reserved === reserved)
    return (
      alike.length < (reserved ? MOST_RESERVED : MOST_STRANGERS) &&
      alike.filter((one) => one.key === key).length < MOST_OF_KEY &&
      alike.filter((one) => one.source === source).length < MOST_OF_SOURCE[reserved ? 'reserved' : 'stranger']
    )
  }

  return {
    run: async (applicant, work) => {
      if (!hasRoom(applicant))
        throw new Fault('TooManyRequests', 'Too many sign-ins at once. Try again in a moment.', { retryAfter: 2 })
      const one = await new Promise<Waiting>((resolve) => {
        const mine: Waiting = { ...applicant, start: () => resolve(mine) }
        waiting.push(mine)
        startNext()
      })
      try {
        return await work()
      } finally {
        running.delete(one)
        startNext()
      }
    },
  }
}
