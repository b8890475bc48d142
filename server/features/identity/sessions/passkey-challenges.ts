/**
 * Challenges of passkeys (WebAuthn 13.4.3): random, valid once, for five minutes and for one purpose. Kept in memory only: callers need no
 * account to request them, and such requests must not fill the database.
 */
import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../platform/clock/clock.ts'

export interface Purpose {
  readonly act: 'register' | 'signIn'
  readonly origin: string
  /** The session that adds a passkey, or the address that signs in. A challenge is valid only for its own holder. */
  readonly holder: string
}

export interface PasskeyChallenges {
  /** @param note returned by `take`. @returns the challenge as base64url. */
  make(purpose: Purpose, note?: string): string
  /** Uses the challenge up, even for a wrong purpose. @returns the note; null when it was not valid for this purpose. */
  take(challenge: string, purpose: Purpose): string | null
}

/** Milliseconds. */
export const CHALLENGE_LIFE = 5 * 60_000
/** Limits for one holder, where a whole shift may share an address, and for all. A holder over its limit loses its oldest challenge. */
const MAX_PER_HOLDER = 32
const MAX_TOTAL = 2048

export function createPasskeyChallenges(clock: Pick<Clock, 'monotonic'>): PasskeyChallenges {
  // In order of creation: the oldest is first.
  const known = new Map<string, Purpose & { readonly note: string; readonly until: number }>()
  const makeRoom = ({ act, holder }: Purpose): void => {
    const now = clock.monotonic()
    const own: string[] = []
    for (const [challenge, entry] of known) {
      if (entry.until <= now) known.delete(challenge)
      else if (entry.act === act && entry.holder === holder) own.push(challenge)
    }
    const [oldest] = own.length >= MAX_PER_HOLDER ? own : known.size >= MAX_TOTAL ? known.keys() : []
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
