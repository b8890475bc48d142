/**
 * `meta/custody.jsonl` and `meta/proofs.txt`: lines of the ledger byte for byte, and for each its proof of inclusion under one signed tree head
 * (server/kernel/ledger/inclusion-proof.ts). An entry that the recipient may not read has no line, and its proof ends with the word `withheld`.
 */
import { leafHash } from '../../../kernel/ledger/format.ts'
import { type InclusionProof, isIncluded, proofLine, readProofLine } from '../../../kernel/ledger/inclusion-proof.ts'

export interface ProvedLine {
  readonly proof: InclusionProof
  /** Null: withheld. */
  readonly canonical: string | null
}

const WITHHELD = ' withheld'

/** A line of `meta/proofs.txt`. */
export const provedText = ({ proof, canonical }: ProvedLine): string =>
  `${proofLine(proof)}${canonical === null ? WITHHELD : ''}`

export interface ProofProblem {
  /** Of the entry; null where none can be named. */
  readonly seq: number | null
  readonly text: string
}

/** Every entry that does not hold under this tree head. */
export function problemsOf(
  custody: string,
  proofs: string,
  head: { readonly size: number; readonly root: Uint8Array },
): ProofProblem[] {
  const lines = custody.split('\n').slice(0, -1).values()
  const problems: ProofProblem[] = []
  if (custody !== '' && !custody.endsWith('\n')) problems.push({ seq: null, text: 'the last line is cut off' })
  for (const [at, text] of proofs.split('\n').slice(0, -1).entries()) {
    const isWithheld = text.endsWith(WITHHELD)
    let proof: InclusionProof
    try {
      proof = readProofLine(isWithheld ? text.slice(0, -WITHHELD.length) : text)
    } catch {
      problems.push({ seq: null, text: `line ${at + 1} of the proofs is none` })
      if (!isWithheld) lines.next()
      continue
    }
    const line = isWithheld ? null : ((lines.next().value as string | undefined) ?? '')
    const fits = line === null || Buffer.compare(leafHash(Buffer.from(line)), proof.leaf) === 0
    if (!fits) problems.push({ seq: proof.seq, text: `entry ${proof.seq}: its line is not the one of the ledger` })
    else if (proof.size !== head.size || !isIncluded(proof, head.root))
      problems.push({ seq: proof.seq, text: `entry ${proof.seq}: it is not under the signed tree head` })
  }
  if (lines.next().done !== true) problems.push({ seq: null, text: 'there are more lines than proofs' })
  return problems
}
