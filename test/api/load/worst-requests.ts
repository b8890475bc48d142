/** The largest requests that the contract lets through, made from its OpenAPI document: a new route is asked without anybody's doing. */
import type { Json } from '../../support/given.ts'
import type { Description, Operation } from '../fuzz/description.ts'
import type { Pool } from '../fuzz/values.ts'

export interface WorstRequest {
  /** What is large about it. */
  readonly name: string
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly body: Uint8Array | null
  readonly type: string
}

/** Members and elements in all, and bytes, below what every body may have (decisions 13). */
const PARTS = 199_000
const HEAD_BYTES = 14_000

interface Sizes {
  /** Longest text, in characters. */
  readonly text: number
  /** Most elements of a list, and members of a free-form object. */
  readonly items: number
  /** Every value is of another type than asked for. */
  readonly wrong: boolean
}

interface Making {
  readonly sizes: Sizes
  readonly resolved: Description['resolved']
  readonly pool: Pool
  next: number
  /** Members and elements that may still come, and characters of text. */
  left: number
  room: number
}

/** A geometry of so many characters: one ring that goes up and down. */
function polygon(most: number): string {
  const points: string[] = []
  let length = 30
  for (let at = 0; length < most; at++) {
    const point = `${(at % 1700) / 10} ${at % 2 === 0 ? 10 : 11 + (at % 60)}`
    length += point.length + 2
    points.push(point)
  }
  return `POLYGON ((0 0, ${points.join(', ')}, 0 0))`
}

/** Values for members whose schema does not say what is worst about them. */
const BY_NAME: Readonly<Record<string, (most: number) => Json>> = {
  LocationWKT: polygon,
  LocationText: (most) => 'é '.repeat(most / 2),
  Text: (most) => `${'a'.repeat(200)}b `.repeat(most).slice(0, most).trimEnd(),
  Captions: (most) =>
    `WEBVTT\n\n${Array.from({ length: most / 40 }, (_, at) => `00:00:${String(at % 60).padStart(2, '0')}.000 --> 00:00:59.999\nx\n\n`).join('')}`,
}

function valueOf(schema: Json, name: string, making: Making): Json {
  const { sizes, resolved, pool } = making
  if (making.left-- <= 0) return null
  const known = resolved(schema) ?? {}
  const options: readonly Json[] | undefined = known.anyOf ?? known.oneOf
  if (options !== undefined)
    return valueOf(options.toSorted((a, b) => weight(resolved(b)) - weight(resolved(a)))[0], name, making)
  if (known.allOf !== undefined) return Object.assign({}, ...known.allOf.map((one: Json) => valueOf(one, name, making)))
  if (known.const !== undefined) return sizes.wrong ? {} : known.const
  if (known.enum !== undefined) return sizes.wrong ? {} : known.enum.at(-1)
  const type = Array.isArray(known.type) ? known.type[0] : known.type
  if (
    type === 'object' ||
    known.properties !== undefined ||
    (type === undefined && known.items === undefined && name === '')
  )
    return objectOf(known, making)
  if (type === 'array' || known.items !== undefined) {
    const list: Json[] = []
    const most = Math.min(known.maxItems ?? Number.POSITIVE_INFINITY, sizes.items)
    while (list.length < most && making.left > 0) list.push(valueOf(known.items ?? {}, name, making))
    return list
  }
  if (sizes.wrong) return {}
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return known.maximum ?? known.minimum ?? 7
  if (known.format === 'date-time') return '2026-11-20T02:47:31.1234567Z'
  if (typeof known.pattern === 'string' && known.pattern.startsWith('^[0-9]')) {
    const real = pool.get(name)?.filter((one) => typeof one === 'string') ?? []
    return real[making.next++] ?? String(1_000_000_000 + making.next)
  }
  if (typeof known.pattern === 'string' && known.pattern.includes('a-f'))
    return 'a'.repeat(/\{64\}/.test(known.pattern) ? 64 : 40)
  const most = Math.min(known.maxLength ?? sizes.text, sizes.text)
  making.room -= most
  if (making.room < 0) {
    making.left = 0
    return null
  }
  return BY_NAME[name]?.(most) ?? `${'x'.repeat(Math.max(1, most - 7))}${making.next++}`.slice(0, Math.max(1, most))
}

function objectOf(known: Json, making: Making): Json {
  const made: Record<string, Json> = {}
  for (const [name, member] of Object.entries<Json>(known.properties ?? {})) made[name] = valueOf(member, name, making)
  const further = known.additionalProperties
  if (typeof further === 'object' || (known.properties === undefined && further !== false)) {
    const most = Math.min(known.maxProperties ?? Number.POSITIVE_INFINITY, making.sizes.items)
    const inner =
      typeof further === 'object' && Object.keys(further).length > 0
        ? further
        : { type: 'string', maxLength: making.sizes.text }
    for (let at = 0; at < most && making.left > 0; at++) made[`Member ${at}`] = valueOf(inner, 'member', making)
  }
  return made
}

const weight = (schema: Json): number =>
  schema?.type === 'null'
    ? 0
    : schema?.type === 'array' || schema?.items !== undefined
      ? 3
      : schema?.properties !== undefined
        ? 2
        : 1

/** As large as it can be within the limits of bodies: of what is too large, the longest texts are halved first. */
function largest(schema: Json, description: Description, pool: Pool, most: number, sizes: Sizes): string {
  for (let { text, items } = sizes; ; ) {
    const making: Making = {
      sizes: { ...sizes, text, items },
      resolved: description.resolved,
      pool,
      next: 0,
      left: PARTS,
      room: most,
    }
    const value = valueOf(schema, '', making)
    const fits = making.left > 0 && making.room >= 0
    const made = fits || (text <= 16 && items <= 1) ? JSON.stringify(value) : ''
    if (fits && Buffer.byteLength(made) <= most) return made
    if (text > 16) text = Math.floor(text / 4)
    else if (items > 1) items = Math.floor(items / 2)
    else return made
  }
}

const filler = (count: number, member: (at: number) => string, most: number): string => {
  const members: string[] = []
  for (let at = 0, length = 2; at < count && length < most; at++) {
    const one = member(at)
    length += one.length + 1
    members.push(one)
  }
  return members.join(',')
}

/** @param most bytes of its largest body */
export function worstBodies(operation: Operation, description: Description, pool: Pool, most: number): WorstRequest[] {
  const { body } = operation
  if (body === null) return []
  const { schema } = body
  const room = most - 64
  const whole = (sizes: Sizes): string => largest(schema, description, pool, room, sizes)
  const small = whole({ text: 8, items: 1, wrong: false })
  const members = (member: (at: number) => string): string => {
    const base = small.startsWith('{') && small.length > 2 ? `${small.slice(0, -1)},` : '{'
    return `${base}${filler(PARTS - 2_000, member, room - base.length)}}`
  }
  const bodies: [string, string][] = [
    ['longest texts', whole({ text: 4 * 1024 * 1024, items: 1_000, wrong: false })],
    ['longest lists', whole({ text: 16, items: PARTS, wrong: false })],
    ['wrong everywhere', whole({ text: 16, items: PARTS, wrong: true })],
    ['unknown members with escaped names', members((at) => `"\\u0061${at}\\u0062":1`)],
    ['unknown nested lists', members((at) => `"n${at}":${'['.repeat(50)}${']'.repeat(50)}`)],
    ['one list of the whole size', `[${filler(PARTS, () => '{}', room)}]`],
  ]
  return bodies.map(([name, text]) => ({
    name,
    method: operation.method,
    target: targetOf(operation, pool),
    body: new TextEncoder().encode(text),
    type: body.types.includes('application/json') ? 'application/json' : (body.types[0] as string),
  }))
}

/** Every member of the query as long or as often as a head of 16 KiB lets it be. */
export function worstQueries(operation: Operation, description: Description, pool: Pool): WorstRequest[] {
  const target = targetOf(operation, pool)
  const asked = operation.parameters.filter((one) => one.in === 'query')
  const queries: [string, string][] = [
    ['thousands of unknown members', Array.from({ length: 2_800 }, (_, at) => `${at.toString(36)}=`).join('&')],
  ]
  if (asked.length > 0) {
    const share = Math.floor(HEAD_BYTES / asked.length)
    const making = (text: number): Making => ({
      sizes: { text, items: 1, wrong: false },
      resolved: description.resolved,
      pool,
      next: 0,
      left: 1e6,
      room: 1e6,
    })
    const long = asked.map(({ name, schema }) => [name, valueOf(schema, name, making(share - name.length - 8))])
    const usual = asked.map(({ name, schema }) => [name, valueOf(schema, name, making(12))])
    const often = usual.flatMap(([name, value]) =>
      Array.from({ length: Math.floor(share / (String(name).length + String(value).length + 2)) }, () => [name, value]),
    )
    const text = (members: readonly Json[]): string =>
      members
        .map(([name, value]) => `${name}=${encodeURIComponent(Array.isArray(value) ? value[0] : String(value))}`)
        .join('&')
        .slice(0, HEAD_BYTES)
    queries.push(['longest members', text(long)], ['members again and again', text(often)])
    // One by one: what is wrong about one hides what the others cost.
    for (const [name, value] of usual)
      queries.push([
        `count and ${name}`,
        text([
          ['count', '1000'],
          [name, value],
        ]),
      ])
  }
  return queries.map(([name, query]) => ({
    name: `query: ${name}`,
    method: operation.method,
    target: `${target}?${query}`,
    body: null,
    type: '',
  }))
}

function targetOf(operation: Operation, pool: Pool): string {
  const needed = operation.parameters.filter((one) => one.in === 'path').map(({ name }) => name)
  const place = (pool.get('place') ?? []).find((one: Json) =>
    needed.every(
      (name) => one[name] !== undefined || !['evidenceId', 'resourceId', 'noteId', 'bookmarkId'].includes(name),
    ),
  )
  return operation.path.replaceAll(/\{([^}]+)\}/g, (_all, name: string) =>
    encodeURIComponent(String(place?.[name] ?? pool.get(name)?.[0] ?? '1')),
  )
}
