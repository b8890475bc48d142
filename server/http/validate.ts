/** Validates input by the contract and lists every problem of path, query and body with its path (decisions 1). The path is parsed first, since permissions are checked on it. */
import type { z } from 'zod'
import { type Fault, FAULTS, type FaultCode, fault, type Problem } from '../../shared/kernel/errors.ts'
import type { RouteDefinition } from '../../shared/kernel/route.ts'

type Issues = readonly z.core.$ZodIssue[]

/** Path parameters and query members of a request, parsed by the contract of its route. */
export interface ParsedAddress {
  readonly params: unknown
  readonly query: unknown
  readonly paramIssues: Issues
  readonly queryIssues: Issues
}

export interface ParsedInput {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

export function parseAddress(
  route: RouteDefinition,
  params: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string | string[]>>,
): ParsedAddress {
  const [path, members] = [parsedBy(route.params, params), parsedBy(route.query, query)]
  return { params: path.value, query: members.value, paramIssues: path.issues, queryIssues: members.issues }
}

/**
 * @param body undefined when there is none
 * @throws Fault InvalidModel, or the code in `params.code` of the schema's issue when all problems have the same code
 */
export function validate(route: RouteDefinition, address: ParsedAddress, body: unknown): ParsedInput {
  const parsed = parsedBy(route.body, body)
  const issues = [...address.paramIssues, ...address.queryIssues, ...parsed.issues]
  if (issues.length > 0) throw refusal(issues, route.body !== undefined && body === undefined)
  return { params: address.params, query: address.query, body: parsed.value }
}

/** For requests with a body that the frame does not read. @throws Fault as `validate` */
export function requireValid({ paramIssues, queryIssues }: ParsedAddress): void {
  const issues = [...paramIssues, ...queryIssues]
  if (issues.length > 0) throw refusal(issues, false)
}

function parsedBy(schema: z.ZodType | undefined, value: unknown): { value: unknown; issues: Issues } {
  if (schema === undefined) return { value: undefined, issues: [] }
  const result = schema.safeParse(value)
  return result.success ? { value: result.data, issues: [] } : { value: undefined, issues: result.error.issues }
}

function refusal(issues: Issues, noBody: boolean): Fault {
  const codes = new Set(issues.map(codeOf))
  const [only] = codes
  const code = codes.size === 1 && only !== undefined ? only : 'InvalidModel'
  const problems = listed(issues)
  const details = noBody
    ? problems.map((problem) => (problem.Path === '' ? { Path: '', Message: 'A body is required.' } : problem))
    : problems
  return fault(
    code,
    code === 'InvalidModel' ? 'The request is not valid.' : (details[0]?.Message ?? 'The request is not valid.'),
    details,
  )
}

/** Most problems in a refusal: enough for every form, without an answer much larger than its request. */
const MOST_PROBLEMS = 1_000

function listed(issues: readonly z.core.$ZodIssue[]): Problem[] {
  const problems: Problem[] = []
  for (const issue of issues) {
    if (problems.length > MOST_PROBLEMS) break
    for (const problem of problemsOf(issue)) problems.push(problem)
  }
  if (problems.length <= MOST_PROBLEMS) return problems
  return [...problems.slice(0, MOST_PROBLEMS), { Path: '', Message: 'There are further problems that are not listed.' }]
}

function codeOf(issue: z.core.$ZodIssue): FaultCode {
  const named: unknown = issue.code === 'custom' ? issue.params?.['code'] : undefined
  return typeof named === 'string' && Object.hasOwn(FAULTS, named) ? (named as FaultCode) : 'InvalidModel'
}

/** For a union, the problems of its closest member. */
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
