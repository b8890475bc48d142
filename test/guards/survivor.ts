import type { Guard } from './guard-mutants.ts'
import type { Switched } from './switched-copy.ts'

type FoundGuard = Switched<Guard>

/** A guard of the product, given by its text. */
export interface GuardText {
  readonly file: string
  /** With white space folded, as `guardsOf` says it. */
  readonly text: string
  /** Which one, from 1, where the file has guards of the same text. */
  readonly at?: number
}

/** Something that refuses the same as a survivor. */
export interface SecondGuard extends GuardText {
  /** For what `guardsOf` does not find: the text as it stands in the file is replaced by this. */
  readonly instead?: string
}

/**
 * A guard that no test misses when it alone is out (S19).
 *
 * - `equivalent`: no input, order or timing shows a difference, for the reason given. It is left out of the reckoning.
 * - `second`: other guards refuse the same. A run takes it out with these, and the suite has to fail: then it is left out as well.
 * - `untested`: a difference could be shown, and no test does. It counts against the area.
 */
export type Survivor = GuardText & { readonly why: string } & (
    | { readonly kind: 'equivalent' | 'untested' }
    | { readonly kind: 'second'; readonly with: readonly SecondGuard[]; readonly suite: string }
  )

export function isSameGuard(a: GuardText, b: GuardText): boolean {
  return a.file === b.file && a.text === b.text && (a.at ?? 1) === (b.at ?? 1)
}

export interface Reckoning {
  readonly found: number
  readonly killed: number
  readonly equivalent: number
  readonly second: number
  readonly untested: number
  readonly unlisted: readonly FoundGuard[]
  /** Killed of found, from 0 to 1. */
  readonly raw: number
  /** Killed of those that a test can miss. */
  readonly adjusted: number
}

export function reckon(found: number, survivors: readonly FoundGuard[], listed: readonly Survivor[]): Reckoning {
  const kinds = survivors.map((guard) => listed.find((one) => isSameGuard(one, guard))?.kind)
  const count = (kind: Survivor['kind'] | undefined): number => kinds.filter((one) => one === kind).length
  const killed = found - survivors.length
  const [equivalent, second, untested] = [count('equivalent'), count('second'), count('untested')]
  return {
    found,
    killed,
    equivalent,
    second,
    untested,
    unlisted: survivors.filter((_, at) => kinds[at] === undefined),
    raw: killed / found,
    adjusted: killed / (found - equivalent - second),
  }
}

export function reckoningLine(name: string, of: Reckoning): string {
  const percent = (part: number): string => `${(part * 100).toFixed(1)} %`
  return (
    `${name}: ${of.found} guards, ${of.killed} killed (${percent(of.raw)}); ${of.equivalent} equivalent, ${of.second} second, ` +
    `${of.untested} untested, ${of.unlisted.length} not listed; of those that a test can miss ${percent(of.adjusted)}`
  )
}
