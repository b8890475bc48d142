/** Calls of an operation: right ones, nearly right ones and wild ones, by those who may and by those who may not. */
import fc from 'fast-check'
import type { Json } from '../../support/given.ts'
import type { Operation, Parameter } from './description.ts'
import { type Pool, type Values, WILD_IDS, wild } from './values.ts'

/** Whose token goes with a call. */
export const CALLERS = ['all', 'none', 'administrator', 'nobody', 'forged'] as const
export type Caller = (typeof CALLERS)[number]

export interface Call {
  readonly caller: Caller
  readonly method: string
  /** Path and query, percent-encoded. */
  readonly target: string
  /** By name, as they fill the path: for the sender, who knows the versions of things. */
  readonly parameters: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  /** Null: none. */
  readonly body: string | Uint8Array | null
}

const OTHER_TYPES = [
  'application/xml',
  'text/plain',
  'text/html',
  'application/json; charset=utf-16',
  'application/JSON',
  '',
  'x',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'application/octet-stream',
  'application/vnd.anybody.SaaS.CaseService.PatchCaseModel+json; v=2',
] as const
const ACCEPTED = [
  '*/*',
  'application/json',
  'text/json',
  'text/plain',
  'application/json-patch+json',
  'text/html',
  'x',
  '',
  'application/xml;q=1, */*;q=0.1',
  'application/json;q=0',
  'text/*',
] as const
const RANGES = ['bytes=0-0', 'bytes=5-2', 'bytes=-1', 'bytes=99999-', 'bytes=0-1,3-4', 'items=0-1', 'bytes=x'] as const
const ODD_SEGMENTS = ['%00', '%2F', '%', '%zz', '%C3%28', '%ED%A0%80', '%E2%80%AE', '%20', 'x'.repeat(300)] as const

const dozens = (weight: number, of: fc.Arbitrary<Json>, other: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc.oneof({ weight, arbitrary: of }, { weight: 12 - weight, arbitrary: other })

export function callsOf(operation: Operation, values: Values, pool: Pool): fc.Arbitrary<Call> {
  const inPath = operation.parameters.filter((one) => one.in === 'path')
  const inQuery = operation.parameters.filter((one) => one.in === 'query')
  const path = pathOf(inPath, pool)
  const query = queryOf(inQuery, values)
  return fc
    .record({
      caller: callerOf(operation),
      path,
      query: dozens(10, query, fc.dictionary(fc.string({ maxLength: 8 }), wild, { maxKeys: 3 })),
      accept: dozens(10, fc.constant(null), fc.constantFrom(...ACCEPTED)),
      key: dozens(10, fc.constant(null), fc.constantFrom('k1', 'k2', 'x'.repeat(256), ' ', 'a,b')),
      range: dozens(9, fc.constant(null), fc.constantFrom(...RANGES)),
      type: typeOf(operation),
      body: bodyOf(operation, values),
      signed: fc.nat(),
    })
    .map((drawn) => assembled(operation, drawn, pool))
}

/** Ids drawn one by one seldom belong together, as a resource belongs to its evidence: three of four are taken from one place. */
function pathOf(parameters: readonly Parameter[], pool: Pool): fc.Arbitrary<Json> {
  const apart = fc.record(Object.fromEntries(parameters.map((one) => [one.name, segmentFor(one, pool)])))
  const things = parameters.map(({ name }) => name).filter((name) => !name.startsWith('tenant'))
  const places = (pool.get('place') ?? []).filter((place: Json) => things.every((name) => place[name] !== undefined))
  if (things.length < 2 || places.length === 0) return apart
  const together = fc
    .record({ drawn: apart, place: fc.constantFrom(...places) })
    .map(({ drawn, place }) => ({ ...drawn, ...Object.fromEntries(things.map((name) => [name, place[name]])) }))
  return dozens(9, together, apart)
}

/** A few of all that may be asked: one that is wrong spoils all the others. */
function queryOf(parameters: readonly Parameter[], values: Values): fc.Arbitrary<Json> {
  const asked = fc.subarray([...parameters], { maxLength: Math.min(3, parameters.length) })
  return asked.chain((some) => {
    const sent = parameters.filter((one) => one.required || some.includes(one))
    const hostile = sent.map((one): [string, fc.Arbitrary<Json>] => [
      one.name,
      fc.oneof({ weight: 5, arbitrary: values.of(one.schema, 0, one.name) }, values.of(one.schema, 20, one.name)),
    ])
    return fc.record(Object.fromEntries(hostile))
  })
}

/** For administrators alone though they are no part of the user service. Where copies are kept is not among them: it names folders. */
const FOR_ADMINISTRATORS: ReadonlySet<string> = new Set([
  'getKeeping',
  'startFixityRun',
  'acknowledgeAlarm',
  'listNodes',
  'metrics',
])

function callerOf({ service, id }: Operation): fc.Arbitrary<Caller> {
  const usual: Caller = service === 'user' || FOR_ADMINISTRATORS.has(id) ? 'administrator' : 'all'
  return fc.oneof(
    { weight: 16, arbitrary: fc.constant(usual) },
    { weight: 3, arbitrary: fc.constant<Caller>('none') },
    { weight: 1, arbitrary: fc.constantFrom<Caller>('nobody', 'forged', 'all') },
  )
}

/** Percent-encoded; never empty and never dots alone, which would be another path. */
function segmentFor({ name }: Parameter, pool: Pool): fc.Arbitrary<string> {
  const known = (pool.get(name) ?? []).map((value) => encodeURIComponent(String(value)))
  const odd = fc.oneof(
    fc.constantFrom(...WILD_IDS.map(encodeURIComponent)),
    fc.constantFrom(...ODD_SEGMENTS),
    fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .filter((text) => !/^\.+$/.test(text) && text.isWellFormed())
      .map(encodeURIComponent),
  )
  const weight = name.startsWith('tenant') ? 40 : 11
  return known.length === 0 ? odd : fc.oneof({ weight, arbitrary: fc.constantFrom(...known) }, odd)
}

function typeOf({ body }: Operation): fc.Arbitrary<string> {
  // `*` and `{vendor}` are for the caller to fill.
  const types = (body?.types ?? ['application/json']).map((type) =>
    type.replace('*', 'anything').replace('{vendor}', 'anybody'),
  )
  return fc.oneof(
    { weight: 9, arbitrary: fc.constant('application/json') },
    { weight: 4, arbitrary: fc.constantFrom(...types) },
    { weight: 1, arbitrary: fc.constantFrom(...OTHER_TYPES) },
  )
}

const json = (value: Json): string => JSON.stringify(value) ?? 'null'

function bodyOf({ body, method }: Operation, values: Values): fc.Arbitrary<string | Uint8Array | null> {
  if (body === null)
    return method === 'GET' || method === 'HEAD'
      ? fc.constant(null)
      : fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, fc.constantFrom('{}', '[', 'x'.repeat(70_000)))
  return fc.oneof(
    { weight: 7, arbitrary: values.of(body.schema, 0).map(json) },
    { weight: 6, arbitrary: values.of(body.schema, 5).map(json) },
    { weight: 1, arbitrary: wild.map(json) },
    { weight: 1, arbitrary: values.of(body.schema, 0).map(json).chain(broken) },
    { weight: 1, arbitrary: fc.constantFrom(...MONSTERS) },
  )
}

/** A text that is JSON no more, or says a thing twice. */
const broken = (text: string): fc.Arbitrary<string | Uint8Array> =>
  fc.constantFrom<string | Uint8Array>(
    text.slice(0, -1),
    text.replace(/^\{(.+)\}$/s, '{$1,$1}'),
    `\ufeff${text}`,
    `${text} ${text}`,
    Buffer.from(text, 'utf16le'),
    Buffer.concat([Buffer.from(text), Buffer.from([0xc3, 0x28])]),
  )

const MONSTERS: readonly (string | Uint8Array)[] = [
  '[',
  '{"__proto__":{"a":1}}',
  '{"constructor":{"prototype":{"a":1}},"__proto__":null}',
  `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
  `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`,
  '1e400',
  '-1e-400',
  '"\\ud800"',
  '{"Title":"\\ud800","Name":"\\udfff"}',
  '\u0000',
  'null',
  `{"Tags":[${'"t",'.repeat(10_000)}"t"]}`,
]

interface Drawn {
  readonly caller: Caller
  readonly path: Json
  readonly query: Json
  readonly accept: string | null
  readonly key: string | null
  readonly range: string | null
  readonly type: string
  readonly body: string | Uint8Array | null
  readonly signed: number
}

function assembled(operation: Operation, drawn: Drawn, pool: Pool): Call {
  const { caller, path, query, accept, key, range, type, body, signed } = drawn
  const place = operation.path.replaceAll(/\{([^}]+)\}/g, (_all, name: string) => path[name])
  const members = Object.entries<Json>(query)
    .map(([name, value]) => `${encoded(name)}=${encoded(typeof value === 'string' ? value : json(value))}`)
    .join('&')
  // Addresses that were given out are the only way into blob transfer: most calls go to one.
  const given = (pool.get('upload') ?? []) as readonly string[]
  const base = operation.service === 'blob' && signed % 3 !== 0 ? (given[signed % given.length] as string) : place
  const target = members === '' ? base : `${base}${base.includes('?') ? '&' : '?'}${members}`
  const takesKey = operation.parameters.some(({ name }) => name === 'Idempotency-Key')
  return {
    caller,
    method: operation.method,
    target: operation.service === 'blob' && body === null && signed % 5 === 0 ? `${target}&comp=blocklist` : target,
    parameters: path,
    headers: {
      ...(body === null || type === '' ? {} : { 'content-type': type }),
      ...(accept === null ? {} : { accept }),
      ...(key === null || !takesKey ? {} : { 'idempotency-key': key }),
      ...(range === null || !operation.answers.has(206) ? {} : { range }),
      ...(operation.service === 'blob' ? { 'x-ms-blob-type': 'BlockBlob', 'x-ms-version': '2024-11-04' } : {}),
    },
    body,
  }
}

/** What is longer than a request line may be is refused before HTTP is understood. */
const MOST = 1_500

/** A half of a pair has no encoding. */
const encoded = (text: string): string => encodeURIComponent(text.slice(0, MOST).toWellFormed())
