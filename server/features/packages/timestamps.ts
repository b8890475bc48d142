/**
 * Timestamps of an authority outside (RFC 3161) on the signed list of a package (docs/decisions/0034): asked for before a package is closed, and later for
 * one that has none. A package is good without one, so an authority that cannot be reached or lies never keeps a package from being made.
 */
import type { Clock } from '../../platform/clock/clock.ts'
import { readText } from '../../platform/files/trees.ts'
import type { TimestampAuthority } from '../../platform/timestamps/timestamp-authority.ts'
import { type Timestamp, TimestampRefused } from '../../platform/timestamps/timestamp.ts'
import { witnessProblem } from '../../../shared/messages/witness-problems.ts'

/** An address alone says nothing about whose answers are believed. */
export interface AuthorityPlace {
  readonly url: string | undefined
  /** PEM file of the certificates that are believed. */
  readonly roots: string | undefined
}

/** @returns null where no authority is set @throws TimestampRefused when its certificates cannot be read */
export async function timestampAuthority({ url, roots }: AuthorityPlace): Promise<TimestampAuthority | null> {
  if (url === undefined) return null
  if (roots === undefined) throw new TimestampRefused(witnessProblem('noRoots'))
  const [{ createTimestampAuthority }, { certificatesInPem }] = await Promise.all([
    import('../../platform/timestamps/timestamp-authority.ts'),
    import('../../platform/signatures/signed-data.ts'),
  ])
  try {
    return createTimestampAuthority({ url, roots: certificatesInPem(await readText(roots)) })
  } catch (error) {
    throw new TimestampRefused(witnessProblem('rootsUnreadable', { path: roots, why: (error as Error).message }))
  }
}

export type Stamped =
  | { readonly bytes: Buffer; readonly said: SaidTimestamp }
  | { readonly bytes: null; readonly said: { readonly problem: string } }

/** As an entry of the ledger tells it. */
export type SaidTimestamp = Timestamp & {
  /** By how much the clock of the station is ahead of that of the authority, in milliseconds. */
  readonly stationAheadMs: number
}

interface Deps {
  /** @throws TimestampRefused when its certificates cannot be read */
  readonly timestamps: () => Promise<TimestampAuthority | null>
  readonly clock: Clock
}

/** @param sha256 of the signed list @returns null where no authority is set @throws the reason of the signal */
export async function stamped(
  { timestamps, clock }: Deps,
  sha256: string,
  signal?: AbortSignal,
): Promise<Stamped | null> {
  try {
    const found = await timestamps()
    if (found === null) return null
    const { answer, ...said } = await found.stamp(sha256, signal)
    return { bytes: answer, said: { ...said, stationAheadMs: clock.now() - Date.parse(said.timeUtc) } }
  } catch (error) {
    if (!(error instanceof TimestampRefused)) throw error
    return { bytes: null, said: { problem: error.message } }
  }
}
