import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../../platform/clock/clock.ts'

/** The one-time link for creating the first administrator (decisions 10). Kept in memory, as a hash: a restart makes a new one. */
export interface SetupLink {
  /** Gives a new token, which replaces the previous one. */
  make(): string
  fits(token: string): boolean
  spend(): void
}

/** Milliseconds. */
const LINK_LIFE = 30 * 60_000
const digest = (token: string): Buffer => hash('sha256', token, 'buffer')

export function createSetupLink(clock: Clock): SetupLink {
  let known: { readonly digest: Buffer; readonly until: number } | null = null
  return {
    make: () => {
      const token = randomBytes(32).toString('base64url')
      known = { digest: digest(token), until: clock.monotonic() + LINK_LIFE }
      return token
    },
    fits: (token) => known !== null && clock.monotonic() < known.until && timingSafeEqual(digest(token), known.digest),
    spend: () => {
      known = null
    },
  }
}
