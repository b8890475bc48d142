/**
 * Challenges of passkeys (WebAuthn 13.4.3): random, each good once, for five minutes, for what it was given out for. In memory only:
 * strangers ask for them, and nothing that strangers do may fill the database.
 */
import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../platform/clock/clock.ts'

export interface Purpose {
  readonly act: 'register' | 'signIn'
  readonly origin: string
  /** The session that makes a passkey, or the address that signs in; what another of them brings is not taken. */
  readonly holder: string
}

export interface PasskeyChallenges {
  /** @param note given back with it, to whoever takes it. @returns base64url. */
  make(purpose: Purpose, note?: string): string
  /** Uses it up, for whatever purpose it was. @returns the note; null when it was not good for this one. */
  take(challenge: string, purpose: Purpose): string | null
}

/** Milliseconds. */
export const CHALLENGE_LIFE = 5 * 60_000
/** A shift behind one address, and every address there may be: whoever asks for more pushes out their own oldest. */
const MOST_OF_ONE = 32
const MOST_IN_ALL = 2048

export function createPasskeyChallenges(clock: Pick<Clock, 'monotonic'>): PasskeyChallenges {
  // In the order in which they were made, so that the oldest stands first.
  const known = new Map<string, Purpose & { readonly note: string; readonly until: number }>()
  const makeRoom = ({ act, holder }: Purpose): void => {
    const now = clock.monotonic()
    const own: string[] = []
    for (const [challenge, one] of known) {
      if (one.until <= now) known.delete(challenge)
      else if (one.act === act && one.holder === holder) own.push(challenge)
    }
    const [oldest] = own.length >= MOST_OF_ONE ? own : known.size >= MOST_IN_ALL ? known.keys() : []
    if (oldest !== undefined) known.delete(oldest)
  }
  return {
    make: (purpose, note = '') => {
      makeRoom(purpose)
      const challenge = randomBytes(32).toString('base64url')
      known.set(challenge, { ...purpose, note, until: clock.monotonic() + CHALLENGE_LIFE })
      return challenge
    },
    take: (challenge, { act, origin, holder }) => {
      const found = known.get(challenge)
      known.delete(challenge)
      if (found === undefined || clock.monotonic() >= found.until) return null
      return found.act === act && found.origin === origin && found.holder === holder ? found.note : null
    },
  }
}
