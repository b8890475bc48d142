/** The verification of one evidence and its result. Hashes in hexadecimal. */
export interface EvidenceVerification {
  readonly intact: boolean
  /** Entries about the evidence within the range. */
  readonly entries: number
  readonly fromSeq: number
  readonly toSeq: number
  /** Entries whose hashes were recomputed, about any object. */
  readonly checked: number
  /** True when the first entry of the evidence is too far back: the range then begins at a checkpoint. */
  readonly bounded: boolean
  readonly headHash: string
  readonly checkpoint: {
    readonly size: number
    readonly timeUtc: string
    readonly root: string
    readonly keyId: string
    readonly valid: boolean
  } | null
  readonly verifiedUtc: string
  readonly firstBad: { readonly seq: number; readonly problem: string } | null
}

export type VerifyEvidence = (evidenceId: number, signal: AbortSignal) => Promise<EvidenceVerification>
