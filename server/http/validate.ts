/** Input against the contract: every problem of path, query and body listed with its path (decisions 1). */
import type { z } from 'zod'
import { type Fault, FAULTS, type FaultCode, fault, type Problem } from '../../shared/contract/errors.ts'
import type { RouteDefinition } from '../../shared/contract/route.ts'

export interface RawInput {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | string[]>>
  /** Undefined: there was none. */
  readonly body: unknown
}

export interface ParsedInput {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

/** @throws Fault InvalidModel, or the code that the schema names in `params.code` of its issue when it is the only kind of problem. */
export function validate(route: RouteDefinition, raw: RawInput): ParsedInput {
  const issues: z.core.$ZodIssue[] = []
  const parse = (schema: z.ZodType | undefined, value: unknown): unknown => {
    if (schema === undefined) return undefined
    const result = schema.safeParse(value)
    if (!result.success) issues.push(...result.error.issues)
    return result.data
  }
  const parsed = {
    params: parse(route.params, raw.params),
    query: parse(route.query, raw.query),
    body: parse(route.body, raw.body),
  }
  if (issues.length > 0) throw refusal(issues, route.body !== undefined && raw.body === undefined)
  return parsed
}

function refusal(issues: readonly z.core.$ZodIssue[], noBody: boolean): Fault {
  const codes = new Set(issues.map(codeOf))
  const [only] = codes
  const code = codes.size === 1 && only !== undefined ? only : 'InvalidModel'
  const problems = issues.flatMap((issue) => problemsOf(issue))
  const details = noBody
    ? problems.map((problem) => (problem.Path === '' ? { Path: '', Message: 'A body is required.' } : problem))
    : problems
  return fault(
    code,
    code === 'InvalidModel' ? 'The request is not valid.' : (details[0]?.Message ?? 'The request is not valid.'),
    details,
  )
}

function codeOf(issue: z.core.$ZodIssue): FaultCode {
  const named: unknown = issue.code === 'custom' ? issue.params?.['code'] : undefined
  return typeof named === 'string' && Object.hasOwn(FAULTS, named) ? (named as FaultCode) : 'InvalidModel'
}

/** Of a union the problems of its closest member are told. */
export function problemsOf(issue: z.core.$ZodIssue, above: readonly PropertyKey[] = []): Problem[] {
  const path = [...above, ...issue.path]
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ Path: pathText([...path, key]), Message: 'There is no such member.' }))
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const deepest = issue.errors.toSorted((a, b) => depthOf(b) - depthOf(a) || a.length - b.length)[0] ?? []
    if (deepest.length > 0) return deepest.flatMap((inner) => problemsOf(inner, path))
  }
  return [{ Path: pathText(path), Message: issue.message }]
}

const depthOf = (issues: readonly z.core.$ZodIssue[]): number =>
  Math.max(0, ...issues.map((issue) => issue.path.length))

const pathText = (path: readonly PropertyKey[]): string => path.map(String).join('.')
