/** What a file says of itself, and the six facts of it that people ask for first. Pure. */
import { visible } from '../text/visible.ts'

export interface ExifFact {
  readonly group: string
  readonly tag: string
  readonly value: string
}

/** `Group:Tag` and its value, as text whatever it was: nothing of a file is ever more than text here. */
export function factsOf(json: unknown): readonly ExifFact[] {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return []
  return Object.entries(json).map(([name, value]) => {
    const at = name.indexOf(':')
    return {
      group: visible(at < 0 ? '' : name.slice(0, at)),
      tag: visible(at < 0 ? name : name.slice(at + 1)),
      value: visible(typeof value === 'string' ? value : JSON.stringify(value)),
    }
  })
}

export const matches = ({ group, tag, value }: ExifFact, words: string): boolean =>
  `${group} ${tag} ${value}`.toLocaleLowerCase().includes(words.trim().toLocaleLowerCase())

export const MAIN_FACTS = ['taken', 'camera', 'lens', 'gps', 'size', 'software'] as const
export type MainFact = (typeof MAIN_FACTS)[number]

/** Null where the file says nothing of it. */
export function mainFacts(facts: readonly ExifFact[]): Readonly<Record<MainFact, string | null>> {
  const first = (...tags: readonly string[]): string | null => {
    for (const tag of tags) {
      const found = facts.find((fact) => (tag.includes(':') ? `${fact.group}:${fact.tag}` : fact.tag) === tag)
      if (found !== undefined && found.value.trim() !== '') return found.value.trim()
    }
    return null
  }
  return {
    taken: takenOf(first),
    camera: joined(first('IFD0:Make', 'Make'), first('IFD0:Model', 'Model')),
    lens: first('LensModel', 'Lens', 'LensID', 'LensType'),
    gps: pair(first('Composite:GPSLatitude'), first('Composite:GPSLongitude'), degrees, ', '),
    size:
      pair(first('File:ImageWidth', 'PNG:ImageWidth'), first('File:ImageHeight', 'PNG:ImageHeight'), String, ' × ') ??
      pair(first('ExifImageWidth', 'ImageWidth'), first('ExifImageHeight', 'ImageHeight'), String, ' × '),
    software: first('IFD0:Software', 'Software', 'CreatorTool', 'ProcessingSoftware'),
  }
}

type First = (...tags: readonly string[]) => string | null

/** As the camera wrote it, with the zone where it wrote one: no time is worked out here. */
function takenOf(first: First): string | null {
  const date = first('DateTimeOriginal', 'ExifIFD:CreateDate', 'CreateDate', 'IFD0:ModifyDate')
  const written = date?.replace(/^(\d{4}):(\d{2}):(\d{2})/, '$1-$2-$3') ?? null
  const zone = first('OffsetTimeOriginal', 'OffsetTime')
  return written === null || zone === null || /[+-]\d{2}:\d{2}$|Z$/.test(written) ? written : `${written} ${zone}`
}

/** Many models begin with their maker. */
function joined(make: string | null, model: string | null): string | null {
  if (make === null || model === null) return make ?? model
  return model.toLocaleLowerCase().startsWith(make.toLocaleLowerCase()) ? model : `${make} ${model}`
}

const degrees = (value: string): string => (Number.isFinite(Number(value)) ? Number(value).toFixed(5) : value)

const pair = (
  one: string | null,
  other: string | null,
  write: (value: string) => string,
  between: string,
): string | null => (one === null || other === null ? null : `${write(one)}${between}${write(other)}`)
