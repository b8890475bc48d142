/**
 * Who outside the station vouches for a package: an authority for timestamps, the authority that issued the certificate of the agency, and paired stations. All
 * are optional.
 */
import type { WitnessKind } from '../../../shared/packages/kinds.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import { addLater } from './add-later.ts'
import { type SaidSignature, signedByAgency } from './agency-signature.ts'
import { cosignedPackage, type SaidCosignatures, withMore } from './cosignatures.ts'
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
  const cosignatures = await cosignedPackage(deps, ledgerSize, { signal })
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

/** What a package says of its witnesses, by their kind, where any is set. */
export const saidByKind = ({ timestamp, agencySignature, cosignatures }: Omit<Witnessed, 'files'>) =>
  (
    [
      ['timestamp', timestamp],
      ['signature', agencySignature],
      ['cosignature', cosignatures],
    ] as const
  ).flatMap(([kind, said]) => (said === null ? [] : [{ kind, said }]))

/** One who vouches for a package, or was asked and does not. */
export interface SaidWitness {
  readonly by: string | null
  readonly timeUtc: string | null
  readonly fingerprint: string | null
  /** Null: it vouches. */
  readonly problem: string | null
}

const NOBODY: SaidWitness = { by: null, timeUtc: null, fingerprint: null, problem: null }

/** @param said JSON, as `saidByKind` gave it */
export function witnessesSaid(kind: WitnessKind, said: string): readonly SaidWitness[] {
  const found = JSON.parse(said) as Problem | SaidTimestamp | SaidSignature | SaidCosignatures
  if ('problem' in found) return [{ ...NOBODY, problem: found.problem }]
  switch (kind) {
    case 'timestamp': {
      const { authority, timeUtc } = found as SaidTimestamp
      return [{ ...NOBODY, by: authority, timeUtc }]
    }
    case 'signature':
      return [{ ...NOBODY, by: (found as SaidSignature).signer }]
    case 'cosignature': {
      const { by, problems } = found as SaidCosignatures
      return [
        ...by.map(({ station, timeUtc, fingerprint }) => ({ ...NOBODY, by: station, timeUtc, fingerprint })),
        ...problems.map(({ address, problem }) => ({ ...NOBODY, by: address, problem })),
      ]
    }
  }
}

/** The file of each kind, in a package or beside it. */
export const WITNESS_FILES = {
  timestamp: TIMESTAMP,
  signature: AGENCY_SIGNATURE,
  cosignature: COSIGNATURES,
} as const satisfies Readonly<Record<WitnessKind, string>>

/** A package, and what stops the waiting for an authority. */
interface Of {
  readonly tenant: string
  readonly packageId: number
  readonly signal?: AbortSignal | undefined
}

/** @throws as `addLater` */
export const stampLater = (deps: PackageDeps, call: Call, { signal, ...of }: Of) =>
  addLater<SaidTimestamp>(deps, call, of, {
    kind: 'timestamp',
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
    kind: 'signature',
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
    kind: 'cosignature',
    file: COSIGNATURES,
    name: 'co-signature',
    action: 'package.cosigned',
    refused: 'CosignatureUnavailable',
    unset: 'No station is paired: name one to which checkpoints are copied, under Fixity.',
    together: withMore,
    make: ({ ledgerSize, present }) => cosignedPackage(deps, ledgerSize, { present, signal }),
  })
