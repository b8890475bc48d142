/** The documents: what they link to and the paths that they name are there. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { IN_DOCUMENTS } from '../ui/support/pictures.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const DOCUMENTS = globSync(['*.md', 'docs/**/*.md', 'renderer/**/*.md', 'test/**/*.md'], { cwd: ROOT }).toSorted()
/** `[text](target#part)`; addresses of other places apart. */
const LINK = /\]\((?!https?:|mailto:)([^)#\s]+)(?:#[^)\s]*)?\)/g
/** A path in backticks; `*`, `{a,b}` and `name/` are patterns. What stands for any name (`<name>`, `NNNN`, `schema-N`) is none. */
const PATH = /`((?:server|shared|renderer|main|test|build|docs)\/[^`\s<>]*)`/g
const ANY_NAME = /NNNN|-N\b/

function missingLinks(file: string, text: string): string[] {
  return [...text.matchAll(LINK)]
    .map(([, target = '']) => target)
    .filter((target) => !existsSync(join(ROOT, dirname(file), target)))
    .map((target) => `${file}: ${target}`)
}

function missingPaths(file: string, text: string): string[] {
  return [...text.matchAll(PATH)]
    .map(([, path = '']) => path.replace(/:\d+.*$/, '').replace(/\/$/, ''))
    .filter((path) => !ANY_NAME.test(path) && !existsSync(join(ROOT, path)))
    .filter((path) => globSync(path, { cwd: ROOT }).length === 0)
    .map((path) => `${file}: ${path}`)
}

describe('documents', () => {
  const texts = DOCUMENTS.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')] as const)

  it('link to files that are there', () => {
    expect(texts.flatMap(([file, text]) => missingLinks(file, text))).toEqual([])
  })

  it('name paths that are there', () => {
    // The changelog tells what was, and the architecture ends with what is to come.
    const apart = ['CHANGELOG.md']
    expect(texts.filter(([file]) => !apart.includes(file)).flatMap(([file, text]) => missingPaths(file, text))).toEqual(
      [],
    )
  })

  it('are all listed in docs/README.md, or in the index of their folder', () => {
    const listed = (index: string): string[] =>
      [...readFileSync(join(ROOT, index), 'utf8').matchAll(LINK)].map(([, target = '']) => join(dirname(index), target))
    const indexes = DOCUMENTS.filter((file) => /^docs\/(?:[^/]+\/)?README\.md$/.test(file))
    const all = new Set(indexes.flatMap(listed))
    expect(DOCUMENTS.filter((file) => file.startsWith('docs/') && file !== 'docs/README.md' && !all.has(file))).toEqual(
      [],
    )
  })

  it('show each picture that is kept, and keep no other', () => {
    const shown = texts.flatMap(([, text]) => [...text.matchAll(/screens\/([\w-]+)\.webp\)/g)].map(([, name]) => name))
    const kept = globSync('docs/screens/*', { cwd: ROOT }).map((file) => basename(file, '.webp'))
    expect(kept.toSorted()).toEqual([...IN_DOCUMENTS].toSorted())
    expect([...new Set(shown)].toSorted()).toEqual([...IN_DOCUMENTS].toSorted())
  })

  it('a link and a path that lead nowhere are found', () => {
    expect(missingLinks('docs/x.md', '[a](nothing.md) [b](README.md#parts) [c](https://example.org)')).toEqual([
      'docs/x.md: nothing.md',
    ])
    expect(
      missingPaths('x.md', '`server/nothing.ts` `server/index.ts` `server/{index,nothing}.ts` `docs/<name>`'),
    ).toEqual(['x.md: server/nothing.ts'])
  })
})
