/**
 * The signature of the agency (CMS) on the signed list of a package (docs/decisions/0034): made with a certificate that an authority issued, so that a
 * recipient who has that authority's certificate needs no fingerprint on paper. A package is good without one, so a certificate that ended never keeps a package from
 * being made.
 */
import type { Clock } from '../../platform/clock/clock.ts'
import { readText } from '../../platform/files/read-text.ts'
import type { CmsSigner } from '../../platform/signatures/cms-signature.ts'
import { SignatureProblem } from '../../platform/signatures/problem.ts'
import { witnessProblem } from '../../../shared/messages/witness-problems.ts'

/** Files in PEM. One alone is of no use. */
export interface SignerFiles {
  /** The certificate of the agency, then those between it and the root of its authority. */
  readonly certificate: string | undefined
  readonly key: string | undefined
}

/** @returns null where none is set @throws SignatureProblem when the files cannot be used */
export async function agencySigner({ certificate, key }: SignerFiles): Promise<CmsSigner | null> {
  if (certificate === undefined && key === undefined) return null
  if (certificate === undefined || key === undefined) throw new SignatureProblem(witnessProblem('together'))
  const { createCmsSigner } = await import('../../platform/signatures/cms-signature.ts')
  return createCmsSigner({ certificates: await textIn(certificate), key: await textIn(key) })
}

const textIn = (path: string): Promise<string> =>
  readText(path).catch((error: unknown) => {
    throw new SignatureProblem(witnessProblem('fileUnreadable', { path, why: (error as Error).message }), {
      cause: error,
    })
  })

export type AgencySigned =
  | { readonly bytes: Buffer; readonly said: SaidSignature }
  | { readonly bytes: null; readonly said: { readonly problem: string } }

/** As an entry of the ledger tells it. */
export interface SaidSignature {
  /** As the certificate names whoever signs. */
  readonly signer: string
}

interface Deps {
  /** @throws SignatureProblem when its files cannot be used */
  readonly agencySigner: () => Promise<CmsSigner | null>
  readonly clock: Clock
}

/** @param sha256 of the signed list @returns null where no certificate is set */
export async function signedByAgency({ agencySigner, clock }: Deps, sha256: string): Promise<AgencySigned | null> {
  try {
    const signer = await agencySigner()
    if (signer === null) return null
    return { bytes: signer.sign(sha256, new Date(clock.now())), said: { signer: signer.subject } }
  } catch (error) {
    if (!(error instanceof SignatureProblem)) throw error
    return { bytes: null, said: { problem: error.message } }
  }
}
