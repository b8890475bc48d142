/** The tree of a file as Vite parses it (ESTree), as far as the build looks into it. */
export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
export const childrenOf = (node: Node): readonly Node[] =>
  Object.values(node)
    .flatMap((value: unknown) => (Array.isArray(value) ? (value as unknown[]) : [value]))
    .filter(isNode)
export const childOf = (node: Node, name: string): Node | null => {
  const child = (node as unknown as Readonly<Record<string, unknown>>)[name]
  return isNode(child) ? child : null
}
export const listOf = (node: Node, name: string): readonly Node[] => {
  const list = (node as unknown as Readonly<Record<string, unknown>>)[name]
  return Array.isArray(list) ? list.filter(isNode) : []
}
export const nameOf = (node: Node | null): string =>
  node !== null && 'name' in node && typeof node.name === 'string' ? node.name : ''
