/**
 * Challenges of passkeys (WebAuthn 13.4.3): unguessable, valid once, for five minutes and for one purpose. A challenge carries its end and
 * purpose under a MAC, so that every node knows the challenges of all, and callers without an account store nothing by asking for one. Only
 * the use of a valid one is stored.
 */
import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Database } from '../../../kernel/database/database.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { forgetChallenges, useChallenge } from './passkeys.store.ts'

export interface Purpose {
  readonly act: 'register' | 'signIn'
  readonly origin: string
  /** The session that adds a passkey, or the address that signs in. A challenge is valid only for its own holder. */
  readonly holder: string
}

export interface PasskeyChallenges {
  /** @param note in base64url, returned by `take`; it can be read in the challenge. @returns the challenge as base64url. */
  make(purpose: Purpose, note?: string): string
  /** Uses the challenge up, even for a wrong purpose. @returns the note; null when it was not valid for this purpose. */
  take(challenge: string, purpose: Purpose): Promise<string | null>
}

/** Milliseconds. */
export const CHALLENGE_LIFE = 5 * 60_000
/** Milliseconds for which a used challenge is remembered beyond its end, in case the clock is set back. */
const REMEMBERED = 86_400_000

/** Bytes: end, random part, purpose, then the note, and last the MAC. */
const END = 6
const RANDOM = 16
const PURPOSE = 32
const MAC = 32
const HEAD = END + RANDOM + PURPOSE

const purposeHash = ({ act, origin, holder }: Purpose): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([act, origin, holder]))
    .digest()

interface Deps {
  readonly db: Pick<Database, 'transaction'>
  readonly clock: Pick<Clock, 'now'>
  /** The same on every node. */
  readonly secretsKey: Uint8Array
}

export function createPasskeyChallenges({ db, clock, secretsKey }: Deps): PasskeyChallenges {
  const key = Buffer.from(hkdfSync('sha256', secretsKey, '', 'sallyport passkey challenges', 32))
  const macOf = (bytes: Uint8Array): Buffer => createHmac('sha256', key).update(bytes).digest()

  /** The parts of a challenge of this station that is not over; null for any other text. */
  const read = (
    challenge: string,
  ): { readonly until: number; readonly purpose: Buffer; readonly note: string } | null => {
    const bytes = Buffer.from(challenge, 'base64url')
    // Other spellings of the same bytes would be other challenges to those that were used.
    if (bytes.length < HEAD + MAC || bytes.toString('base64url') !== challenge) return null
    const body = bytes.subarray(0, -MAC)
    if (!timingSafeEqual(macOf(body), bytes.subarray(-MAC))) return null
    const until = body.readUIntBE(0, END)
    const left = until - clock.now()
    // In both directions: setting the clock back must not extend its life.
    if (left <= 0 || left > CHALLENGE_LIFE) return null
    return {
      until,
      purpose: body.subarray(END + RANDOM, HEAD),
      note: body.subarray(HEAD).toString('base64url'),
    }
  }

  return {
    make: (purpose, note = '') => {
      const end = Buffer.alloc(END)
      end.writeUIntBE(clock.now() + CHALLENGE_LIFE, 0, END)
      const body = Buffer.concat([end, randomBytes(RANDOM), purposeHash(purpose), Buffer.from(note, 'base64url')])
      return Buffer.concat([body, macOf(body)]).toString('base64url')
    },
    take: async (challenge, purpose) => {
      const found = read(challenge)
      if (found === null) return null
      const isFirst = await db.transaction(async (tx) => {
        await forgetChallenges(tx, clock.now() - REMEMBERED)
        return useChallenge(tx, createHash('sha256').update(challenge).digest('hex'), found.until)
      })
      return isFirst && timingSafeEqual(found.purpose, purposeHash(purpose)) ? found.note : null
    },
  }
}
