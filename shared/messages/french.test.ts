import { globSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

type Words = Readonly<Record<string, string>>
const folder = path.join(import.meta.dirname, '..')

/** Each message with its French. */
const messages: { readonly at: string; readonly english: string; readonly french: string }[] = []
for (const file of globSync('**/*messages.en.ts', { cwd: folder })) {
  const english = (await import(path.join(folder, file))) as Record<string, Words>
  const french = (await import(path.join(folder, file.replace('.en.ts', '.fr.ts')))) as Record<string, Words>
  // French has plural forms that English lacks.
  for (const [area, words] of Object.entries(english))
    for (const key of new Set([...Object.keys(words), ...Object.keys(french[area] ?? {})]))
      messages.push({ at: `${file} ${key}`, english: words[key] ?? '', french: french[area]?.[key] ?? '' })
}

/** A term of the field in English, and the one word that French has for it. */
const TERMS: readonly (readonly [RegExp, RegExp])[] = [
  [/\bstation\b/i, /station|\bici\b/i],
  [/\bledger\b/i, /registre/i],
  [/\bbays?\b/i, /baie/i],
  [/\bjobs?\b/i, /traitement/i],
  [/\bquarantine\b/i, /quarantaine/i],
  [/\brecycle bin\b/i, /corbeille/i],
  [/\bheadquarters\b/i, /siège/i],
  [/\bcheckpoints?\b/i, /points? de contrôle/i],
  [/\bdepartments?\b/i, /service|département/i],
  [/\bclips?\b/i, /extrait|clip/i],
  [/\bdisclos(?:e|ed|ure|ures)\b/i, /communi/i],
  [/\bdisposition\b/i, /élimin/i],
  [/\bseal(?:ed)?\b/i, /scell/i],
]
/** Other words for what has one already. The words of the search of the help may be any. */
const OTHERS = /\baffaires?\b|\btéléversements?\b|\b(?:du|le|ce|au) poste\b/i
const isSearched = (at: string): boolean => at.endsWith('Words')

describe('the French catalogues', () => {
  it.each(TERMS)('say %s by one word', (english, french) => {
    const of = messages.filter(({ at, english: text }) => !isSearched(at) && english.test(text))
    expect(of).not.toEqual([])
    expect(of.filter(({ french: text }) => !french.test(text))).toEqual([])
  })

  it('begin no line with a mark that belongs to the word before', () => {
    expect(messages.filter(({ french }) => /[ \u00a0][:;?!»]|«[ \u00a0]/.test(french))).toEqual([])
  })

  it('use no second word for a case, an upload or the station', () => {
    expect(messages.filter(({ at, french }) => !isSearched(at) && OTHERS.test(french))).toEqual([])
  })
})
