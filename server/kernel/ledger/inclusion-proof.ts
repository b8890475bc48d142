/**
 * A proof that an entry of the ledger is under a signed tree head (RFC 6962 2.1.1), and its line in `meta/proofs.txt` of a court package:
 * sequence number, index of the leaf, size of the tree, hash of the leaf; then for each step L or R, for the side on which the hash after it
 * stands. All apart by one space, hashes in lower-case hexadecimal. A shell can fold such a line with `sha256sum` (docs/decisions/0021).
 */
import { HASH_BYTES, inclusionPath, verifyInclusion } from './merkle.ts'
import { toHex } from './format.ts'

export interface InclusionProof {
  /** Of the entry, from 1. Its leaf has the index before it. */
  readonly seq: number
  /** Entries under the tree. */
  readonly size: number
  readonly leaf: Uint8Array
  /** From the leaf up. */
  readonly steps: readonly Uint8Array[]
}

export function proofLine({ seq, size, leaf, steps }: InclusionProof): string {
  const index = seq - 1
  const sides = inclusionPath(index, size).map(([begin]) => (begin > index ? 'R' : 'L'))
  return [seq, index, size, toHex(leaf), ...steps.flatMap((step, at) => [sides[at], toHex(step)])].join(' ')
}

/** @throws Error when the line has another form, or sides that do not belong to its leaf */
export function readProofLine(line: string): InclusionProof {
  const [seq = '', index = '', size = '', leaf = '', ...rest] = line.split(' ')
  const numbers = [seq, index, size].map(Number)
  const hashes = [leaf, ...rest.filter((_, at) => at % 2 === 1)]
  const proof = {
    seq: numbers[0] as number,
    size: numbers[2] as number,
    leaf: Buffer.from(leaf, 'hex'),
    steps: hashes.slice(1).map((step): Uint8Array => Buffer.from(step, 'hex')),
  }
  const isInside = numbers.every(Number.isSafeInteger) && proof.seq >= 1 && proof.seq <= proof.size
  if (!isInside || hashes.some((one) => one.length !== 2 * HASH_BYTES) || proofLine(proof) !== line)
    throw new Error('It is no line of proof.')
  return proof
}

/** Whether the entry with this leaf hash is under the root. */
export const isIncluded = ({ seq, size, leaf, steps }: InclusionProof, root: Uint8Array): boolean =>
  verifyInclusion(leaf, seq - 1, size, steps, root)
