/** Who outside the station vouches for a package: an authority for timestamps, and the authority that issued the certificate of the agency. Both are optional. */
import type { Call } from '../../kernel/ledger/call.ts'
import { addLater } from './add-later.ts'
import { type SaidSignature, signedByAgency } from './agency-signature.ts'
import { AGENCY_SIGNATURE, TIMESTAMP } from './format/layout.ts'
import type { PackageDeps } from './package-plan.ts'
import { type SaidTimestamp, stamped } from './timestamps.ts'

type Deps = Pick<PackageDeps, 'timestamps' | 'agencySigner' | 'clock'>

export interface Witnessed {
  /** Files of the package that its lists do not name. */
  readonly files: readonly (readonly [path: string, bytes: Buffer])[]
  /** Null where no authority is set. */
  readonly timestamp: SaidTimestamp | Problem | null
  /** Null where no certificate is set. */
  readonly agencySignature: SaidSignature | Problem | null
}

export interface Problem {
  readonly problem: string
}

/** @param sha256 of the signed list @throws the reason of the signal */
export async function witnessed(deps: Deps, sha256: string, signal?: AbortSignal): Promise<Witnessed> {
  const signature = await signedByAgency(deps, sha256)
  const timestamp = await stamped(deps, sha256, signal)
  return {
    files: [
      ...(signature?.bytes ? [[AGENCY_SIGNATURE, signature.bytes] as const] : []),
      ...(timestamp?.bytes ? [[TIMESTAMP, timestamp.bytes] as const] : []),
    ],
    timestamp: timestamp?.said ?? null,
    agencySignature: signature?.said ?? null,
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
    make: (sha256) => stamped(deps, sha256, signal),
  })

/** @throws as `addLater` */
export const signLater = (deps: PackageDeps, call: Call, of: Omit<Of, 'signal'>) =>
  addLater<SaidSignature>(deps, call, of, {
    file: AGENCY_SIGNATURE,
    name: 'signature of the agency',
    action: 'package.signed',
    refused: 'SignatureUnavailable',
    unset: 'No certificate is set: SALLYPORT_SIGNING_CERTIFICATE and SALLYPORT_SIGNING_KEY name one and its key.',
    make: (sha256) => signedByAgency(deps, sha256),
  })
