/** Whether an answer is one that the description promises. */
import type { Json } from '../../support/given.ts'
import type { Documented, Operation } from './description.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  /** Undefined where it is no JSON. */
  readonly json: Json
}

/** What is wrong, the kind first: two answers with one kind show one fault. */
export interface Problem {
  readonly kind: string
  readonly message: string
}

const problem = (kind: string, message = kind): Problem => ({ kind, message })

/** Of the machine or the program, which no caller is told (decisions 2). */
const LEAKS =
  /node_modules|\bat \S+ \(|\.ts:\d+|SQLITE_|SqliteError|\bSELECT \S+ FROM\b|sallyport\.db|\/(?:home|root|tmp|work)\//

export function judged(operation: Operation, answer: Answer): Problem | null {
  const { status, headers, text } = answer
  const documented = operation.answers.get(status)
  const code = codeOf(answer)
  if (status >= 500 && !(status === 503 && documented?.codes?.includes(code ?? '') === true))
    return problem(`${status}`, `${status} ${code ?? text.slice(0, 200)}`)
  if (documented === undefined) return problem(`${status} ${code ?? ''} is not documented`)
  if (status >= 400 && code !== undefined && documented.codes?.includes(code) === false)
    return problem(`${status} with the code ${code} is not documented`)
  if (text !== '' && LEAKS.test(text) && status >= 400) return problem('the refusal tells too much', text.slice(0, 300))
  if ((headers['x-correlation-id'] ?? '') === '') return problem('there is no X-Correlation-Id')
  return operation.method === 'HEAD' ? null : bodyProblem(status, documented, answer)
}

function bodyProblem(
  status: number,
  { types, validator }: Documented,
  { headers, text, json }: Answer,
): Problem | null {
  if (types === null || status === 304 || status === 204)
    return text === '' ? null : problem(`${status} has a body`, `${status} has the body ${text.slice(0, 100)}`)
  const type = String(headers['content-type'] ?? '').split(';')[0] ?? ''
  if (!types.includes('*/*') && !types.includes(type))
    return problem(`${status} comes as "${type}", not as ${types.join(' or ')}`)
  if (validator === null) return null
  if (json === undefined) return problem(`${status} is no JSON`, `${status} is no JSON: ${text.slice(0, 100)}`)
  const valid = validator()
  if (valid(json)) return null
  const [first] = valid.errors ?? []
  const place = (first?.instancePath ?? '').replaceAll(/\/\d+/g, '/*')
  return problem(
    `${status} does not keep to its schema: ${place} ${first?.message} ${JSON.stringify(first?.params)}`,
    `${status} does not keep to its schema: ${first?.instancePath} ${first?.message} ${JSON.stringify(first?.params)}: ${text.slice(0, 300)}`,
  )
}

/** The code of the model of errors, in either spelling; the Block Blob protocol and OAuth have codes of their own. */
const codeOf = ({ json }: Answer): string | undefined => {
  const code: unknown = json?.ErrorCode ?? json?.errorCode
  return typeof code === 'string' ? code : undefined
}
