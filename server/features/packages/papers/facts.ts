/**
 * What papers say of the items, each with the entry of the ledger that states it. The rows of the database are held against those entries: a paper
 * is made of what the ledger says, or not at all.
 */
import { fault } from '../../../../shared/kernel/errors.ts'
import type { EntryLine } from '../custody-lines.ts'
import type { PackagedItem } from '../format/items.ts'

export interface ItemFacts {
  readonly item: PackagedItem
  /** The entry that its bytes were complete. */
  readonly completed: { readonly seq: number; readonly timeUtc: string; readonly readBack: string | null }
  /** How it was made; null of an original. */
  readonly made: {
    readonly seq: number
    readonly tool: string
    readonly version: string
    readonly arguments: readonly string[]
    readonly inputSha256: string
  } | null
  /** Where a still was taken or a picture cropped, and by whom; null of everything else. */
  readonly taken: {
    readonly seq: number
    readonly timeUtc: string
    readonly by: string
    /** Where the frame begins on the time line of the recording, seconds; null of a crop. */
    readonly seconds: number | null
    /** Pixels of the picture that it was cropped from; null of a still. */
    readonly area: Readonly<Record<'left' | 'top' | 'width' | 'height', number>> | null
  } | null
  /** The last time its bytes were read again and found whole; null where they were not yet. */
  readonly checked: { readonly seq: number; readonly timeUtc: string } | null
}

/** What completes the bytes of a resource. */
const MADE = new Set(['derivation.added', 'clip.created', 'still.taken', 'picture.cropped'])
/** It came from another station with all of its files. */
const IMPORTED = 'resource.imported'
const CHECKED = 'resource.checked'

/** Takes the entries about the items one by one, in their order, and keeps of each item what papers say. */
export interface FactCollector {
  take(line: EntryLine): void
  /** @throws Fault PackageFactDiffers when a row and its entry disagree, or no entry states it */
  facts(): ItemFacts[]
}

interface Stated {
  readonly name: string
  readonly bytes: number | null
  readonly facts: Omit<ItemFacts, 'item' | 'checked'>
}

export function collectFacts(items: readonly PackagedItem[]): FactCollector {
  const byResource = Map.groupBy(items, ({ resourceId }) => resourceId)
  const stated = new Map<PackagedItem, Stated>()
  const checked = new Map<string, NonNullable<ItemFacts['checked']>>()
  return {
    take: ({ seq, entry }) => {
      if (entry?.object.type !== 'resource' || entry.outcome !== 'ok') return
      if (entry.action === CHECKED) checked.set(entry.object.id, { seq, timeUtc: entry.timeUtc })
      for (const item of byResource.get(entry.object.id) ?? [])
        if (completes(item, entry)) stated.set(item, statedBy(seq, entry, item))
    },
    facts: () =>
      items.map((item) => {
        const found = stated.get(item)
        if (found === undefined)
          throw fault(
            'PackageFactDiffers',
            `The hash of “${item.originalName}” is not the one in the ledger. Verify the station before anything leaves it.`,
          )
        if (found.bytes !== item.bytes || (item.kind === 'original' && found.name !== item.originalName))
          throw fault(
            'PackageFactDiffers',
            `Name or length of “${item.originalName}” are not those in entry ${found.facts.completed.seq} of the ledger. Verify the station before anything leaves it.`,
          )
        return { item, ...found.facts, checked: checked.get(item.resourceId) ?? null }
      }),
  }
}

/** Whether the entry states that these very bytes were complete. */
function completes(item: PackagedItem, { action, sha256 }: Entry): boolean {
  if (sha256 !== item.sha256) return false
  return action === IMPORTED || (item.kind === 'original' ? action === 'resource.completed' : MADE.has(action))
}

function statedBy(seq: number, entry: Entry, item: PackagedItem): Stated {
  const detail = (entry.detail ?? {}) as Readonly<Record<string, unknown>>
  return {
    name: entry.object.name,
    bytes: entry.bytes,
    facts: {
      completed: {
        seq,
        timeUtc: entry.timeUtc,
        readBack: typeof detail['readBack'] === 'string' ? detail['readBack'] : null,
      },
      made:
        item.kind === 'original'
          ? null
          : {
              seq,
              tool: String(detail['tool'] ?? ''),
              version: String(detail['version'] ?? ''),
              arguments: Array.isArray(detail['arguments']) ? detail['arguments'].map(String) : [],
              inputSha256: String(detail['inputSha256'] ?? ''),
            },
      taken: takenOf(seq, entry),
    },
  }
}

type Entry = NonNullable<EntryLine['entry']>

function takenOf(seq: number, { action, timeUtc, actor, detail }: Entry): ItemFacts['taken'] {
  if (action !== 'still.taken' && action !== 'picture.cropped') return null
  const said = (detail ?? {}) as Readonly<Record<string, unknown>>
  const taken = { seq, timeUtc, by: actor.name }
  if (action === 'still.taken') return { ...taken, seconds: Number(said['frameSeconds']), area: null }
  const [left, top, width, height] = ['left', 'top', 'width', 'height'].map((member) => Number(said[member]))
  return { ...taken, seconds: null, area: { left: left ?? 0, top: top ?? 0, width: width ?? 0, height: height ?? 0 } }
}
