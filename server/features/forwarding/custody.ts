/**
 * The custody record that travels with an evidence: the lines of the ledger about it, byte for byte, one a line, as `meta/custody.jsonl` of
 * a court package has them; an empty line and the signature of the station over these lines (C2SP signed-note); then the newest checkpoint.
 */
import { verify } from 'node:crypto'
import type { Database } from '../../kernel/database/database.ts'
import { readCustody } from '../../kernel/ledger/custody-history.ts'
import { ed25519PublicKey, keyIdOf, openCheckpoint, type Signer } from '../../kernel/ledger/signed-note.ts'
import { newestCheckpoint } from './custody.store.ts'

export const CUSTODY_TYPE = 'text/plain'
export const custodyName = (origin: string, evidenceId: number): string =>
  `custody ${origin.replaceAll('/', ' ')} ${evidenceId}.jsonl.txt`

const LINES_AT_ONCE = 500

export interface CustodyRecord {
  readonly text: string
  /** The last entry in it. */
  readonly seq: number
}

/** The record of an evidence as it is now. For a few thousand lines. */
export async function makeCustodyRecord(
  db: Database,
  evidenceId: number,
  origin: string,
  signer: Signer,
): Promise<CustodyRecord> {
  const lines: { seq: number; canonical: string }[] = []
  for (let before: number | null = Number.MAX_SAFE_INTEGER; before !== null; ) {
    const page = await readCustody(db, evidenceId, { kind: 'all', before, count: LINES_AT_ONCE })
    lines.push(...page.entries.map(({ seq, canonical }) => ({ seq, canonical })))
    before = page.next
  }
  lines.sort((a, b) => a.seq - b.seq)
  const body = `${lines.map(({ canonical }) => canonical).join('\n')}\n`
  const signature = Buffer.concat([keyIdOf(origin, signer.publicKey), signer.sign(Buffer.from(body))]).toString(
    'base64',
  )
  const checkpoint = await newestCheckpoint(db.read)
  return {
    text: `${body}\n— ${origin} ${signature}\n${checkpoint === null ? '' : `\n${checkpoint}`}`,
    seq: lines.at(-1)?.seq ?? 0,
  }
}

export interface OpenedCustody {
  readonly origin: string
  /** In order; `text` is the line byte for byte. */
  readonly lines: readonly { readonly seq: number; readonly action: string; readonly text: string }[]
  /** Entries under the checkpoint in it; null without one. */
  readonly checkpointSize: number | null
}

/** @param key raw, of the station. @throws Error when the signature does not hold, or the form is wrong */
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
  const rest = text.slice(end + 2 + line.length)
  return {
    origin,
    lines: body
      .slice(0, -1)
      .split('\n')
      .map((text) => ({ ...(JSON.parse(text) as { seq: number; action: string }), text })),
    checkpointSize: rest === '' ? null : openCheckpoint(rest.slice(1), [key]).size,
  }
}
