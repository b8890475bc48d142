/** Values for a schema: such as fit, such as nearly fit, and such as nobody expects. */
import fc from 'fast-check'
import type { Json } from '../../support/given.ts'
import type { Description } from './description.ts'

/** What really exists, by the name under which it is asked for, such as `caseId` or `EvidenceId`. */
export type Pool = ReadonlyMap<string, readonly Json[]>

/** Stands for the version that a thing has at the moment; the sender puts it in. */
export const CURRENT = '@current'

export const WILD_IDS = [
  '0',
  '1',
  '2',
  '007',
  '-1',
  '+1',
  '1.5',
  '1e3',
  ' 1',
  '0x10',
  'NaN',
  'x',
  '१२',
  '9007199254740992',
  '9223372036854775807',
  '9223372036854775808',
  '18446744073709551616',
  '9'.repeat(32),
  '9'.repeat(400),
] as const

/** Good text that programs like to trip over: HTML, both spellings of one letter, both directions, letters that fold into others. */
const GOOD_TEXTS = [
  'x',
  'Front desk',
  '<script>alert(1)</script>',
  '<b>bold</b> & "quoted"',
  "'; DROP TABLE x;--",
  'e\u0301vidence',
  'évidence',
  '\u1100\u1161',
  '\uac00',
  'ﬁle',
  'ſ',
  'ß',
  'SS',
  'İ',
  'ı',
  '\u202Etxt.exe',
  '𝄞',
  '👮🏽‍♀️',
  '../../etc/passwd',
  '%2e%2e%2f',
  '${x}',
  '{{x}}',
  '__proto__',
  'constructor',
  'null',
  '%s',
] as const

/** Ends of lines, halves of pairs, and what is too short or too long. */
const BAD_TEXTS = [
  '',
  ' ',
  ' outer spaces ',
  'a\u0000b',
  'a\u0007b',
  'line\nbreak',
  'line\r\nX-Header: y',
  '\u2028',
  '\ufeff',
  '\ud800',
  '\udc00x',
  '\uffff',
  'x'.repeat(257),
  'é'.repeat(128),
  'x'.repeat(1025),
  'x'.repeat(65_537),
] as const

const GOOD_TIMES = [
  '2026-11-20T02:47:31Z',
  '2026-11-20T02:47:31.1234567Z',
  '2026-11-20T03:47:31.5+01:00',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.9999999Z',
] as const
const BAD_TIMES = [
  '2026-11-20T02:47:31',
  '2026-11-20T02:47:31.12345678Z',
  '2026-02-30T00:00:00Z',
  '2026-12-31T23:59:60Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59-14:00',
  '+275760-09-13T00:00:00Z',
  '2026-11-20',
  '2026-W47-5',
  'now',
  '2026-11-20T24:00:00Z',
  '2026-11-20T02:47:31z',
  '2026-11-20T02:47:31+99:99',
] as const

const GOOD_WKT = ['POINT (16.37 48.2)', 'POLYGON ((0 0, 1 0, 1 1, 0 0))', 'LINESTRING (0 0, 1 1)'] as const
const BAD_WKT = [
  'POINT EMPTY',
  'POINT Z (1 2 3)',
  'POINT (16.37',
  'POINT (200 95)',
  'POINT (NaN NaN)',
  'POINT (1e400 0)',
  'POLYGON ((0 0, 1 1))',
  'POINT (1,2)',
  'SRID=4326;POINT(1 2)',
  `GEOMETRYCOLLECTION (${'GEOMETRYCOLLECTION ('.repeat(200)}`,
  `MULTIPOINT (${'1 2, '.repeat(3000)}1 2)`,
] as const

const NUMBERS = [
  0,
  -0,
  1,
  -1,
  0.5,
  -90,
  90.000_001,
  180,
  1e308,
  2 ** 31,
  2 ** 53,
  -(2 ** 53),
  2 ** 63,
  Number.MIN_VALUE,
] as const

/** By the name of a member: what it is really about. */
const GOOD_BY_NAME: Readonly<Record<string, readonly Json[]>> = {
  LocationWKT: GOOD_WKT,
  ConcurrencyId: [CURRENT],
  concurrencyId: [CURRENT],
  startingConcurrencyId: [CURRENT, '0'.repeat(40)],
  eTag: [CURRENT],
  count: ['1', '1000'],
  Tags: [['night', 'é'], []],
  Action: ['Add', 'Remove', null],
  Password: ['a long enough pass phrase'],
  MimeType: ['video/mp4', null],
  TimeOffset: ['PT1M12S', '-PT0.5S'],
}
const BAD_BY_NAME: Readonly<Record<string, readonly Json[]>> = {
  LocationWKT: BAD_WKT,
  ConcurrencyId: ['0'.repeat(40), 'f'.repeat(40), 'x'],
  concurrencyId: ['0'.repeat(40), 'f'.repeat(40), 'x', ''],
  startingConcurrencyId: ['f'.repeat(40), 'x', ''],
  eTag: ['x', ''],
  count: ['0', '1001', '-1', 'x', '', '99999999999'],
  cursor: ['x', '', 'eyJhIjoxfQ', 'MQ', '%00'],
  Tags: [Array.from({ length: 10_000 }, (_one, at) => `t${at}`), Array.from({ length: 101 }, () => 'x')],
  Password: ['short', ''],
  Sha256: ['0'.repeat(64), 'x', ''],
}

const goodText: fc.Arbitrary<Json> = fc.constantFrom(...GOOD_TEXTS)
const text: fc.Arbitrary<Json> = fc.oneof(
  goodText,
  fc.constantFrom(...BAD_TEXTS),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
)
const goodTime: fc.Arbitrary<Json> = fc.constantFrom(...GOOD_TIMES)
const time: fc.Arbitrary<Json> = fc.constantFrom(...GOOD_TIMES, ...BAD_TIMES)
const wildId: fc.Arbitrary<Json> = fc.constantFrom(...WILD_IDS)

/** Anything that JSON can say. */
export const wild: fc.Arbitrary<Json> = fc.oneof(
  text,
  time,
  wildId,
  fc.constantFrom<Json>(null, true, false, [], {}, [[]], [null], { __proto__: null, a: 1 }, ...NUMBERS),
  fc.jsonValue({ maxDepth: 3 }),
)

export interface Values {
  /** How often, of a hundred, something else stands where a fitting value should. */
  of(schema: Json, hostility: number, name?: string): fc.Arbitrary<Json>
}

export function valuesFor({ resolved }: Description, pool: Pool): Values {
  const of = (given: Json, hostility: number, name = '', depth = 0): fc.Arbitrary<Json> => {
    const good = [...(GOOD_BY_NAME[name] ?? []), ...(pool.get(name) ?? [])]
    const fitting = fit(resolved(given) ?? {}, hostility, name, depth)
    const meant = good.length === 0 ? fitting : fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...good) }, fitting)
    if (hostility === 0) return good.length === 0 ? fitting : fc.constantFrom(...good)
    const bad = BAD_BY_NAME[name]
    const unmeant = bad === undefined ? wild : fc.oneof(fc.constantFrom(...bad), wild)
    return fc.oneof({ weight: 100 - hostility, arbitrary: meant }, { weight: hostility, arbitrary: unmeant })
  }

  const fit = (schema: Json, hostility: number, name: string, depth: number): fc.Arbitrary<Json> => {
    if (depth > 6) return fc.constant(null)
    if ('const' in schema) return fc.constant(schema.const)
    if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum)
    const either = schema.anyOf ?? schema.oneOf
    if (Array.isArray(either)) return fc.oneof(...either.map((one: Json) => of(one, hostility, name, depth + 1)))
    if (Array.isArray(schema.type))
      return fc.oneof(...schema.type.map((type: string) => fit({ ...schema, type }, hostility, name, depth)))
    switch (schema.type) {
      case 'string':
        return fc.oneof(
          { weight: 100 - hostility, arbitrary: fittingText(schema) },
          { weight: hostility, arbitrary: textFor(schema) },
        )
      case 'integer':
      case 'number':
        return numberFor(schema)
      case 'boolean':
        return fc.boolean()
      case 'null':
        return fc.constant(null)
      case 'array':
        return fc.array(of(schema.items ?? {}, hostility, name, depth + 1), {
          minLength: schema.minItems ?? 0,
          maxLength: 4,
        })
      case 'object':
        return objectFor(schema, hostility, depth)
      default:
        return wild
    }
  }

  const objectFor = (schema: Json, hostility: number, depth: number): fc.Arbitrary<Json> => {
    const inside = (one: Json, name: string): fc.Arbitrary<Json> => of(one, hostility, name, depth + 1)
    const members = Object.entries<Json>(schema.properties ?? {})
    if (members.length === 0 && typeof schema.additionalProperties === 'object')
      return fc.dictionary(
        (hostility === 0 ? goodText : text) as fc.Arbitrary<string>,
        inside(schema.additionalProperties, ''),
        { maxKeys: 5 },
      )
    const model = Object.fromEntries(members.map(([name, one]) => [name, inside(one, name)]))
    return withPrincipals(model, fc.record(model, { requiredKeys: (schema.required ?? []) as never[] }), pool)
  }
  return { of: (schema, hostility, name) => of(schema, hostility, name) }
}

/** Three members that name nobody unless they fit together. */
function withPrincipals(model: object, one: fc.Arbitrary<Json>, pool: Pool): fc.Arbitrary<Json> {
  const principals = pool.get('principal')
  if (!('PrincipalId' in model && 'KId' in model) || principals === undefined) return one
  return fc.tuple(one, fc.constantFrom(...principals, {})).map(([members, principal]) => ({ ...members, ...principal }))
}

function textFor(schema: Json): fc.Arbitrary<Json> {
  if (schema.format === 'date-time') return time
  if (typeof schema.pattern === 'string') return fc.oneof({ weight: 3, arbitrary: matching(schema.pattern) }, text)
  const { minLength = 0, maxLength } = schema
  const longest =
    maxLength === undefined
      ? []
      : [fc.constantFrom('x'.repeat(Math.min(maxLength, 70_000)), 'é'.repeat(Math.min(maxLength + 1, 70_000)))]
  const plain = fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength ?? 30, 30)) })
  return fc.oneof({ weight: 4, arbitrary: plain }, { weight: 4, arbitrary: text }, ...longest)
}

function numberFor({ type, minimum, maximum }: Json): fc.Arbitrary<Json> {
  if (type === 'integer') return fc.integer({ min: minimum ?? -5, max: Math.min(maximum ?? 5_000, 2 ** 31 - 1) })
  const fitting = fc.double({ min: minimum ?? -200, max: maximum ?? 200, noNaN: true })
  return fc.oneof({ weight: 9, arbitrary: fitting }, fc.constantFrom(...NUMBERS))
}

function fittingText(schema: Json): fc.Arbitrary<Json> {
  if (schema.format === 'date-time') return goodTime
  if (typeof schema.pattern === 'string') return matching(schema.pattern)
  const { minLength = 0, maxLength = 64 } = schema
  const good = GOOD_TEXTS.filter((one) => one.length >= minLength && one.length <= maxLength)
  return good.length === 0 ? fc.string({ minLength, maxLength }) : fc.constantFrom(...good)
}

/** Patterns that the generator cannot read are met by luck alone. */
function matching(pattern: string): fc.Arbitrary<Json> {
  try {
    return fc.stringMatching(new RegExp(pattern))
  } catch {
    return text
  }
}
