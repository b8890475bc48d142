import { Fault } from '../../../../shared/kernel/errors.ts'

/** Who waits for a password to be verified. */
export interface Applicant {
  /** Two with the same key never run at the same time: their failures are counted together, one after the other. */
  readonly key: string
  readonly source: string
  /** A familiar source, an open session, or this very machine: there is room for them whatever strangers do. */
  readonly reserved: boolean
}

export interface PasswordQueue {
  /** Runs `work` when its turn comes. @throws Fault TooManyRequests when too many of one source, of one key, or of all, wait. */
  run<T>(applicant: Applicant, work: () => Promise<T>): Promise<T>
}

interface Waiting extends Applicant {
  readonly start: () => void
}

const MOST_OF_KEY = 16
/** A whole shift may sit behind one familiar address. */
const MOST_OF_SOURCE = { stranger: 16, reserved: 64 }
const MOST_STRANGERS = 128
const MOST_RESERVED = 128
/** Each password that is verified takes 64 MiB: four of them at most. */
const MOST_AT_ONCE = 4

/**
 * Passwords are verified on several cores, but those of one account and those of one unfamiliar source one after another: a hundred
 * guesses sent at once would otherwise all be looked at before the first of them counts. Strangers never take the last place at work,
 * nor any of the places that are kept for familiar sources (promise S18).
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
  /** Those at work count too. */
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
