/** Reads source files as trees, for what is looked for in them. */
import { parseSync } from 'vite'

export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [member: string]: unknown
}

export function parsed(file: string, source: string): Node {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  return program as unknown as Node
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

export function children(node: Node): Node[] {
  return Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  )
}

/** Of `a.b` the `b`; of anything without a name the empty text. */
export function nameOf(node: Node): string {
  const named = node.type === 'MemberExpression' ? (node['property'] as Node) : node
  return typeof named['name'] === 'string' ? named['name'] : ''
}

export const lineOf = (source: string, start: number): number => source.slice(0, start).split('\n').length

/** In the order of the file, those of the same text counted from 1. */
export function numbered<One extends { readonly text: string; readonly start: number }>(
  found: readonly One[],
): (One & { readonly at: number })[] {
  const seen = new Map<string, number>()
  return found
    .toSorted((a, b) => a.start - b.start)
    .map((one) => {
      const at = (seen.get(one.text) ?? 0) + 1
      seen.set(one.text, at)
      return { ...one, at }
    })
}
