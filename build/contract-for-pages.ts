/**
 * The contract as pages need it: of a route its method, its path and whether it answers with JSON. What is published about it, who may call
 * it, what it takes and what it answers is judged by the station alone. What no page asks for can then go, for nothing in these files does
 * more than name a value.
 */
import { childOf, childrenOf, listOf, nameOf, type Node } from './syntax.ts'

export const CONTRACT_FILES = /\/shared\/(?!messages\/|window\/|desktop\/)[^/]+\/(?!(?:[^/]*\.)?messages\.)[^/]+\.ts$/
/** Members of a route that the client never reads (shared/kernel/contract-client.ts). */
const UNREAD: ReadonlySet<string> = new Set([
  'interface',
  'aliases',
  'origin',
  'summary',
  'description',
  'permission',
  'audit',
  'params',
  'query',
  'body',
  'bodyBytes',
  'bodyParts',
  'accepts',
  'vendorModel',
  'offers',
  'events',
  'errors',
  'idempotent',
  'secrets',
  'uncounted',
  'whileLocked',
  'whilePasswordDue',
  'whileReadOnly',
])
/** An object with one of these is a route or a part of one. */
const OF_ROUTES: ReadonlySet<string> = new Set(['interface', 'method', 'origin', 'audit', 'permission', 'aliases'])

type Edit = readonly [start: number, end: number, text: string]

const FUNCTIONS: ReadonlySet<string> = new Set(['ArrowFunctionExpression', 'FunctionExpression', 'FunctionDeclaration'])

/** Whether making the value runs anything at all. */
function runs(node: Node): boolean {
  if (FUNCTIONS.has(node.type)) return false
  if (['CallExpression', 'NewExpression', 'SpreadElement', 'MemberExpression'].includes(node.type)) return true
  return childrenOf(node).some(runs)
}

/** Of each status only that it has an answer; those without one and those of bytes say so by a word. */
const withoutSchemas = (responses: Node | null): readonly Edit[] =>
  (responses?.type === 'ObjectExpression' ? listOf(responses, 'properties') : []).flatMap((property) => {
    const schema = childOf(property, 'value')
    return schema === null || schema.type === 'Literal' ? [] : [[schema.start, schema.end, 'true'] as const]
  })

/** What goes of an object that is a route or a part of one, each with its comma. */
function unread(object: Node, code: string): readonly Edit[] {
  const properties = listOf(object, 'properties')
  const keyOf = (property: Node): string => nameOf(childOf(property, 'key'))
  if (!properties.some((property) => OF_ROUTES.has(keyOf(property)))) return []
  return properties.flatMap((property, at) => {
    if (keyOf(property) === 'responses') return withoutSchemas(childOf(property, 'value'))
    if (!UNREAD.has(keyOf(property))) return []
    const next = properties[at + 1]
    const comma = /^\s*,/.exec(code.slice(property.end))?.[0].length ?? 0
    return [[property.start, next?.start ?? property.end + comma, ''] as const]
  })
}

/** @param routes whether routes are made in this file at all  @param schema whether the object is one of members of a schema */
function edits(node: Node, code: string, found: Edit[], routes: boolean, schema = false): void {
  if (node.type === 'CallExpression') {
    const callee = childOf(node, 'callee')
    const object = callee === null ? null : childOf(callee, 'object')
    const property = callee === null ? null : childOf(callee, 'property')
    if (callee?.type === 'MemberExpression' && object !== null && nameOf(property) === 'meta') {
      found.push([object.end, node.end, ''])
      edits(object, code, found, routes)
      return
    }
    // Members of a schema may be called like members of a route.
    for (const child of childrenOf(node)) edits(child, code, found, routes, callee?.type === 'MemberExpression')
    return
  }
  if (routes && node.type === 'ObjectExpression' && !schema) found.push(...unread(node, code))
  for (const child of childrenOf(node))
    if (!found.some(([start, end]) => child.start >= start && child.end <= end)) edits(child, code, found, routes)
}

/** Values at the top of a file, each as a call that nobody misses where the value is not used. */
function values(program: Node): readonly Edit[] {
  return listOf(program, 'body').flatMap((statement) => {
    const declared = statement.type === 'ExportNamedDeclaration' ? childOf(statement, 'declaration') : statement
    if (declared?.type !== 'VariableDeclaration') return []
    return listOf(declared, 'declarations').flatMap((one) => {
      const value = childOf(one, 'init')
      if (value === null || !runs(value)) return []
      return [[value.start, value.start, '/* @__PURE__ */ (() => ('] as const, [value.end, value.end, '))()'] as const]
    })
  })
}

/** @param program the tree of `code`, which is JavaScript */
export function forPages(code: string, program: Node): string {
  const found: Edit[] = [...values(program)]
  // Parts of routes may stand beside the schemas of their interface.
  edits(program, code, found, /from ['"][./a-z]*\/route\.ts['"]|\baliases:/.test(code))
  // From the end, so that places before an edit stay what they are; at one place what goes comes before what is put there.
  return found
    .toSorted((one, other) => other[0] - one[0] || other[1] - one[1])
    .reduce((text, [start, end, put]) => text.slice(0, start) + put + text.slice(end), code)
}
