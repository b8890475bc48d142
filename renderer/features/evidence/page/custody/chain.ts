/** What the page itself finds out about the entries it shows: nothing of it is the station's word. */
import { fromHex, sha256 } from './sha256.ts'

/** As much of an entry as is checked. */
export interface ChainEntry {
  readonly Seq: number
  readonly TimeUtc: string
  readonly Action: string
  readonly Outcome: string
  readonly Actor: { readonly Id: string; readonly Name: string }
  readonly Object: { readonly Type: string; readonly Id: string; readonly Name: string }
  readonly Hash: string
  readonly PreviousHash: string
  readonly Canonical: string
}

/** hash: the bytes do not give it; link: the entry before is another one; words: what is shown is not what was hashed. */
export type Fault = 'hash' | 'link' | 'words'

export interface ChainResult {
  /** Entries whose hashes were recomputed here. */
  readonly checked: number
  /** Neighbours in the ledger that hang together. */
  readonly links: number
  readonly faults: readonly { readonly seq: number; readonly fault: Fault }[]
}

/** SHA-256(previous hash ‖ canonical bytes) = hash for each entry (decisions 12), and hash = previous hash between neighbours. In any order. */
export async function recompute(entries: readonly ChainEntry[]): Promise<ChainResult> {
  const inOrder = [...entries].sort((one, other) => one.Seq - other.Seq)
  const faults: { seq: number; fault: Fault }[] = []
  let links = 0
  for (const [index, entry] of inOrder.entries()) {
    if ((await hashOf(entry)) !== entry.Hash) faults.push({ seq: entry.Seq, fault: 'hash' })
    else if (!saysTheSame(entry)) faults.push({ seq: entry.Seq, fault: 'words' })
    const before = inOrder[index - 1]
    if (before === undefined || before.Seq !== entry.Seq - 1) continue
    if (before.Hash === entry.PreviousHash) links += 1
    else faults.push({ seq: entry.Seq, fault: 'link' })
  }
  return { checked: inOrder.length, links, faults }
}

async function hashOf({ PreviousHash, Canonical }: ChainEntry): Promise<string | null> {
  const before = fromHex(PreviousHash)
  if (before === null || before.length !== 32) return null
  const body = new TextEncoder().encode(Canonical)
  const all = new Uint8Array(before.length + body.length)
  all.set(before)
  all.set(body, before.length)
  return sha256(all)
}

interface Stored {
  readonly seq?: unknown
  readonly timeUtc?: unknown
  readonly action?: unknown
  readonly outcome?: unknown
  readonly actor?: { readonly id?: unknown; readonly name?: unknown }
  readonly object?: { readonly type?: unknown; readonly id?: unknown; readonly name?: unknown }
}

/** What stands on the screen must come from the bytes that were hashed, not from beside them. */
function saysTheSame(entry: ChainEntry): boolean {
  let stored: Stored
  try {
    stored = JSON.parse(entry.Canonical) as Stored
  } catch {
    return false
  }
  return (
    stored.seq === entry.Seq &&
    stored.timeUtc === entry.TimeUtc &&
    stored.action === entry.Action &&
    stored.outcome === entry.Outcome &&
    stored.actor?.id === entry.Actor.Id &&
    stored.actor.name === entry.Actor.Name &&
    stored.object?.type === entry.Object.Type &&
    stored.object.id === entry.Object.Id &&
    stored.object.name === entry.Object.Name
  )
}
