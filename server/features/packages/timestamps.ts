/**
 * Timestamps of an authority outside (RFC 3161) on the signed list of a package (docs/decisions/0034): asked for before a package is closed, and later for
 * one that has none. A package is good without one, so an authority that cannot be reached or lies never keeps a package from being made.
 */
import { fault } from '../../../shared/kernel/errors.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { readText } from '../../platform/files/trees.ts'
import type { TimestampAuthority } from '../../platform/timestamps/timestamp-authority.ts'
import { type Timestamp, TimestampRefused } from '../../platform/timestamps/timestamp.ts'
import { addTimestamp, hasTimestamp } from '../../storage/packages/later-files.ts'
import type { Database } from '../../kernel/database/database.ts'
import * as rows from './packages.store.ts'

/** An address alone says nothing about whose answers are believed. */
export interface AuthorityPlace {
  readonly url: string | undefined
  /** PEM file of the certificates that are believed. */
  readonly roots: string | undefined
}

/** @returns null where no authority is set @throws TimestampRefused when its certificates cannot be read */
export async function timestampAuthority({ url, roots }: AuthorityPlace): Promise<TimestampAuthority | null> {
  if (url === undefined) return null
  if (roots === undefined)
    throw new TimestampRefused('SALLYPORT_TIMESTAMP_ROOTS names no certificates, so nobody’s answers can be believed')
  const [{ createTimestampAuthority }, { certificatesInPem }] = await Promise.all([
    import('../../platform/timestamps/timestamp-authority.ts'),
    import('../../platform/timestamps/timestamp-token.ts'),
  ])
  try {
    return createTimestampAuthority({ url, roots: certificatesInPem(await readText(roots)) })
  } catch (error) {
    throw new TimestampRefused(`the certificates in ${roots} cannot be read: ${(error as Error).message}`)
  }
}

export type Stamped =
  | { readonly answer: Buffer; readonly said: SaidTimestamp }
  | { readonly answer: null; readonly said: { readonly problem: string } }

/** As an entry of the ledger tells it. */
export type SaidTimestamp = Timestamp & {
  /** By how much the clock of the station is ahead of that of the authority, in milliseconds. */
  readonly stationAheadMs: number
}

interface Deps {
  readonly authority: () => Promise<TimestampAuthority | null>
  readonly clock: Clock
}

/** @param sha256 of the signed list @returns null where no authority is set @throws the reason of the signal */
export async function stamped(
  { authority, clock }: Deps,
  sha256: string,
  signal?: AbortSignal,
): Promise<Stamped | null> {
  try {
    const found = await authority()
    if (found === null) return null
    const { answer, ...said } = await found.stamp(sha256, signal)
    return { answer, said: { ...said, stationAheadMs: clock.now() - Date.parse(said.timeUtc) } }
  } catch (error) {
    if (!(error instanceof TimestampRefused)) throw error
    return { answer: null, said: { problem: error.message } }
  }
}

/** Adds one to a package that has none, where the package lies. @throws Fault PackageNotFound, PackageNotOpen, TimestampRefused; StorageFault */
export async function stampLater(
  deps: Deps & { readonly db: Database; readonly ledger: Pick<Ledger, 'append'> },
  call: Call,
  tenant: string,
  packageId: number,
  signal?: AbortSignal,
): Promise<SaidTimestamp & { readonly path: string }> {
  const row = await rows.packageById(deps.db.read, tenant, packageId)
  if (row === undefined) throw fault('PackageNotFound', `There is no package ${packageId}.`)
  const { signed_sha256: sha256 } = row
  if (row.state !== 'Made' || sha256 === null)
    throw fault('PackageNotOpen', `Package ${packageId} is not made. There is nothing to stamp.`)
  if (await hasTimestamp(row)) throw fault('PackageNotOpen', `Package ${packageId} has a timestamp already.`)
  const found = await stamped(deps, sha256, signal)
  if (found === null)
    throw fault(
      'TimestampRefused',
      'No authority is set: SALLYPORT_TIMESTAMP_URL and SALLYPORT_TIMESTAMP_ROOTS name one.',
    )
  if (found.answer === null) throw fault('TimestampRefused', `There is no timestamp: ${found.said.problem}.`)
  const { answer, said } = found
  // The entry first: a file without one would never be asked for again, and an entry without its file is.
  await deps.db.transaction((tx) =>
    deps.ledger.append(tx, call, {
      action: 'package.timestamped',
      object: { type: 'package', id: String(packageId), name: row.name },
      sha256,
      detail: { caseId: row.case_id === null ? null : String(row.case_id), ...said },
    }),
  )
  return { ...said, path: await addTimestamp(row, answer) }
}
