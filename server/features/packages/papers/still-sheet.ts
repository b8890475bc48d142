/** The still sheet: the stills and crops of a package as pictures, with where each comes from. */
import { highestNumber, nameIn } from '../format/items.ts'
import { escapedName, numberOf } from '../format/names.ts'
import { type PaperDocument, said } from '../../../platform/pdf/papers/paper.ts'
import type { ItemFacts } from './facts.ts'
import { type AboutPackage, leadOf, type PackageWords } from './forms.ts'

/** Pictures in one sheet, at most; what is beyond them is listed without. */
const MOST_PICTURES = 200

export const isStill = ({ item }: ItemFacts): boolean => item.kind === 'still'

/** @param pictureOf a small JPEG of the file of an item; null where none could be drawn */
export async function stillSheet(
  about: AboutPackage,
  items: readonly ItemFacts[],
  words: PackageWords,
  pictureOf: (item: ItemFacts) => Promise<Buffer | null>,
): Promise<PaperDocument> {
  const { say } = words
  const highest = highestNumber(items.map(({ item }) => item))
  const byNumber = new Map(items.map(({ item }) => [item.no, item]))
  const pictures = []
  for (const [at, one] of items.filter(isStill).entries()) {
    const { item, completed, taken } = one
    const parent = item.parent === null ? undefined : byNumber.get(item.parent)
    const { start } = item.corrected.start === null ? item.recorded : item.corrected
    pictures.push({
      picture: at < MOST_PICTURES ? await pictureOf(one) : null,
      lines: [
        said(`${numberOf(item.no, highest)} · ${nameIn(item)}`),
        said(escapedName(item.title)),
        ...(parent === undefined
          ? []
          : [said(say('stillFrom', { no: numberOf(parent.no, highest), file: nameIn(parent) }))]),
        ...(start === null ? [] : [said(say('stillRecorded', { time: words.time(start) }))]),
        ...(taken === null ? [] : [said(takenWords(taken, words), taken.seq)]),
        { ...said(item.sha256, completed.seq), mono: true },
      ],
    })
  }
  return {
    title: say('stills'),
    banner: null,
    blocks: [
      { kind: 'title', text: say('stills') },
      leadOf(about, words),
      { kind: 'words', words: said(say('stillsLead')) },
      { kind: 'pictures', missing: say('noPicture'), pictures },
    ],
  }
}

function takenWords({ timeUtc, by, seconds, area }: NonNullable<ItemFacts['taken']>, words: PackageWords): string {
  const when = { time: words.time(timeUtc), who: by }
  return area === null
    ? words.say('stillTaken', { ...when, position: words.position(seconds ?? 0) })
    : words.say('stillCropped', {
        ...when,
        area: `${area.width} × ${area.height}`,
        left: words.count(area.left),
        top: words.count(area.top),
      })
}
