/**
 * Co-signatures of paired stations on the tree head of a package (docs/decisions/0038): asked for before a package is closed, and later for one that has
 * none. A package is good without one, so a station that cannot be reached or lies never keeps a package from being made.
 */
import { cosignaturesText, type SaidCosignature } from '../../kernel/ledger/cosignature.ts'
import type { PackageDeps } from './package-plan.ts'

/** As an entry of the ledger tells them. */
export interface SaidCosignatures {
  readonly by: readonly SaidCosignature[]
  /** Paired stations that did not co-sign, with the reason. */
  readonly problems: readonly { readonly address: string; readonly problem: string }[]
}

export type CosignedPackage =
  | { readonly bytes: Buffer; readonly said: SaidCosignatures }
  | { readonly bytes: null; readonly said: { readonly problem: string } }

/** @param size entries under the tree head of the package @returns null where no station is paired @throws the reason of the signal */
export async function cosignedPackage(
  { cosigned }: Pick<PackageDeps, 'cosigned'>,
  size: number,
  signal?: AbortSignal,
): Promise<CosignedPackage | null> {
  const found = await cosigned(size, signal)
  if (found === null) return null
  const { cosignatures, problems } = found
  if (cosignatures.length === 0)
    return {
      bytes: null,
      said: { problem: problems.map(({ address, problem }) => `${address}: ${problem}`).join(' ') },
    }
  const by = cosignatures.map(({ station, timeUtc, fingerprint }) => ({ station, timeUtc, fingerprint }))
  return { bytes: Buffer.from(cosignaturesText(cosignatures)), said: { by, problems } }
}
