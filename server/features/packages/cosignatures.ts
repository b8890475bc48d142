/**
 * Co-signatures of paired stations on the tree head of a package (docs/decisions/0038): asked for before a package is closed, and later for one that has
 * none. A package is good without one, so a station that cannot be reached or lies never keeps a package from being made.
 */
import {
  type Cosignature,
  cosignaturesText,
  readCosignatures,
  type SaidCosignature,
} from '../../kernel/ledger/cosignature.ts'
import type { PackageDeps } from './package-plan.ts'
import { witnessProblem } from '../../../shared/messages/witness-problems.ts'

/** As an entry of the ledger tells them. */
export interface SaidCosignatures {
  readonly by: readonly SaidCosignature[]
  /** Paired stations that did not co-sign, with the reason. */
  readonly problems: readonly { readonly address: string; readonly problem: string }[]
}

export type CosignedPackage =
  | { readonly bytes: Buffer; readonly said: SaidCosignatures }
  | { readonly bytes: null; readonly said: { readonly problem: string } }

/**
 * @param size entries under the tree head of the package @param asked with the file of a package that has co-signatures of other stations
 * @returns the whole file, and who was added; null where no station is paired @throws the reason of the signal
 */
export async function cosignedPackage(
  { cosigned }: Pick<PackageDeps, 'cosigned'>,
  size: number,
  { present = null, signal }: { readonly present?: Buffer | null; readonly signal?: AbortSignal | undefined },
): Promise<CosignedPackage | null> {
  const found = await cosigned(size, { present: present === null ? [] : readable(present), signal })
  if (found === null) return null
  const { kept, cosignatures, problems } = found
  if (cosignatures.length === 0)
    return {
      bytes: null,
      said: {
        problem:
          problems.map(({ address, problem }) => `${address}: ${problem}`).join(' ') || witnessProblem('everyStation'),
      },
    }
  const by = cosignatures.map(({ station, timeUtc, fingerprint }) => ({ station, timeUtc, fingerprint }))
  return { bytes: Buffer.from(cosignaturesText([...kept, ...cosignatures])), said: { by, problems } }
}

/** Who was added to those who had co-signed. What kept the others from it is as said now. */
export const withMore = (before: SaidCosignatures, { by, problems }: SaidCosignatures): SaidCosignatures => ({
  by: [...before.by.filter(({ fingerprint }) => !by.some((one) => one.fingerprint === fingerprint)), ...by],
  problems,
})

/** A file that somebody broke is replaced by one that holds. */
function readable(file: Buffer): readonly Cosignature[] {
  try {
    return readCosignatures(file.toString())
  } catch {
    return []
  }
}
