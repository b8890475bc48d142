/** The code blocks of the README and of docs. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export interface Block {
  /** For example `README.md:61`. */
  readonly name: string
  readonly language: string
  readonly text: string
}

export function documents(): string[] {
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  return ['README.md', ...docs.filter((name) => name.endsWith('.md')).map((name) => join('docs', name))].toSorted(
    (a, b) => (a === 'README.md' ? -1 : b === 'README.md' ? 1 : a.localeCompare(b)),
  )
}

export function blocksOf(file: string): Block[] {
  const lines = readFileSync(join(ROOT, file), 'utf8').split('\n')
  const blocks: Block[] = []
  for (let at = 0; at < lines.length; at++) {
    const open = /^(\s*)```(\S*)$/.exec(lines[at] ?? '')
    if (open === null) continue
    const indent = open[1] ?? ''
    const start = at + 1
    while (lines[++at]?.trim() !== '```') if (at >= lines.length) throw new Error(`${file}:${start} does not end`)
    const text = lines.slice(start, at).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
    blocks.push({ name: `${file}:${start}`, language: open[2] ?? '', text: `${text.join('\n')}\n` })
  }
  return blocks
}
