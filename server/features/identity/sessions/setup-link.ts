import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../../platform/clock/clock.ts'

/** The one-time link to the first administrator (decisions 10). Held in memory, as a hash: a restart makes another. */
export interface SetupLink {
  /** A fresh token in place of the one before. */
  make(): string
  fits(token: string): boolean
  spend(): void
}

const HOLDS = 30 * 60_000
const digest = (token: string): Buffer => hash('sha256', token, 'buffer')

export function createSetupLink(clock: Clock): SetupLink {
  let known: { readonly digest: Buffer; readonly until: number } | null = null
  return {
    make: () => {
      const token = randomBytes(32).toString('base64url')
      known = { digest: digest(token), until: clock.monotonic() + HOLDS }
      return token
    },
    fits: (token) => known !== null && clock.monotonic() < known.until && timingSafeEqual(digest(token), known.digest),
    spend: () => {
      known = null
    },
  }
}
