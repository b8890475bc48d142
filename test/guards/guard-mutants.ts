/** Finds the safety guards of a source file and says how each is taken out, so that a run of the suites shows whether a test misses it (S19). */
import { globSync } from 'node:fs'
import { parseSync } from 'vite'
import type { Check } from '../repository/appends.ts'

/** A guard given by its text, for guards that `guardsOf` does not find: a comparison, a narrowing `where`, a flush to disk. */
export interface GuardMutant extends Check {
  /** The quickest test files that notice. */
  readonly suites: readonly string[]
}

/** A guard found in a source file. */
export interface Guard {
  /** Its text, with white space folded. Says which guard is meant in lists. */
  readonly text: string
  /** Which one of those with the same text in its file, from 1. */
  readonly at: number
  readonly line: number
  readonly start: number
  readonly end: number
  /** `refusing` is taken out by `false`, `required` by `true`, a `call` by nothing. */
  readonly sort: 'refusing' | 'required' | 'call'
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [member: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

/** Names of functions that throw when something is not allowed, and answer nothing. */
const REQUIRES = /^(require|refuse|assert|must|ensure|forbid)/
/** Names of functions that make a refusal, and of the members that carry one. */
const REFUSES = /^(refus|fault|fail|deny|denied|problem|notThere|notFound|error$|reason$|returned$|Fault$)/i

function children(node: Node): Node[] {
  return Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  )
}

function nameOf(node: Node): string {
  const named = node.type === 'MemberExpression' ? (node['property'] as Node) : node
  return typeof named['name'] === 'string' ? named['name'] : ''
}

function calledName(expression: Node): string {
  const inner = expression.type === 'AwaitExpression' ? (expression['argument'] as Node) : expression
  return inner.type === 'CallExpression' || inner.type === 'NewExpression' ? nameOf(inner['callee'] as Node) : ''
}

/** @returns whether an answer refuses: `false`, a sentence, `{ refusal: … }`, a fault */
function refuses(answer: Node | null): boolean {
  if (answer === null) return false
  if (answer.type === 'Literal') return answer['value'] === false || typeof answer['value'] === 'string'
  if (answer.type === 'TemplateLiteral') return true
  if (answer.type === 'ObjectExpression')
    return (answer['properties'] as Node[]).some(
      (member) => member.type === 'Property' && REFUSES.test(nameOf(member['key'] as Node)),
    )
  return REFUSES.test(calledName(answer))
}

/** @returns whether a statement ends in a refusal, whatever else it does before. Throwing on what was caught is none. */
function endsInRefusal(statement: Node): boolean {
  if (statement.type === 'ThrowStatement') return (statement['argument'] as Node).type !== 'Identifier'
  if (statement.type === 'ReturnStatement') return refuses(statement['argument'] as Node | null)
  if (statement.type !== 'BlockStatement') return false
  const last = (statement['body'] as Node[]).at(-1)
  return last !== undefined && endsInRefusal(last)
}

/** The operands of `a || b || c`, or of `a && b && c`; of anything else the expression itself. */
function operands(test: Node, operator: '||' | '&&'): Node[] {
  if (test.type === 'ParenthesizedExpression') return operands(test['expression'] as Node, operator)
  if (test.type !== 'LogicalExpression' || test['operator'] !== operator) return [test]
  return [...operands(test['left'] as Node, operator), ...operands(test['right'] as Node, operator)]
}

/** What a predicate answers: the expression of `return a && b`, or the body of `(x) => a && b`. */
function answerOf(node: Node): Node | null {
  if (node.type === 'ReturnStatement') return node['argument'] as Node | null
  if (node.type === 'ArrowFunctionExpression' && node['expression'] === true) return node['body'] as Node
  return null
}

/**
 * The guards of a source file, one operand at a time: conditions that end in a refusal (thrown or answered), conditions of which a
 * predicate requires several, and calls of functions that only throw, such as `requireLevel(…)`.
 */
export function guardsOf(file: string, source: string): Guard[] {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const found = new Map<number, Omit<Guard, 'at'>>()
  const add = (node: Node, sort: Guard['sort']): void => {
    found.set(node.start, {
      sort,
      text: source.slice(node.start, node.end).replaceAll(/\s+/g, ' '),
      line: source.slice(0, node.start).split('\n').length,
      start: node.start,
      end: node.end,
    })
  }
  const visit = (node: Node): void => {
    if (node.type === 'IfStatement' && endsInRefusal(node['consequent'] as Node))
      for (const operand of operands(node['test'] as Node, '||')) add(operand, 'refusing')
    if (node.type === 'ExpressionStatement' && REQUIRES.test(calledName(node['expression'] as Node))) add(node, 'call')
    const answer = answerOf(node)
    if (answer !== null) {
      const required = operands(answer, '&&')
      if (required.length > 1) for (const operand of required) add(operand, 'required')
    }
    for (const child of children(node)) visit(child)
  }
  visit(program as unknown as Node)
  const seen = new Map<string, number>()
  return [...found.values()]
    .toSorted((a, b) => a.start - b.start)
    .map((guard) => {
      const at = (seen.get(guard.text) ?? 0) + 1
      seen.set(guard.text, at)
      return { ...guard, at }
    })
}

/** What stands in place of a guard that is out. */
export const OUT: Readonly<Record<Guard['sort'], string>> = { refusing: 'false', required: 'true', call: 'void 0' }

/** @returns the source files of patterns, relative to the product's folder, without tests */
export function filesOf(patterns: readonly string[], cwd = process.cwd()): string[] {
  return [...new Set(patterns.flatMap((pattern) => globSync(pattern, { cwd })))]
    .filter((file) => !file.endsWith('.test.ts'))
    .toSorted()
}

/**
 * The source with every guard behind a switch: the guard whose id the environment names is out, all others are in. One copy of the
 * product so holds all mutants. A guard that is in tells where it refused something.
 * @param importFrom where the source finds `guardIn`, `guardCalled`, `guardTold` and `guardRefused`
 */
export function withSwitches(file: string, source: string, importFrom: string): string {
  const taken = /\bguard(?:Called|In|Told|Refused)\b/.exec(source)
  if (taken !== null) throw new Error(`${file} has a ${taken[0]} of its own`)
  const insertions = guardsOf(file, source).flatMap(({ sort, start, end }, at) => {
    const id = `'${file}#${at}'`
    const [before, after] = {
      // In braces: an `else` after the call belongs to the `if` before it.
      call: [
        `{ if (guardIn(${id})) try { guardCalled(${id}); `,
        ` } catch (thrown) { guardRefused(${id}); throw thrown } }`,
      ],
      refusing: [`(guardIn(${id}) && guardTold(${id}, true, (`, ')))'],
      required: [`(!guardIn(${id}) || guardTold(${id}, false, (`, ')))'],
    }[sort] as [string, string]
    return [
      { at: start, text: before },
      { at: end, text: after },
    ]
  })
  // From the end, so that places before it stay where they are.
  let text = source
  for (const one of insertions.toSorted((a, b) => b.at - a.at))
    text = text.slice(0, one.at) + one.text + text.slice(one.at)
  return `import { guardCalled, guardIn, guardRefused, guardTold } from '${importFrom}'; ${text}`
}
