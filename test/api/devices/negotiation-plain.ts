/**
 * Negotiation as a reader of interfaces.md 3.4 and decisions 5 would write it down, by itself: nothing of the product is used here. One
 * of these stands for one device.
 */
import { isDeepStrictEqual } from 'node:util'

export type Configuration = Readonly<Record<string, unknown>>
export type PlainState = 'Open' | 'Committed' | 'Rejected' | 'Superseded' | 'Expired'
export const QUARTER = 15 * 60_000

export interface PlainTransaction {
  readonly offered: Configuration
  readonly expires: number
  /** What it became, if anything; an open one expires by itself. */
  ended: Exclude<PlainState, 'Open' | 'Expired'> | 'Expired' | null
  reason: string | null
}

export class PlainDevice {
  effective: Configuration | null = null
  desired: Configuration | null = null
  readonly transactions: PlainTransaction[] = []
  readonly credentials = new Map<string, 'Current' | 'Pending' | 'Failed'>()

  stateOf(at: number, now: number): PlainState {
    const one = this.transactions[at] as PlainTransaction
    return one.ended ?? (one.expires <= now ? 'Expired' : 'Open')
  }

  /** Null: nothing to do. Else the index of the transaction. */
  negotiate(has: Configuration, credential: string | null, ofType: Configuration | null, now: number): number | null {
    const expected = this.desired ?? ofType ?? has
    const last = this.transactions.length - 1
    if (last >= 0 && this.stateOf(last, now) === 'Open')
      (this.transactions[last] as PlainTransaction).ended = 'Superseded'
    const settled =
      this.effective !== null && isDeepStrictEqual(has, expected) && isDeepStrictEqual(has, this.effective)
    if (credential !== null) {
      const known = this.credentials.get(credential)
      if (known === undefined) this.credentials.set(credential, settled ? 'Current' : 'Pending')
      else if (known === 'Pending' && settled) this.credentials.set(credential, 'Current')
    }
    if (settled) return null
    return this.transactions.push({ offered: expected, expires: now + QUARTER, ended: null, reason: null }) - 1
  }

  /** Whether it is answered well. */
  commit(at: number, now: number): boolean {
    const state = this.stateOf(at, now)
    if (state !== 'Open') return state === 'Committed'
    const one = this.transactions[at] as PlainTransaction
    one.ended = 'Committed'
    this.effective = one.offered
    for (const [text, is] of this.credentials) if (is === 'Pending') this.credentials.set(text, 'Current')
    return true
  }

  reject(at: number, reason: string, now: number): boolean {
    const state = this.stateOf(at, now)
    if (state !== 'Open') return state === 'Rejected'
    const one = this.transactions[at] as PlainTransaction
    one.ended = 'Rejected'
    one.reason = reason
    return true
  }

  fail(credential: string): void {
    this.credentials.set(credential, 'Failed')
  }

  handedOut(): Record<string, string> {
    return Object.fromEntries([...this.credentials].filter(([, is]) => is !== 'Failed'))
  }
}
