/** Sentences of the station about itself: it fills one in and stores the text in English; the window reads the text again, and says it in its own language. */
import { type Catalogue, filled, textsAndParts } from './wording.ts'

type PartsOf<Text> = Text extends `${string}{{${infer Part}}}${infer Rest}` ? Part | PartsOf<Rest> : never
type Fill<Text> = { readonly [Part in PartsOf<Text>]: string | number }

export interface ReadSentence {
  /** In the catalogue. */
  readonly name: string
  readonly fill: Readonly<Record<string, string>>
}

export interface Sentences<Words extends Catalogue> {
  /** @param fill for the parts of the sentence, where it has some */
  say<Name extends keyof Words>(
    name: Name,
    ...[fill]: PartsOf<Words[Name]> extends never ? [] : [fill: Fill<Words[Name]>]
  ): string
  /** @returns null for a text that is none of the sentences */
  read(text: string): ReadSentence | null
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
const patternOf = (sentence: string): RegExp => {
  const texts = textsAndParts(sentence)
  return new RegExp(`^${texts.map((text, at) => (at % 2 === 0 ? escaped(text) : `(?<${text}>.*)`)).join('')}$`, 's')
}
/** Of two sentences that fit a text, the one that says more of it itself. */
const ownLength = (sentence: string): number => filled(sentence, () => '').length

export interface Retelling {
  /** Of the catalogue. */
  readonly read: (text: string) => ReadSentence | null
  /** The catalogue in the language of the reader. */
  readonly words: Catalogue
  /** The part `time` of a sentence is an instant. */
  readonly time: (utc: string) => string
}

/** A text of the station in another language; one that is no sentence of the catalogue stays as it is. */
export function retold(text: string, { read, words, time }: Retelling): string {
  const found = read(text)
  const sentence = found === null ? undefined : words[found.name]
  if (found === null || sentence === undefined) return text
  return filled(sentence, (part) => (part === 'time' ? time(found.fill[part] ?? '') : found.fill[part]))
}

/** @param catalogue in English */
export function sentencesOf<const Words extends Catalogue>(catalogue: Words): Sentences<Words> {
  const patterns = Object.entries<string>(catalogue)
    .map(([name, sentence]) => ({ name, pattern: patternOf(sentence), length: ownLength(sentence) }))
    .sort((one, other) => other.length - one.length)
  return {
    say: (name, ...[fill]) =>
      filled(catalogue[name] as string, (part) => (fill as Readonly<Record<string, unknown>>)[part]),
    read: (text) => {
      for (const { name, pattern } of patterns) {
        // The last part may be nothing, and the space before it is not kept.
        const found = pattern.exec(text) ?? pattern.exec(`${text} `)
        if (found !== null) return { name, fill: { ...found.groups } }
      }
      return null
    },
  }
}
