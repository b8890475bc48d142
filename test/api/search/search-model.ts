/** The search as a reader of decisions 7 would write it down, over drawn worlds: nothing of the product's search is used here. */
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { type DrawnWorld as RightsWorld, inPolicy, levelOnCase, levelOnEvidence } from '../permissions/model.ts'
import {
  asPerson,
  CATEGORIES,
  CASES,
  CREATED,
  type Custom,
  deviceOf,
  type DrawnWorld,
  GROUPS,
  WORDS,
  type Written,
} from './search-world.ts'

type Field = 'name' | 'tag' | 'device' | 'officer' | 'category' | 'case'
export interface Term {
  readonly field: Field | null
  readonly words: readonly string[]
  readonly exclude: boolean
  readonly star: boolean
  readonly quoted: boolean
}

const STATES = ['Open', 'Closed', 'None', 'UserCompleted', 'Protected', 'Deleted', 'Enabled', 'Disabled'] as const
const MEDIA = ['video', 'audio', 'image', 'document', 'text', 'other', 'none'] as const
const seldom = <T>(asked: fc.Arbitrary<T>, freq = 14): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: freq, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: asked })
const typed = fc.constantFrom(
  ...WORDS.map((word) => word.toLowerCase()),
  'mi',
  're',
  'q',
  'rn-77',
  'okafor',
  'nikon',
  'bw417_0042',
  'rain',
  'group1',
  'user2',
)
const term: fc.Arbitrary<Term> = fc.record({
  field: fc.oneof(
    { weight: 6, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constantFrom('name' as const, 'tag' as const, 'device' as const, 'officer' as const) },
  ),
  words: fc.oneof(
    { weight: 3, arbitrary: fc.array(typed, { minLength: 1, maxLength: 1 }) },
    { weight: 1, arbitrary: fc.array(typed, { minLength: 2, maxLength: 2 }) },
  ),
  exclude: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  star: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  quoted: fc.boolean(),
})
/** Words that together look like a plate, as `417 q` does, find more than each of them. The plain search knows no plates; search.test.ts tries them. */
function mayBePlate(terms: readonly Term[]): boolean {
  const free = terms.filter(({ field, exclude }) => field === null && !exclude)
  const letters = free
    .flatMap(({ words }) => words)
    .join('')
    .replaceAll(/[^a-z0-9]/g, '')
  return free.length > 1 && /[a-z]/.test(letters) && /\d\d/.test(letters) && letters.length >= 4 && letters.length <= 9
}
const belongs: fc.Arbitrary<Term> = fc.record({
  field: fc.constantFrom('category' as const, 'case' as const),
  words: fc.constantFrom('theft', 'traffic', '2026-000002', 'rn-77', 'nothing').map((one) => [one]),
  exclude: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  star: fc.constant(false),
  quoted: fc.boolean(),
})
const customFilter = fc.constantFrom(
  { Name: 'Speed', From: '0', To: '50' },
  { Name: 'Speed', From: '10' },
  { Name: 'Speed', Value: '7' },
  { Name: 'Seen', From: '2026-11-20', To: '2026-11-20' },
  { Name: 'Seen', From: '2026-11-20T22:30:00Z' },
  { Name: 'Hurt', Value: 'true' },
  { Name: 'Weather', Value: 'RAIN' },
  { Name: 'Other', Value: 'x' },
)
export const question = fc.record({
  terms: fc
    .tuple(
      fc.array(term, { maxLength: 2 }).filter((terms) => !mayBePlate(terms)),
      seldom(belongs, 6),
    )
    .map(([terms, more]) => (more === null ? terms : [more, ...terms])),
  types: seldom(
    fc.uniqueArray(
      fc.constantFrom('Case' as const, 'Evidence' as const, 'User' as const, 'Group' as const, 'Device' as const),
      { maxLength: 3 },
    ),
    5,
  ),
  states: seldom(fc.uniqueArray(fc.constantFrom(...STATES), { minLength: 2, maxLength: 5 }), 4),
  categories: seldom(fc.uniqueArray(fc.nat({ max: CATEGORIES.length - 1 }), { minLength: 1, maxLength: 2 })),
  media: seldom(fc.uniqueArray(fc.constantFrom(...MEDIA), { minLength: 1, maxLength: 2 })),
  /** Quarters of minutes. */
  from: seldom(fc.integer({ min: -4, max: 40 }), 6),
  lasts: seldom(fc.constantFrom(0, 2, 4, 20, 60), 4),
  device: seldom(fc.constantFrom('Axon', 'Mill')),
  inCase: seldom(fc.nat({ max: CASES - 1 })),
  unassociated: seldom(fc.constant(true)),
  custom: seldom(fc.array(customFilter, { minLength: 1, maxLength: 2 })),
  box: seldom(
    fc.constantFrom(
      [0, 40, 20, 50],
      [170, -10, -170, 10],
      [-180, -90, 180, 90],
      [16.3, 48.2, 16.3, 48.2],
    ) as fc.Arbitrary<[number, number, number, number]>,
  ),
  near: seldom(
    fc.constantFrom(
      { Latitude: 48.2, Longitude: 16.3, RadiusMeters: 10 },
      { Latitude: 48.201, Longitude: 16.3, RadiusMeters: 100 },
      { Latitude: 48.201, Longitude: 16.3, RadiusMeters: 120 },
      { Latitude: 0.5, Longitude: 180, RadiusMeters: 78_000 },
      { Latitude: 0.5, Longitude: 180, RadiusMeters: 79_000 },
      { Latitude: 0.4, Longitude: -180, RadiusMeters: 75_000 },
    ),
    5,
  ),
  sort: fc.constantFrom('relevance' as const, 'newest' as const, 'oldest' as const, 'name' as const),
  count: fc.integer({ min: 1, max: 7 }),
})
export type Question = typeof question extends fc.Arbitrary<infer T> ? T : never

export const textOf = (terms: readonly Term[]): string =>
  terms
    .map(({ field, words, exclude, star, quoted }) => {
      const text = words.join(' ')
      const written = quoted || words.length > 1 ? `"${text}"` : text
      return `${exclude ? '-' : ''}${field === null ? '' : `${field}:`}${written}${star ? '*' : ''}`
    })
    .join(' ')

/** Words as the index has them. */
const split = (text: string): string[] =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

export interface Thing {
  readonly type: 'Case' | 'Evidence' | 'User' | 'Group' | 'Device'
  readonly id: number | string
  /** Everything that is found came one after the other. */
  readonly place: number
  readonly name: string
  readonly columns: Readonly<Record<'name' | 'tag' | 'numbers' | 'texts' | 'device' | 'officer', readonly string[]>>
  readonly exact: readonly string[]
  readonly states: readonly string[]
  readonly deleted: boolean
  readonly category: number | null
  readonly media: string | null
  /** Minutes. */
  readonly span: readonly [number, number] | null
  readonly at: readonly [number, number] | null
  readonly custom: Custom | null
  readonly device: string | null
  readonly cases: readonly number[]
}

export const rightsOf = (world: DrawnWorld): RightsWorld => ({
  people: world.people.map(asPerson),
  groupPolicies: world.groupUnassociated.map((unassociated) => ({ policies: [], unassociated, fromMyDevice: 'None' })),
  cases: world.cases,
  evidences: world.evidences.map((one) => ({
    ...one,
    lifecycle: one.lifecycle === 'Normal' ? ('None' as const) : one.lifecycle,
    withCase: null,
    identity: 'Claimed',
    associations: [],
  })),
})

const parts = (...texts: (string | null)[]): string[] => texts.flatMap((text) => (text === null ? [] : [text]))
const spanOf = ({ start, lasts }: { start: number | null; lasts: number | null }): readonly [number, number] =>
  start === null ? [CREATED, CREATED] : [start, start + (lasts ?? 0)]
const personWords = (one: DrawnWorld['people'][number], at: number): string => `user${at} ${one.last} ${one.badge}`

/** Everything there is, in the order in which it came. */
export function thingsOf(world: DrawnWorld, written: Written): Thing[] {
  const none = { tag: [], device: [], officer: [], texts: [] }
  const rest = {
    deleted: false,
    category: null,
    media: null,
    span: null,
    at: null,
    custom: null,
    device: null,
    cases: [],
  }
  const things: Omit<Thing, 'place'>[] = world.people.map((one, at) => ({
    ...rest,
    type: 'User',
    id: written.people[at] as number,
    name: `user${at}`,
    columns: {
      ...none,
      name: [`user${at} ${one.last}`],
      numbers: [one.badge],
      officer: [personWords(one, at)],
    },
    exact: [],
    states: [one.enabled ? 'Enabled' : 'Disabled'],
  }))
  for (let at = 0; at < GROUPS; at++)
    things.push({
      ...rest,
      type: 'Group',
      id: written.groups[at] as number,
      name: `group${at} mill`,
      columns: { ...none, name: [`group${at} Mill`], numbers: [] },
      exact: [],
      states: ['Enabled'],
    })
  for (const [at, one] of world.devices.entries())
    things.push({
      ...rest,
      type: 'Device',
      id: written.devices[at] as string,
      name: one.name ?? one.serial,
      columns: {
        ...none,
        name: [one.name ?? one.serial],
        numbers: [one.serial],
        texts: ['BodyWornCamera'],
        device: [parts(one.manufacturer, one.model, one.serial, one.name).join(' ')],
        officer: [],
      },
      exact: [one.serial.toLowerCase()],
      states: [one.active ? 'Enabled' : 'Disabled'],
    })
  for (const [at, one] of world.cases.entries()) {
    const numbers = parts(`2026-00000${at + 1}`, ...one.numbers)
    things.push({
      ...rest,
      type: 'Case',
      id: written.cases[at] as number,
      name: one.title,
      columns: {
        name: [one.title],
        // One text, as the index has it: a phrase may reach from one into the next.
        tag: [one.tags.join(' ')],
        numbers: [numbers.join(' ')],
        texts: [parts(one.description, one.location, ...Object.values(one.custom)).join(' ')],
        device: [],
        officer: [
          'internal internal',
          one.personnel.map((who) => personWords(world.people[who] as never, who)).join(' '),
        ],
      },
      exact: numbers.map((number) => number.toLowerCase()),
      states: [
        one.lifecycle === 'Deleted' ? 'Deleted' : one.state,
        ...(one.lifecycle === 'Protected' ? ['Protected'] : []),
      ],
      deleted: one.lifecycle === 'Deleted',
      category: one.category,
      span: spanOf(one),
      at: one.place,
      custom: one.custom,
      cases: [at],
    })
  }
  for (const [at, one] of world.evidences.entries())
    things.push({
      ...rest,
      type: 'Evidence',
      id: written.evidences[at] as number,
      name: one.title,
      columns: {
        name: [one.title],
        tag: [one.tags.join(' ')],
        numbers: parts(one.source),
        texts: [
          parts(
            one.description,
            one.location,
            ...Object.values(one.custom),
            one.file,
            one.file === null ? null : one.exif,
          ).join(' '),
        ],
        device: one.device === null ? [] : [`${one.device} SN 1`],
        officer: ['internal'],
      },
      exact: parts(one.source).map((number) => number.toLowerCase()),
      states: [
        one.lifecycle === 'Deleted' ? 'Deleted' : one.state,
        ...(one.lifecycle === 'Protected' ? ['Protected'] : []),
      ],
      deleted: one.lifecycle === 'Deleted',
      category: one.category,
      media: one.file === null ? 'none' : one.file.endsWith('mp4') ? 'video' : 'image',
      span: spanOf(one),
      at: one.place,
      custom: one.custom,
      device: one.device,
      cases: [...new Set(one.links.map(({ toCase }) => toCase))],
    })
  return things.map((thing, place) => ({ ...thing, place }))
}

function stands(texts: readonly string[], words: readonly string[], prefix: boolean): boolean {
  return texts.some((text) => {
    const there = split(text)
    return there.some((_, from) =>
      words.every((word, index) => {
        const found = there[from + index]
        return prefix && index === words.length - 1 ? found?.startsWith(word) === true : found === word
      }),
    )
  })
}

/** People and groups are not found by theirs. */
const idOf = ({ type, id }: Thing): string | null => (type === 'Case' || type === 'Evidence' ? String(id) : null)

function termHolds(
  thing: Thing,
  { field, words, star, quoted }: Term,
  last: boolean,
  exclude: boolean,
  only?: readonly (keyof Thing['columns'])[],
): boolean {
  const text = words.join(' ')
  const bare = !quoted && words.length === 1
  const prefix = (star || (last && bare && !exclude)) && (text.length >= 2 || (star && bare))
  const columns =
    only ?? (field === null ? (Object.keys(thing.columns) as (keyof Thing['columns'])[]) : [field as 'name'])
  const found = columns.some((column) => stands(thing.columns[column], split(text), prefix))
  const isId =
    field === null && /^\d+$/.test(bare && star ? `${text}*` : text) && idOf(thing) === text.replace(/^0+(?=\d)/, '')
  return found || isId
}

const NUMBER = /^[+-]?(\d+(\.\d+)?|\.\d+)([eE][+-]?\d+)?$/
const day = (text: string, end: boolean): number =>
  Date.parse(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T${end ? '23:59:59.999' : '00:00:00'}Z` : text)

function customHolds(
  custom: Custom | null,
  filter: { Name: string; Value?: string; From?: string; To?: string },
): boolean {
  if (custom === null) return false
  const value = custom[filter.Name as keyof Custom]
  if (value === undefined) return false
  const [from, to] = [filter.Value ?? filter.From, filter.Value ?? filter.To]
  switch (filter.Name) {
    case 'Speed':
      return (
        NUMBER.test(value) &&
        (from === undefined || Number(value) >= Number(from)) &&
        (to === undefined || Number(value) <= Number(to))
      )
    case 'Seen': {
      const at = day(value, false)
      return (
        !Number.isNaN(at) && (from === undefined || at >= day(from, false)) && (to === undefined || at <= day(to, true))
      )
    }
    case 'Hurt':
      return value === filter.Value
    default:
      return value.toLowerCase().includes((filter.Value ?? '').toLowerCase())
  }
}

/** At least a minute, or all of the shorter one. */
function overlaps([start, end]: readonly [number, number], from: number | null, to: number | null): boolean {
  const [low, high] = [from ?? -1e9, to ?? 1e9]
  return Math.min(end, high) - Math.max(start, low) >= Math.min(1, end - start, high - low)
}

function inBox(
  [x, y]: readonly [number, number],
  [west, south, east, north]: readonly [number, number, number, number],
): boolean {
  return y >= south && y <= north && (west <= east ? x >= west && x <= east : x >= west || x <= east)
}

/** By the law of cosines, on a sphere. */
function isNear([longitude, latitude]: readonly [number, number], near: NonNullable<Question['near']>): boolean {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180
  const [one, other] = [radians(latitude), radians(near.Latitude)]
  const cosine =
    Math.sin(one) * Math.sin(other) + Math.cos(one) * Math.cos(other) * Math.cos(radians(longitude - near.Longitude))
  return 6_371_008.8 * Math.acos(Math.min(1, cosine)) <= near.RadiusMeters
}

export interface ModelAnswer {
  readonly hits: readonly string[]
  readonly total: number
  readonly facets: Readonly<Record<'Types' | 'Categories' | 'States' | 'MediaTypes', Readonly<Record<string, number>>>>
}

const folded = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

export function modelSearch(world: DrawnWorld, written: Written, who: number, asked: Question): ModelAnswer {
  const rights = rightsOf(world)
  const guest = world.people[who]?.guest === true
  const restores = inPolicy(rights, who, 'RestoreFromRecycleBin') && world.people[who]?.enabled === true
  const deleted = restores && asked.states?.includes('Deleted') === true
  const level = (thing: Thing): boolean => {
    if (thing.type === 'Case') return levelOnCase(rights, who, written.cases.indexOf(thing.id as number)) !== 'None'
    if (thing.type === 'Evidence') return levelHere(rights, world, who, written.evidences.indexOf(thing.id as number))
    if (thing.type === 'Device' && !managesDevices(world, who))
      return !guest && world.devices[written.devices.indexOf(thing.id as string)]?.of.includes(who) === true
    return !guest
  }
  const seenCase = (at: number): boolean =>
    levelOnCase(rights, who, at) !== 'None' && world.cases[at]?.lifecycle !== 'Deleted'
  const things = thingsOf(world, written)
  const text = textOf(asked.terms)
  const named = (word: string): number[] =>
    world.cases.flatMap((_, at) => {
      const own = things.find(({ type, id }) => type === 'Case' && id === written.cases[at]) as Thing
      return seenCase(at) && (own.exact.includes(word) || String(own.id) === word) ? [at] : []
    })
  const wordsHold = (thing: Thing): boolean =>
    asked.terms.every((term, index) => {
      const last = index === asked.terms.length - 1
      if (term.field === 'category') {
        const ids = CATEGORIES.flatMap((name, at) =>
          ` ${name.toLowerCase()}`.includes(` ${term.words[0]}`) ? [at] : [],
        )
        return (thing.category !== null && ids.includes(thing.category)) !== term.exclude
      }
      if (term.field === 'case')
        return thing.cases.some((at) => named(term.words[0] as string).includes(at)) !== term.exclude
      return termHolds(thing, term, last, term.exclude) !== term.exclude
    })
  const from = asked.from === null ? null : asked.from / 4
  const to = asked.lasts === null ? null : (from ?? 0) + asked.lasts / 4
  const base = things.filter(
    (thing) =>
      level(thing) &&
      (deleted || !thing.deleted) &&
      wordsHold(thing) &&
      ((from === null && to === null) || (thing.span !== null && overlaps(thing.span, from, to))) &&
      (asked.device === null || thing.device === asked.device) &&
      (asked.inCase === null ||
        (thing.type === 'Evidence' && seenCase(asked.inCase) && thing.cases.includes(asked.inCase))) &&
      (asked.unassociated === null || (thing.type === 'Evidence' && thing.cases.length === 0)) &&
      (asked.custom === null || asked.custom.every((filter) => customHolds(thing.custom, filter))) &&
      (asked.box === null || (thing.at !== null && inBox(thing.at, asked.box))) &&
      (asked.near === null || (thing.at !== null && isNear(thing.at, asked.near))),
  )
  const TESTS = {
    Types: (thing: Thing) => asked.types === null || (asked.types as readonly string[]).includes(thing.type),
    Categories: ({ category }: Thing) =>
      asked.categories === null || (category !== null && asked.categories.includes(category)),
    States: ({ states }: Thing) =>
      asked.states === null || states.some((state) => (asked.states as readonly string[]).includes(state)),
    MediaTypes: ({ media }: Thing) =>
      asked.media === null || (media !== null && (asked.media as readonly string[]).includes(media)),
  }
  const VALUES = {
    Types: ({ type }: Thing) => [type],
    Categories: ({ category }: Thing) => (category === null ? [] : [String(written.categories[category])]),
    States: ({ states }: Thing) => states,
    MediaTypes: ({ media }: Thing) => (media === null ? [] : [media]),
  }
  type Facet = keyof typeof TESTS
  const FACETS = Object.keys(TESTS) as Facet[]
  const found = base.filter((thing) => FACETS.every((facet) => TESTS[facet](thing)))
  const facet = (one: Facet): Record<string, number> => {
    const counts: Record<string, number> = {}
    for (const thing of base)
      if (FACETS.every((other) => other === one || TESTS[other](thing)))
        for (const value of VALUES[one](thing)) counts[value] = (counts[value] ?? 0) + 1
    return counts
  }
  const order = orderOf(asked, text)
  return {
    hits: [...found].sort(order).map(({ type, id }) => `${type} ${id}`),
    total: found.length,
    facets: {
      Types: facet('Types'),
      Categories: facet('Categories'),
      States: facet('States'),
      MediaTypes: facet('MediaTypes'),
    },
  }
}

export const managesDevices = (world: DrawnWorld, who: number): boolean =>
  inPolicy(rightsOf(world), who, 'ManageDevices')

/** The permission model draws evidence that is not deleted; here the evidence itself may be. */
const levelHere = (rights: RightsWorld, _world: DrawnWorld, who: number, at: number): boolean =>
  levelOnEvidence(rights, who, at) !== 'None'

function orderOf({ sort, terms }: Question, text: string): (one: Thing, other: Thing) => number {
  const newest = (one: Thing, other: Thing): number => other.place - one.place
  if (sort === 'newest') return newest
  if (sort === 'oldest') return (one, other) => one.place - other.place
  if (sort === 'name')
    return (one, other) => {
      const [a, b] = [folded(one.name), folded(other.name)]
      return a < b ? -1 : a > b ? 1 : one.place - other.place
    }
  const wanted = terms.filter(({ exclude, field }) => !exclude && field !== 'category' && field !== 'case')
  const free = wanted.filter(({ field }) => field === null)
  const tier = (thing: Thing): number => {
    const exact = wanted.length > 0 && (thing.exact.includes(text.trim().toLowerCase()) || idOf(thing) === text.trim())
    if (exact) return 0
    if (free.length === 0) return 2
    const last = terms.at(-1)
    return free.every((one) => termHolds(thing, one, one === last, false, ['name', 'numbers'])) ? 1 : 2
  }
  return (one, other) => tier(one) - tier(other) || newest(one, other)
}

export const deviceId = (manufacturer: string): string =>
  createHash('sha256')
    .update(`${deviceOf(manufacturer).SerialNumber}\u001f${manufacturer}`)
    .digest('hex')
    .slice(0, 32)
