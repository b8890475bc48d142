/** Each page and each part that is fetched later comes with the words that it says: a missing catalogue shows keys instead of words. */
import { join, normalize, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { productFiles } from '../../build/scripts/layers.ts'
import { later } from '../../shared/messages/later.ts'

const files = productFiles(fileURLToPath(new URL('../..', import.meta.url)))
const LATER: ReadonlySet<string> = new Set(Object.keys(later))

const resolved = (file: string, to: string): string => normalize(join(dirname(file), to))
const without = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

/** What a file loads at once, without types and without what it fetches later. */
const importsNow = new Map(
  [...files]
    .filter(([file]) => /^(renderer|shared)\//.test(file))
    .map(([file, text]) => [
      file,
      [...without(text).matchAll(/^(?:import|export)\s+(?!type\b)[^'"]*?from\s+'(\.[^']+)'/gm)]
        .map(([, to = '']) => resolved(file, to))
        .filter((to) => files.has(to)),
    ]),
)

const closures = new Map<string, ReadonlySet<string>>()
function closureOf(file: string): ReadonlySet<string> {
  const known = closures.get(file)
  if (known !== undefined) return known
  const seen = new Set([file])
  for (const one of seen) for (const to of importsNow.get(one) ?? []) seen.add(to)
  closures.set(file, seen)
  return seen
}

const saidIn = (file: string): readonly string[] =>
  [...(files.get(file) ?? '').matchAll(/useTranslation\('(\w+)'\)|\bns: '(\w+)'/g)]
    .map(([, hook, option]) => hook ?? option ?? '')
    .filter((area) => LATER.has(area))
const saidBy = (file: string): ReadonlySet<string> => new Set([...closureOf(file)].flatMap(saidIn))

/** The places that fetch a part of the window: which part, and with which words. */
const fetches = [...files]
  .filter(([file]) => file.startsWith('renderer/') && !file.includes('.test.'))
  .flatMap(([file, text]) =>
    [...without(text).matchAll(/(withWords\(\s*)?import\('(\.[^']+\.tsx?)'\)(?:,\s*((?:'\w+'(?:,\s*)?)+)\))?/g)].map(
      ([, , to = '', areas = '']) => ({
        from: file,
        to: resolved(file, to),
        words: [...areas.matchAll(/'(\w+)'/g)].map(([, area = '']) => area),
      }),
    ),
  )
  .filter(({ to }) => to.startsWith('renderer/'))
const arounds = new Map<string, ReadonlySet<string>>()
/** What is there already wherever the file runs: the words of every part that holds it. */
function around(file: string): ReadonlySet<string> {
  const known = arounds.get(file)
  if (known !== undefined) return known
  arounds.set(file, new Set())
  const held = fetches.filter(({ to, from }) => from !== file && closureOf(to).has(file))
  const [first, ...others] = held.map(({ words, from }) => new Set([...words, ...around(from)]))
  const found = new Set([...(first ?? [])].filter((area) => others.every((one) => one.has(area))))
  arounds.set(file, found)
  return found
}

describe('words on screens', () => {
  it('the first screen says nothing that is fetched later', () => {
    expect([...saidBy('renderer/main.tsx')]).toEqual([])
  })

  it('every page and part is fetched with all of its words', () => {
    expect(fetches.length).toBeGreaterThan(60)
    const missing = fetches.flatMap(({ from, to, words }) => {
      const there = new Set([...words, ...around(from)])
      return [...saidBy(to)].filter((area) => !there.has(area)).map((area) => `${from}: ${to} says ${area}`)
    })
    expect(missing).toEqual([])
  })
})
