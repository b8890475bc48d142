/** What comments, tests and documents cite: decisions, guarantees, findings of reviews, sections of the interfaces. All of it stands in `docs`. */

/** `decisions 6`, `promise I3+`, `interfaces.md 4.3`; and names of texts that are not in the repository. */
const CITATION =
  /\b(?:decisions? \d+|promises? [A-Z]\d+\+?|interfaces\.md(?: \d+(?:\.\d+)?)?|habits? \d+)|(?<![\w/.-])(?:decisions|promises|design|guide|dependencies)\.md\b/g
/** A title of a test begins with what it shows: `I12 the times …`, `S4, S16: …`, `A2, I6: …`. */
const TITLE = /\b(?:describe|it|test)(?:\.\w+)*\(\s*['"`]([A-Z]\d+\+?(?:(?:, | and )[A-Z]\d+\+?)*)(?=[ :,])/g
const ID = /[A-Z]\d+\+?/g

export interface Cited {
  readonly decisions: ReadonlySet<number>
  /** Ids of guarantees and of the findings of reviews. */
  readonly ids: ReadonlySet<string>
  /** Numbers of the sections of docs/integrate/interfaces.md. */
  readonly interfaces: ReadonlySet<string>
}

/** @param texts of the repository, by the names of their files */
export function readCited(texts: ReadonlyMap<string, string>): Cited {
  const headings = (place: RegExp, heading: RegExp): string[] =>
    [...texts].flatMap(([name, text]) =>
      place.test(name) ? [...text.matchAll(heading)].map(([, id]) => id as string) : [],
    )
  const numbers = [...texts.keys()].flatMap((name) => /^docs\/decisions\/(\d{4})-[^/]+\.md$/.exec(name)?.[1] ?? [])
  return {
    decisions: new Set(numbers.map(Number)),
    ids: new Set(headings(/^docs\/(?:guarantees|reviews\/[^/]+)\.md$/, /^### ([A-Z]\d+\+?) /gm)),
    interfaces: new Set(headings(/^docs\/integrate\/interfaces\.md$/, /^#{2,3} (\d+(?:\.\d+)?)\.? /gm)),
  }
}

function leadsSomewhere(citation: string, cited: Cited): boolean {
  const [word = '', target = ''] = citation.split(' ')
  if (word.startsWith('decision')) return cited.decisions.has(Number(target))
  if (word.startsWith('promise')) return cited.ids.has(target)
  return word === 'interfaces.md' && (target === '' ? cited.interfaces.size > 0 : cited.interfaces.has(target))
}

/** Each citation that leads nowhere, with the file that it stands in. */
export function unresolvedCitations(file: string, text: string, cited: Cited): string[] {
  const named = [...text.matchAll(CITATION)].map(([citation]) => citation)
  const titled = [...text.matchAll(TITLE)].flatMap(([, ids = '']) => ids.match(ID) ?? []).map((id) => `promise ${id}`)
  return [...named, ...titled]
    .filter((citation) => !leadsSomewhere(citation, cited))
    .map((citation) => `${file}: ${citation}`)
}
