/**
 * Templates of papers: plain text that an agency replaces (docs/decisions/0034). `# ` and `## ` are title and heading; an empty line ends a paragraph;
 * `{{name}}` is a fact, with the numbers of its entries; `{{items}}` and the like on a line of their own are tables; `[[label]]` alone on a line is
 * left for whoever signs. Pure.
 */
import type { Block, Words } from './paper.ts'

export interface TemplateFacts {
  readonly facts: Readonly<Record<string, Words>>
  readonly tables: Readonly<Record<string, readonly Block[]>>
}

/** A template cannot be used; the text says why and in which line. */
export class TemplateProblem extends Error {
  override readonly name = 'TemplateProblem'
}

/** @throws TemplateProblem */
export function paperBlocks(template: string, { facts, tables }: TemplateFacts): Block[] {
  const blocks: Block[] = []
  let paragraph: string[] = []
  const end = (): void => {
    if (paragraph.length > 0) blocks.push({ kind: 'words', words: wordsOf(paragraph.join(' '), facts) })
    paragraph = []
  }
  for (const [at, line] of template
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const problem = (text: string): TemplateProblem => new TemplateProblem(`Line ${at + 1}: ${text}`)
    const [, table] = /^\{\{([a-zA-Z]+)\}\}\s*$/.exec(line) ?? []
    const [, blank] = /^\[\[([^\]]+)\]\]\s*$/.exec(line) ?? []
    const [, marks, words] = /^(#{1,2}) (.+)$/.exec(line) ?? []
    if (table !== undefined && Object.hasOwn(tables, table)) {
      end()
      blocks.push(...(tables[table] ?? []))
    } else if (blank !== undefined) {
      end()
      blocks.push({ kind: 'blank', label: blank.trim() })
    } else if (words !== undefined) {
      end()
      blocks.push({ kind: marks === '#' ? 'title' : 'heading', text: words.trim() })
    } else if (line.trim() === '') end()
    else {
      const unknown = [...line.matchAll(/\{\{([^}]*)\}\}/g)].find(([, name]) => !Object.hasOwn(facts, name ?? ''))
      if (unknown !== undefined)
        throw problem(
          `there is no fact ${unknown[0]}. There are ${Object.keys(facts).join(', ')}; and alone on a line ${Object.keys(tables).join(', ')}.`,
        )
      if (/\{\{|\}\}/.test(line.replaceAll(/\{\{[^}]*\}\}/g, '')))
        throw problem('“{{” and “}}” do not belong together.')
      paragraph.push(line.trim())
    }
  }
  end()
  if (blocks.length === 0) throw new TemplateProblem('It is empty.')
  return blocks
}

function wordsOf(text: string, facts: TemplateFacts['facts']): Words {
  // Each fact has its numbers behind it, so that one sentence may hold several.
  const filled = text.replaceAll(/\{\{([a-zA-Z]+)\}\}/g, (_found, name: string) => {
    const { text: value, seqs } = facts[name] as Words
    return seqs.length === 0 ? value : `${value} [${seqs.join(', ')}]`
  })
  return { text: filled, seqs: [] }
}
