/**
 * Finds the value of a path, in as many steps as the path has segments. From left to right, a literal segment is preferred to a
 * parameter. A parameter matches any non-empty segment, still percent-encoded. One slash at the end is optional.
 */

interface Node<T> {
  readonly literals: Map<string, Node<T>>
  parameter: Node<T> | null
  value: T | null
}

export interface Found<T> {
  readonly value: T
  /** Segments of the whole path, as received. */
  readonly segments: readonly string[]
}

export interface PathTree<T> {
  /** The value of a path of the contract (`/case/:id`); `make` creates it when it is missing. Names of parameters make no difference. */
  at(path: string, make: () => T): T
  find(path: string): Found<T> | null
  values(): readonly T[]
}

export const isParameter = (segment: string): boolean => segment.startsWith(':')

export function createPathTree<T>(): PathTree<T> {
  const root: Node<T> = emptyNode()
  const values: T[] = []
  return {
    at: (path, make) => {
      let node = root
      for (const segment of path.split('/')) node = childOf(node, segment)
      if (node.value === null) {
        node.value = make()
        values.push(node.value)
      }
      return node.value
    },
    find: (path) => {
      const segments = (path.endsWith('/') ? path.slice(0, -1) : path).split('/')
      const value = walk(root, segments, 0)
      return value === null ? null : { value, segments }
    },
    values: () => values,
  }
}

function emptyNode<T>(): Node<T> {
  return { literals: new Map(), parameter: null, value: null }
}

function childOf<T>(node: Node<T>, segment: string): Node<T> {
  if (isParameter(segment)) return (node.parameter ??= emptyNode())
  const child = node.literals.get(segment) ?? emptyNode()
  node.literals.set(segment, child)
  return child
}

function walk<T>(node: Node<T>, segments: readonly string[], at: number): T | null {
  const segment = segments[at]
  if (segment === undefined) return node.value
  const literal = node.literals.get(segment)
  const found = literal === undefined ? null : walk(literal, segments, at + 1)
  if (found !== null || segment === '' || node.parameter === null) return found
  return walk(node.parameter, segments, at + 1)
}
