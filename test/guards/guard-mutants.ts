/** Finds the safety guards of a source file and says how each is taken out, so that a run of the suites shows whether a test misses it (S19). */
import { type Check, replaceParts } from './product-copy.ts'
import { children, lineOf, type Node, nameOf, numbered, parsed } from './syntax.ts'
import type { Place, Switching } from './switched-copy.ts'

/** A guard given by its text, for guards that `guardsOf` does not find: a comparison, a narrowing `where`, a flush to disk. */
export interface GuardMutant extends Check {
  /** The quickest test files that notice. */
  readonly suites: readonly string[]
}

/** A guard found in a source file. Its text has its white space folded. */
export interface Guard extends Place {
  readonly start: number
  readonly end: number
  /** `refusing` is taken out by `false`, `required` by `true`, a `call` by nothing. */
  readonly sort: 'refusing' | 'required' | 'call'
}

/** Names of functions that throw when something is not allowed, and answer nothing. */
const REQUIRES = /^(require|refuse|assert|must|ensure|forbid)/
/** Names of functions that make a refusal, and of the members that carry one. */
const REFUSES = /^(refus|fault|fail|deny|denied|problem|notThere|notFound|error$|reason$|returned$|Fault$)/i

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
  const found = new Map<number, Omit<Guard, 'at'>>()
  const add = (node: Node, sort: Guard['sort']): void => {
    found.set(node.start, {
      sort,
      text: source.slice(node.start, node.end).replaceAll(/\s+/g, ' '),
      line: lineOf(source, node.start),
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
  visit(parsed(file, source))
  return numbered([...found.values()])
}

/** What stands in place of a guard that is out. */
export const OUT: Readonly<Record<Guard['sort'], string>> = { refusing: 'false', required: 'true', call: 'void 0' }

/** Where a guard refused something is noted, and where a `call` was called, whether it refused or not. */
const MODULE = `
export const guardIn = isIn
export const guardRefused = note
export const guardCalled = (id) => note(id + ' called')
export function guardTold(id, refusing, value) {
  if (Boolean(value) === refusing) note(id)
  return value
}
`

/** The source with every guard behind a switch. A guard that is in tells where it refused something. */
export function withSwitches(file: string, source: string, ids: readonly string[], importFrom: string): string {
  const taken = /\bguard(?:Called|In|Told|Refused)\b/.exec(source)
  if (taken !== null) throw new Error(`${file} has a ${taken[0]} of its own`)
  const parts = guardsOf(file, source).flatMap(({ sort, start, end }, at) => {
    const id = `'${ids[at]}'`
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
      { start, end: start, instead: before },
      { start: end, end, instead: after },
    ]
  })
  return `import { guardCalled, guardIn, guardRefused, guardTold } from '${importFrom}'; ${replaceParts(source, parts)}`
}

/** A call that never threw may refuse in another way, such as by moving a file away: it may be missed wherever it was called. */
export const GUARDS: Switching<Guard> = {
  module: MODULE,
  notes: [(id) => id, (id) => `${id} called`],
  told: /\bS19\b/,
  mayLoop: true,
  find: guardsOf,
  rewrite: withSwitches,
}
