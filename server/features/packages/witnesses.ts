/**
 * Who outside the station vouches for a package: an authority for timestamps, the authority that issued the certificate of the agency, and paired stations. All
 * are optional.
 */
import type { Call } from '../../kernel/ledger/call.ts'
import { addLater } from './add-later.ts'
import { type SaidSignature, signedByAgency } from './agency-signature.ts'
import { cosignedPackage, type SaidCosignatures } from './cosignatures.ts'
import { AGENCY_SIGNATURE, COSIGNATURES, TIMESTAMP } from './format/layout.ts'
import type { PackageDeps } from './package-plan.ts'
import { type SaidTimestamp, stamped } from './timestamps.ts'

type Deps = Pick<PackageDeps, 'timestamps' | 'agencySigner' | 'cosigned' | 'clock'>

export interface Witnessed {
  /** Files of the package that its lists do not name. */
  readonly files: readonly (readonly [path: string, bytes: Buffer])[]
  /** Null where no authority is set. */
  readonly timestamp: SaidTimestamp | Problem | null
  /** Null where no certificate is set. */
  readonly agencySignature: SaidSignature | Problem | null
  /** Null where no station is paired. */
  readonly cosignatures: SaidCosignatures | Problem | null
}

export interface Problem {
  readonly problem: string
}

/** What is vouched for: the signed list by its SHA-256, and the tree head by the number of its entries. */
export interface WitnessedList {
  readonly sha256: string
  readonly ledgerSize: number
}

/** @throws the reason of the signal */
export async function witnessed(
  deps: Deps,
  { sha256, ledgerSize }: WitnessedList,
  signal?: AbortSignal,
): Promise<Witnessed> {
  const signature = await signedByAgency(deps, sha256)
  const cosignatures = await cosignedPackage(deps, ledgerSize, signal)
  const timestamp = await stamped(deps, sha256, signal)
  const made = [
    [AGENCY_SIGNATURE, signature],
    [COSIGNATURES, cosignatures],
    [TIMESTAMP, timestamp],
  ] as const
  return {
    files: made.flatMap(([path, one]) => (one?.bytes ? [[path, one.bytes] as const] : [])),
    timestamp: timestamp?.said ?? null,
    agencySignature: signature?.said ?? null,
    cosignatures: cosignatures?.said ?? null,
  }
}

/** A package, and what stops the waiting for an authority. */
interface Of {
  readonly tenant: string
  readonly packageId: number
  readonly signal?: AbortSignal | undefined
}

/** @throws as `addLater` */
export const stampLater = (deps: PackageDeps, call: Call, { signal, ...of }: Of) =>
  addLater<SaidTimestamp>(deps, call, of, {
    file: TIMESTAMP,
    name: 'timestamp',
    action: 'package.timestamped',
    refused: 'TimestampRefused',
    unset: 'No authority is set: SALLYPORT_TIMESTAMP_URL and SALLYPORT_TIMESTAMP_ROOTS name one.',
    make: ({ sha256 }) => stamped(deps, sha256, signal),
  })

/** @throws as `addLater` */
export const signLater = (deps: PackageDeps, call: Call, of: Omit<Of, 'signal'>) =>
  addLater<SaidSignature>(deps, call, of, {
    file: AGENCY_SIGNATURE,
    name: 'signature of the agency',
    action: 'package.signed',
    refused: 'SignatureUnavailable',
    unset: 'No certificate is set: SALLYPORT_SIGNING_CERTIFICATE and SALLYPORT_SIGNING_KEY name one and its key.',
    make: ({ sha256 }) => signedByAgency(deps, sha256),
  })

/** @throws as `addLater` */
export const cosignLater = (deps: PackageDeps, call: Call, { signal, ...of }: Of) =>
  addLater<SaidCosignatures>(deps, call, of, {
    file: COSIGNATURES,
    name: 'co-signature',
    action: 'package.cosigned',
    refused: 'CosignatureUnavailable',
    unset: 'No station is paired: name one to which checkpoints are copied, under Fixity.',
    make: ({ ledgerSize }) => cosignedPackage(deps, ledgerSize, signal),
  })
