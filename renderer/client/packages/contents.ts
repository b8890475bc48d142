/** What of chosen evidence goes into a package, as far as the window knows it; the station judges. Pure. */
import type { z } from 'zod'
import type * as documents from '../../../shared/evidence/contract.ts'

type Item = z.output<typeof documents.EvidenceListItem>
/** Rows of the list and records both are it; a record does not say how large its files are. */
export type Packable = Pick<Item, 'DisplayName' | 'AccessorPermissions' | 'LifecycleState'> & {
  readonly Summary?: Partial<Pick<Item['Summary'], 'LengthInBytes' | 'Status'>>
}

/** What goes in, as far as the window knows it. */
export interface Contents {
  readonly items: number
  /** Of the originals; null where it is not known. */
  readonly bytes: number | null
  /** How many are left out, or only in part. */
  readonly deleted: number
  readonly unseen: number
  readonly unfinished: number
  /** Names of those that this person may not download. */
  readonly barred: readonly string[]
}

export function contentsOf(given: readonly Packable[]): Contents {
  const there = given.filter(({ LifecycleState }) => LifecycleState !== 'Deleted')
  const sizes = there.map(({ Summary }) => Summary?.LengthInBytes)
  return {
    items: there.length,
    bytes: sizes.reduce<number | null>((sum, size) => (sum === null || size === undefined ? null : sum + size), 0),
    deleted: given.length - there.length,
    unseen: 0,
    unfinished: there.filter(({ Summary }) => Summary?.Status === 'open').length,
    barred: there
      .filter(({ AccessorPermissions }) => !AccessorPermissions.includes('Download'))
      .map(({ DisplayName }) => DisplayName),
  }
}
