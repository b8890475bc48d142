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

/** @throws Fault PackageFactDiffers when a row and its entry disagree, or no entry states it */
export function itemFacts(items: readonly PackagedItem[], lines: readonly EntryLine[]): ItemFacts[] {
  const byResource = Map.groupBy(
    lines.filter(({ entry }) => entry?.object.type === 'resource' && entry.outcome === 'ok'),
    ({ entry }) => entry?.object.id ?? '',
  )
  return items.map((item) => {
    const own = byResource.get(item.resourceId) ?? []
    const completing = own.filter(({ entry }) =>
      item.kind === 'original'
        ? entry?.action === 'resource.completed' || entry?.action === IMPORTED
        : MADE.has(entry?.action ?? '') || entry?.action === IMPORTED,
    )
    const stated = completing.findLast(({ entry }) => entry?.sha256 === item.sha256)
    if (stated?.entry == null)
      throw fault(
        'PackageFactDiffers',
        `The hash of “${item.originalName}” is not the one in the ledger. Verify the station before anything leaves it.`,
      )
    const { entry } = stated
    if (entry.bytes !== item.bytes || (item.kind === 'original' && entry.object.name !== item.originalName))
      throw fault(
        'PackageFactDiffers',
        `Name or length of “${item.originalName}” are not those in entry ${stated.seq} of the ledger. Verify the station before anything leaves it.`,
      )
    const detail = (entry.detail ?? {}) as Readonly<Record<string, unknown>>
    const checked = own.findLast(({ entry: one }) => one?.action === CHECKED)
    return {
      item,
      completed: {
        seq: stated.seq,
        timeUtc: entry.timeUtc,
        readBack: typeof detail['readBack'] === 'string' ? detail['readBack'] : null,
      },
      made:
        item.kind === 'original'
          ? null
          : {
              seq: stated.seq,
              tool: String(detail['tool'] ?? ''),
              version: String(detail['version'] ?? ''),
              arguments: Array.isArray(detail['arguments']) ? detail['arguments'].map(String) : [],
              inputSha256: String(detail['inputSha256'] ?? ''),
            },
      taken: takenOf(stated.seq, entry),
      checked: checked?.entry == null ? null : { seq: checked.seq, timeUtc: checked.entry.timeUtc },
    }
  })
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
