/**
 * The custody record that travels with an evidence: the lines of the ledger about it, byte for byte, one a line, as `meta/custody.jsonl` of
 * a court package has them; an empty line and the signature of the station over these lines (C2SP signed-note); an empty line and a signed
 * tree head of the ledger that covers them; an empty line and for each of them its proof of inclusion, as in `meta/proofs.txt`.
 */
import { verify } from 'node:crypto'
import { readCustody } from '../../kernel/ledger/custody-history.ts'
import { leafHash } from '../../kernel/ledger/format.ts'
import { isIncluded, proofLine, readProofLine } from '../../kernel/ledger/inclusion-proof.ts'
import { type Checkpoint, ed25519PublicKey, keyIdOf, openCheckpoint } from '../../kernel/ledger/signed-note.ts'
import { type HeadMaker, isSameRoot as isSame, LedgerDiffers, signedHead } from '../../kernel/ledger/signed-head.ts'
import { NAME_BEGINS, NAME_ENDS } from './custody.store.ts'

export const CUSTODY_TYPE = 'text/plain'
export const custodyName = (origin: string, evidenceId: number): string =>
  `${NAME_BEGINS}${origin.replaceAll('/', ' ')} ${evidenceId}${NAME_ENDS}`

const LINES_AT_ONCE = 500

export interface CustodyRecord {
  readonly text: string
  /** The last entry in it. */
  readonly seq: number
}

/** The record of an evidence as it is now. For a few thousand lines. @throws LedgerDiffers */
export async function makeCustodyRecord(maker: HeadMaker, evidenceId: number): Promise<CustodyRecord> {
  const { db, origin, signer, between } = maker
  const lines: { seq: number; canonical: string }[] = []
  for (let before: number | null = Number.MAX_SAFE_INTEGER; before !== null; ) {
    between()
    const page = await readCustody(db, evidenceId, { kind: 'all', before, count: LINES_AT_ONCE })
    lines.push(...page.entries.map(({ seq, canonical }) => ({ seq, canonical })))
    before = page.next
  }
  lines.sort((a, b) => a.seq - b.seq)
  const seq = lines.at(-1)?.seq
  if (seq === undefined) throw new Error(`The ledger has no entry about evidence ${evidenceId}`)
  const body = `${lines.map(({ canonical }) => canonical).join('\n')}\n`
  const signature = Buffer.concat([keyIdOf(origin, signer.publicKey), signer.sign(Buffer.from(body))]).toString(
    'base64',
  )
  const { note, tree } = await signedHead(maker, seq)
  const proofs = await tree.prove(lines.map((line) => line.seq))
  for (const [at, proof] of proofs.entries())
    if (!isSame(proof.leaf, leafHash(Buffer.from(lines[at]?.canonical ?? ''))) || !isIncluded(proof, tree.root))
      throw new LedgerDiffers(`Entry ${proof.seq} of the ledger does not fit its own hash. Verify the ledger.`)
  return { text: `${body}\n— ${origin} ${signature}\n\n${note}\n${proofs.map(proofLine).join('\n')}\n`, seq }
}

export interface OpenedCustody {
  readonly origin: string
  /** In order; `text` is the line byte for byte. */
  readonly lines: readonly { readonly seq: number; readonly action: string; readonly text: string }[]
  /** The tree head in it; null without one. */
  readonly head: Checkpoint | null
  /** Whether each line has a proof under the tree head. Records of programs before November 2026 have none. */
  readonly isProved: boolean
}

/** @param key raw, of the station. @throws Error when the signature or a proof does not hold, or the form is wrong */
export function openCustodyRecord(text: string, key: Uint8Array): OpenedCustody {
  const end = text.indexOf('\n\n— ')
  const match = /^— (\S+) ([A-Za-z0-9+/]+={0,2})\n/.exec(text.slice(end + 2))
  if (end < 0 || match === null) throw new Error('It is no custody record.')
  const [line, origin = '', encoded = ''] = match
  const body = text.slice(0, end + 1)
  const bytes = Buffer.from(encoded, 'base64')
  if (Buffer.compare(bytes.subarray(0, 4), keyIdOf(origin, key)) !== 0) throw new Error('Another key signed it.')
  if (!verify(null, Buffer.from(body), ed25519PublicKey(key), bytes.subarray(4)))
    throw new Error('Its signature does not hold.')
  const lines = body
    .slice(0, -1)
    .split('\n')
    .map((text) => ({ ...(JSON.parse(text) as { seq: number; action: string }), text }))
  const rest = text.slice(end + 2 + line.length)
  if (rest === '') return { origin, lines, head: null, isProved: false }
  // The text of the note, its signature, and the proofs.
  const [note = '', signed = '', proofs, ...more] = rest.slice(1).split('\n\n')
  if (more.length > 0) throw new Error('It is no custody record.')
  const head = openCheckpoint(`${note}\n\n${proofs === undefined ? signed : `${signed}\n`}`, [key])
  if (head.origin !== origin) throw new Error(`Its tree head is one of ${head.origin}.`)
  if (proofs !== undefined) proveLines(lines, proofs, head)
  return { origin, lines, head, isProved: proofs !== undefined }
}

/** @throws Error unless there is one proof for each line, in order, and each holds under the tree head */
function proveLines(lines: OpenedCustody['lines'], text: string, head: Checkpoint): void {
  const proofs = text.replace(/\n$/, '').split('\n').map(readProofLine)
  if (proofs.length !== lines.length) throw new Error(`It has ${lines.length} lines, and ${proofs.length} proofs.`)
  for (const [at, proof] of proofs.entries()) {
    const { seq, text: line } = lines[at] as (typeof lines)[number]
    const isOfLine = proof.seq === seq && proof.size === head.size && isSame(proof.leaf, leafHash(Buffer.from(line)))
    if (!isOfLine || !isIncluded(proof, head.root)) throw new Error(`The proof of entry ${seq} does not hold.`)
  }
}
