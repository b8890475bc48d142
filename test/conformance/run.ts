/** One call after the other, each held against what the specification says of it. */
import { ask, type ConnectionFile, type Json, type Reply } from './client.ts'
import {
  type Operation,
  OPERATIONS,
  operation,
  type OperationName,
  operationNames,
  type Service,
} from './operations.ts'
import { CamelExceptionModel, ExceptionModel, type Shape } from './shapes.ts'

export type Outcome = 'ok' | 'FAILED' | 'not allowed' | 'not tried'

export interface Row {
  readonly operation: string
  /** Which part of the specification says that it must be so. */
  readonly section: string
  /** In words, for the reader. */
  readonly request: string
  readonly method: string
  /** Null where nothing was sent. */
  readonly path: string | null
  readonly status: number | null
  readonly outcome: Outcome
  /** Why; empty when all is well. */
  readonly reason: string
}

export interface Sent {
  readonly with?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** As it is, instead of `body`. */
  readonly raw?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
  /** Another than the account's; null: none. */
  readonly token?: string | null
  /** An absolute address instead of the operation's own. */
  readonly address?: string
  readonly tenant?: string
  /** Under the second path of the document or the device service (decisions 1). */
  readonly alias?: true
}

export interface Expected {
  readonly status: number
  /** Where the rule stands, unless it is where the operation is specified. */
  readonly section?: string
  /** The error code that must be told. */
  readonly code?: string
  readonly shape?: Shape
  /** The media type of the answer; application/json unless said. */
  readonly type?: string
  /** There must be no body. */
  readonly empty?: true
  /** Whatever else must hold; what it returns is wrong. */
  readonly and?: (json: Json, reply: Reply) => string | null
}

/** A call that all that follows needs did not go well: the rest of the part is not tried. */
export class NotTried extends Error {
  override readonly name = 'NotTried'
}

/** What is sent and what must come back. */
export type Call = (name: OperationName, request: string, sent: Sent, expected: Expected) => Promise<Reply | null>

export interface Run {
  readonly connection: ConnectionFile
  /** The access token of the account. */
  readonly token: string
  /** In the names of all that is made: they must be new on this station. */
  readonly stamp: string
  readonly rows: readonly Row[]
  /** @returns the answer when it was as expected, else null; the row says why. */
  readonly call: Call
  /** As `call`. @throws NotTried where it did not go well */
  readonly needed: (...given: Parameters<Call>) => Promise<Reply>
  /** Done at the end, last first, whatever happened meanwhile. */
  readonly later: (work: () => Promise<unknown>) => void
  /** Runs a part; what it could not try because of what failed is told of those operations that have no row yet. */
  readonly part: (operations: readonly OperationName[], work: (run: Run) => Promise<void>) => Promise<void>
  readonly tidy: () => Promise<void>
}

export function createRun(connection: ConnectionFile, token: string): Run {
  const rows: Row[] = []
  const tidying: (() => Promise<unknown>)[] = []

  const call: Call = async (name, request, sent, expected) => {
    const about = operation(name)
    const address = sent.address ?? addressOf(connection, about, sent)
    const { method } = about
    const section = expected.section ?? about.section
    const row = { operation: name, section, request, method, path: new URL(address).pathname }
    let reply: Reply
    try {
      reply = await ask(about.method, address, asFetched(sent, token))
    } catch (error) {
      rows.push({ ...row, status: null, outcome: 'FAILED', reason: `no answer: ${(error as Error).message}` })
      return null
    }
    const wrong = problemsOf(about, reply, expected)
    const refused = reply.status === 403 && expected.status !== 403 && about.needs !== undefined
    // Without a body, or it is no refusal as the case service makes them.
    if (refused && bareProblems(about, reply).length === 0) {
      rows.push({ ...row, status: 403, outcome: 'not allowed', reason: `needs ${about.needs}` })
      return null
    }
    const outcome = wrong.length === 0 ? 'ok' : 'FAILED'
    rows.push({ ...row, status: reply.status, outcome, reason: wrong.join('; ') })
    return outcome === 'ok' ? reply : null
  }

  const run: Run = {
    connection,
    token,
    stamp: Date.now().toString(36),
    rows,
    call,
    needed: async (...given) => {
      const reply = await call(...given)
      if (reply === null) throw new NotTried(`needs ${given[0]}: ${given[1]}`)
      return reply
    },
    later: (work) => tidying.push(work),
    part: (operations, work) => partOf(rows, operations, () => work(run)),
    tidy: async () => {
      for (let work = tidying.pop(); work !== undefined; work = tidying.pop()) await work()
    },
  }
  return run
}

async function partOf(rows: Row[], operations: readonly OperationName[], work: () => Promise<void>): Promise<void> {
  const before = rows.length
  let reason = ''
  try {
    await work()
  } catch (error) {
    reason = (error as Error).message
    if (!(error instanceof NotTried)) {
      const what = `${(error as Error).name}: ${reason}`
      rows.push({ ...NOTHING, operation: operations[0] ?? '', outcome: 'FAILED', reason: what })
    }
  }
  const driven = new Set(rows.slice(before).map((row) => row.operation))
  for (const name of operations.filter((one) => !driven.has(one))) {
    const { method, section } = operation(name)
    rows.push({
      ...NOTHING,
      operation: name,
      section,
      method,
      outcome: 'not tried',
      reason: reason || 'there was nothing for it',
    })
  }
}

const NOTHING = { section: '', request: '', method: '', path: null, status: null } as const

function asFetched(sent: Sent, own: string): Parameters<typeof ask>[2] {
  const { token = own } = sent
  const body = sent.raw ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body))
  return {
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...sent.headers,
    },
    ...(body === undefined ? {} : { body: body as BodyInit }),
  }
}

/** Where an operation answers, before its parameters are filled in. */
export function baseOf(connection: ConnectionFile, service: Service, alias = false): string {
  const [origin, cases, documents, tokens] = [
    connection.ApiBaseAddresses[0],
    connection.CaseServiceBaseAddresses[0],
    connection.DocumentStoreBaseAddresses[0],
    connection.SecurityTokenServiceBaseAddresses[0],
  ]
  if (service === 'cad') return `${connection.CADApiAddresses[0]}/api/v1`
  if (service === 'key') return connection.KeyStoreBaseAddresses[0] as string
  if (service === 'search') return connection.SearchServiceBaseAddresses[0] as string
  if (service === 'case') return cases as string
  if (service === 'device')
    return alias ? `${origin}/api/v1-private` : (connection.DeviceServiceBaseAddresses[0] as string)
  if (service === 'token') return tokens as string
  if (service === 'blob') return origin as string
  if (service === 'template') return `${origin}/customfieldservice/api/v1`
  return alias ? (documents as string) : `${origin}/documentstore/api/v1`
}

function addressOf(connection: ConnectionFile, about: Operation, sent: Sent): string {
  const values: Readonly<Record<string, string>> = { tenant: sent.tenant ?? connection.TenantId, ...sent.with }
  const path = about.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(values[name] ?? ''))
  const query = new URLSearchParams(sent.query).toString()
  return `${baseOf(connection, about.service, sent.alias)}${path}${query === '' ? '' : `?${query}`}`
}

/** All that is wrong with an answer. */
function problemsOf(about: Operation, reply: Reply, expected: Expected): string[] {
  const { status, headers, text, json } = reply
  const found = json?.ErrorCode ?? json?.errorCode ?? json?.error
  if (status !== expected.status || (expected.code !== undefined && found !== expected.code))
    return [`expected ${told(expected.status, expected.code)}, was ${told(status, found ?? text.slice(0, 80))}`]
  const problems: string[] = []
  if ((headers.get('x-correlation-id') ?? '') === '') problems.push('there is no X-Correlation-Id')
  if (status === 401 || status === 403) problems.push(...bareProblems(about, reply))
  else if (status >= 400) problems.push(...refusalProblems(about, reply))
  else if (expected.empty === true) {
    if (text !== '') problems.push(`expected no body, was ${text.slice(0, 60)}`)
  } else {
    const type = headers.get('content-type')?.split(';')[0]
    const wanted = expected.type ?? 'application/json'
    if (expected.shape !== undefined || expected.type !== undefined)
      if (type !== wanted) problems.push(`expected ${wanted}, was ${type}`)
    if (expected.shape !== undefined) problems.push(...expected.shape(json, 'body').slice(0, 5))
  }
  // Only over what has the right form: what is missing is told by its name.
  const more = problems.length === 0 ? expected.and?.(json, reply) : null
  return more === null || more === undefined ? problems : [...problems, more]
}

const told = (status: number, more: unknown): string =>
  more === undefined || more === '' ? `${status}` : `${status} ${more}`

/** 401 and 403 have no body on the case service, elsewhere the model of errors (interfaces.md 4, decisions 2). */
function bareProblems(about: Operation, reply: Reply): string[] {
  const problems: string[] = []
  if (reply.status === 401 && !/^Bearer\b/.test(reply.headers.get('www-authenticate') ?? ''))
    problems.push('a 401 without WWW-Authenticate: Bearer')
  if (about.service !== 'case') return [...problems, ...refusalProblems(about, reply)]
  return reply.text === '' ? problems : [...problems, `expected no body, was ${reply.text.slice(0, 60)}`]
}

function refusalProblems({ service, method }: Operation, { headers, json, text }: Reply): string[] {
  const type = headers.get('content-type')?.split(';')[0]
  // To HEAD there is no body to say why.
  if (method === 'HEAD') return text === '' ? [] : ['an answer to HEAD with a body']
  // The Block Blob protocol has its own (decisions 6).
  if (service === 'blob')
    return type === 'application/xml' && text.includes('<Code>') ? [] : [`the refusal is ${type}, not XML with a Code`]
  if (type !== 'application/json') return [`the refusal is ${type}, not application/json`]
  // Those of the token service are OAuth's and are looked at where they are made.
  if (service === 'token') return []
  const problems = (service === 'template' || service === 'cad' ? CamelExceptionModel : ExceptionModel)(json, 'body')
  const told = json?.CorrelationId ?? json?.correlationId
  if (problems.length === 0 && told !== headers.get('x-correlation-id'))
    return ['CorrelationId is not that of the header']
  return problems
}

/** Every operation has a row; for the last line. */
export const countsOf = (rows: readonly Row[]): Readonly<Record<Outcome, number>> & { operations: number } => {
  const count = (outcome: Outcome): number => rows.filter((row) => row.outcome === outcome).length
  return {
    operations: new Set(rows.filter(({ outcome }) => outcome !== 'not tried').map((row) => row.operation)).size,
    ok: count('ok'),
    FAILED: count('FAILED'),
    'not allowed': count('not allowed'),
    'not tried': count('not tried'),
  }
}

/** What no part named: a mistake of this program, told as a failure. */
export const forgotten = (rows: readonly Row[]): Row[] =>
  operationNames
    .filter((name) => !rows.some((row) => row.operation === name))
    .map((name) => ({
      ...NOTHING,
      operation: name,
      section: OPERATIONS[name].section,
      method: OPERATIONS[name].method,
      outcome: 'FAILED',
      reason: 'no part drives it',
    }))
