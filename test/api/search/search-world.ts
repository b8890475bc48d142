/** Drawn worlds to search in, written row by row as the station writes them. */
import fc from 'fast-check'
import type { Database, Tx } from '../../../server/kernel/database/database.ts'
import { insertEvidence, insertResource } from '../../../server/kernel/evidence/records.store.ts'
import { insertCase } from '../../../server/features/cases/cases.store.ts'
import type { DrawnGrant, DrawnLink, DrawnPerson, Level } from '../permissions/model.ts'

export const PEOPLE = 4
export const GROUPS = 2
export const DEVICES = 2
export const CASES = 5
export const EVIDENCES = 8
export const CATEGORIES = ['Theft', 'Traffic stop', 'Night theft'] as const

/** Words as they are typed and as they are found: without case and accents. */
export const WORDS = [
  'Mill',
  'mills',
  'Řeznická',
  'reznicka',
  'Quay',
  'Zebra',
  'école',
  'BW417',
  '417',
  '2026',
  'Ö',
] as const
const word = fc.constantFrom(...WORDS)
const words = fc.array(word, { minLength: 1, maxLength: 3 }).map((found) => found.join(' '))
const maybe = <T>(one: fc.Arbitrary<T>, freq = 2): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: freq, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: one })
const place = maybe(
  fc.constantFrom([16.3, 48.2], [179.5, 0], [-179.5, 1], [0, 0], [2.35, 48.85]) as fc.Arbitrary<[number, number]>,
)
/** Values that fit their fields, and texts of older templates that do not. */
const custom = fc.record(
  {
    Speed: fc.constantFrom('12.5', '007', '-3', '1e2', 'fast', ''),
    Seen: fc.constantFrom('2026-11-20', '2026-11-20T23:30:00+01:00', '2026-11-21', 'yesterday'),
    Hurt: fc.constantFrom('true', 'false'),
    Weather: fc.constantFrom('Rain', 'heavy rain', 'dry'),
  },
  { requiredKeys: [] },
)
export type Custom = Partial<Record<'Speed' | 'Seen' | 'Hurt' | 'Weather', string>>

const level = fc.constantFrom<Exclude<Level, 'None'>>('View', 'Download', 'Edit', 'Manage')
const grants = fc.uniqueArray(
  fc.record({
    to: fc.nat({ max: PEOPLE + GROUPS - 1 }),
    level,
    expiry: fc.constantFrom('past' as const, 'future' as const, 'never' as const, 'never' as const),
  }),
  { maxLength: 3, selector: ({ to }) => to },
) as fc.Arbitrary<DrawnGrant[]>
const links = fc.uniqueArray(
  fc.record({
    toCase: fc.nat({ max: CASES - 1 }),
    kind: fc.constantFrom('Manual' as const, 'Automatic' as const),
    confirmed: fc.boolean(),
  }),
  { maxLength: 2, selector: ({ toCase, kind }) => `${toCase} ${kind}` },
) as fc.Arbitrary<DrawnLink[]>

const lifecycle = fc.constantFrom('Normal' as const, 'Normal' as const, 'Protected' as const, 'Deleted' as const)
const described = {
  title: words,
  description: maybe(words),
  tags: fc.uniqueArray(word, { maxLength: 2 }),
  category: maybe(fc.nat({ max: CATEGORIES.length - 1 }), 1),
  /** Minutes. */
  start: maybe(fc.integer({ min: 0, max: 6 }), 1),
  lasts: maybe(fc.constantFrom(0, 0.5, 1, 3), 1),
  place,
  location: maybe(words),
  custom,
  grants,
  lifecycle,
}
const drawnCase = fc.record({
  ...described,
  state: fc.constantFrom('Open' as const, 'Closed' as const),
  numbers: fc.tuple(maybe(fc.constantFrom('RN-77', 'Mill', '417')), maybe(fc.constantFrom('INC 9', '2026'))),
  personnel: fc.uniqueArray(fc.nat({ max: PEOPLE - 1 }), { maxLength: 2 }),
})
const drawnEvidence = fc.record({
  ...described,
  state: fc.constantFrom('None' as const, 'UserCompleted' as const),
  source: maybe(fc.constantFrom('RN-77', 'src 4')),
  device: maybe(fc.constantFrom('Axon', 'Mill')),
  file: maybe(fc.constantFrom('BW417_0042.mp4', 'quay.jpg')),
  exif: maybe(fc.constantFrom('Nikon Zebra', 'Canon')),
  links,
})
const drawnPerson = fc.record({
  guest: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  groups: fc.tuple(fc.boolean(), fc.boolean()),
  restores: fc.boolean(),
  manages: fc.constantFrom(false, false, true),
  unassociated: fc.constantFrom<Level>('None', 'View', 'Manage'),
  last: fc.constantFrom('Okafor', 'Mill', 'Řeznická'),
  badge: fc.constantFrom('', '417', 'B-9'),
  enabled: fc.constantFrom(true, true, false),
})
const drawnDevice = fc.record({
  manufacturer: fc.constantFrom('Axon', 'Mill'),
  model: maybe(fc.constantFrom('B3', '417')),
  serial: fc.constantFrom('SN 1', 'RN-77', 'BW417'),
  name: maybe(words, 1),
  active: fc.boolean(),
  /** Whose it was at some time. */
  of: fc.uniqueArray(fc.nat({ max: PEOPLE - 1 }), { maxLength: 2 }),
})
export type DrawnCase = typeof drawnCase extends fc.Arbitrary<infer T> ? T : never
export type DrawnEvidence = typeof drawnEvidence extends fc.Arbitrary<infer T> ? T : never
export type DrawnPersonHere = typeof drawnPerson extends fc.Arbitrary<infer T> ? T : never

const many = <T>(one: fc.Arbitrary<T>, count: number): fc.Arbitrary<T[]> =>
  fc.array(one, { minLength: count, maxLength: count })
export const world = fc.record({
  // Whoever is disabled does not ask: the last one alone may be.
  people: many(drawnPerson, PEOPLE).map((people) =>
    people.map((one, at) => (at === PEOPLE - 1 ? one : { ...one, enabled: true })),
  ),
  groupUnassociated: many(fc.constantFrom<Level>('None', 'None', 'Download'), GROUPS),
  devices: many(drawnDevice, DEVICES),
  cases: many(drawnCase, CASES),
  evidences: many(drawnEvidence, EVIDENCES),
})
export type DrawnWorld = typeof world extends fc.Arbitrary<infer T> ? T : never

/** As the permission model reads people. */
export const asPerson = ({ guest, groups, restores, manages, unassociated }: DrawnPersonHere): DrawnPerson => ({
  guest,
  groups,
  policies: [...(restores ? ['RestoreFromRecycleBin' as const] : []), ...(manages ? ['ManageDevices' as const] : [])],
  unassociated,
  fromMyDevice: 'None',
  administrator: false,
})

export interface Written {
  readonly tenant: string
  readonly people: readonly number[]
  readonly groups: readonly number[]
  readonly devices: readonly string[]
  readonly categories: readonly number[]
  readonly cases: readonly number[]
  readonly evidences: readonly number[]
}

/** Ticks of minutes: beyond what a JavaScript number holds. */
export const ticks = (minutes: number): bigint => BigInt(Math.round((29_000_000 + minutes) * 60)) * 10_000_000n + 1n
export const utc = (minutes: number): string =>
  `${new Date(Math.round((29_000_000 + minutes) * 60) * 1000).toISOString().slice(0, 19)}.0000001Z`
export const CREATED = 3
const NOBODY = JSON.stringify({
  PrincipalId: '0',
  KId: '',
  Name: 'internal',
  Username: 'internal',
  PrincipalType: 'internal',
})
const EXPIRY = {
  past: { expires_utc: '2020-01-01T00:00:00Z', expires_ticks: BigInt(Date.UTC(2020, 0, 1)) * 10_000n },
  future: { expires_utc: '2099-01-01T00:00:00Z', expires_ticks: BigInt(Date.UTC(2099, 0, 1)) * 10_000n },
  never: { expires_utc: null, expires_ticks: null },
}
export const TYPES = { Speed: 'Number', Seen: 'Date', Hurt: 'Boolean', Weather: 'Text' } as const

let worlds = 0

/** A tenant of its own. People first, then devices, cases, then evidence: so they came to the station. */
export async function writeWorld(db: Database, drawn: DrawnWorld): Promise<Written> {
  worlds += 1
  const tenant = `world-${worlds}`
  return db.transaction(async (tx) => {
    await tx
      .insertInto('tenants')
      .values({ tenant_id: tenant, name_key: tenant, created_utc: utc(0) })
      .execute()
    const { people, groups } = await writePeople(tx, tenant, drawn)
    const devices: string[] = []
    for (const [at, one] of drawn.devices.entries()) devices.push(await writeDevice(tx, tenant, at, one, people))
    const categories: number[] = []
    for (const name of CATEGORIES) categories.push(await writeCategory(tx, tenant, name))
    const to = (index: number): number => [...people, ...groups][index] as number
    const cases: number[] = []
    for (const [at, one] of drawn.cases.entries()) {
      const id = await writeCase(tx, tenant, at, one, categories, people)
      cases.push(id)
      for (const grant of one.grants)
        await tx
          .insertInto('case_policies')
          .values({ case_id: id, principal_id: to(grant.to), level: grant.level, ...EXPIRY[grant.expiry] })
          .execute()
    }
    const evidences: number[] = []
    for (const one of drawn.evidences) {
      const id = await writeEvidence(tx, tenant, one, categories)
      evidences.push(id)
      for (const grant of one.grants)
        await tx
          .insertInto('evidence_policies')
          .values({ evidence_id: id, principal_id: to(grant.to), level: grant.level, ...EXPIRY[grant.expiry] })
          .execute()
      for (const link of one.links)
        await tx
          .insertInto('case_links')
          .values({
            case_id: cases[link.toCase] as number,
            evidence_id: id,
            kind: link.kind,
            confirmed: link.confirmed || link.kind === 'Manual' ? 1 : 0,
            rule: null,
            linked_on: utc(0),
            linked_by: NOBODY,
          })
          .execute()
    }
    return { tenant, people, groups, devices, categories, cases, evidences }
  })
}

async function writePeople(tx: Tx, tenant: string, drawn: DrawnWorld): Promise<Pick<Written, 'people' | 'groups'>> {
  const principal = async (row: {
    kind: string
    name: string
    last_name?: string
    badge?: string
    guest?: number
    enabled?: number
  }): Promise<number> => {
    const { principal_id: id } = await tx
      .insertInto('principals')
      .values({
        tenant_id: tenant,
        name_key: row.name,
        k_id: `urn:${tenant}:${row.name}`,
        password_hash: null,
        base_url: null,
        created_utc: utc(0),
        created_by: 'cli',
        last_sign_in_at: null,
        deleted_utc: null,
        ...row,
      })
      .returning('principal_id')
      .executeTakeFirstOrThrow()
    return id
  }
  const people: number[] = []
  for (const [at, one] of drawn.people.entries())
    people.push(
      await principal({
        kind: 'user',
        name: `user${at}`,
        last_name: one.last,
        badge: one.badge,
        guest: one.guest ? 1 : 0,
        enabled: one.enabled ? 1 : 0,
      }),
    )
  const groups: number[] = []
  for (let at = 0; at < GROUPS; at++) groups.push(await principal({ kind: 'group', name: `group${at} Mill` }))
  const unassociated = async (id: number, held: Level): Promise<void> => {
    if (held !== 'None')
      await tx
        .insertInto('policy_members')
        .values({ policy: 'AccessUnassociatedFiles', principal_id: id, level: held })
        .execute()
  }
  for (const [at, one] of drawn.people.entries()) {
    const id = people[at] as number
    for (const [index, group] of groups.entries())
      if (one.groups[index] === true)
        await tx.insertInto('memberships').values({ group_id: group, member_id: id }).execute()
    if (one.restores)
      await tx
        .insertInto('policy_members')
        .values({ policy: 'RestoreFromRecycleBin', principal_id: id, level: null })
        .execute()
    if (one.manages)
      await tx.insertInto('policy_members').values({ policy: 'ManageDevices', principal_id: id, level: null }).execute()
    await unassociated(id, one.unassociated)
  }
  for (const [at, group] of groups.entries()) await unassociated(group, drawn.groupUnassociated[at] as Level)
  return { people, groups }
}

async function writeDevice(
  tx: Tx,
  tenant: string,
  at: number,
  one: DrawnWorld['devices'][number],
  people: readonly number[],
): Promise<string> {
  const id = `${tenant} ${at}`
  await tx
    .insertInto('devices')
    .values({
      device_id: id,
      tenant_id: tenant,
      serial_number: one.serial,
      manufacturer: one.manufacturer,
      model: one.model,
      common_name: one.name,
      device_type: 'BodyWornCamera',
      active: one.active ? 1 : 0,
      capabilities: null,
      desired: null,
      effective: null,
      effective_utc: null,
      last_seen_utc: null,
      search_key: '',
      created_utc: utc(CREATED),
    })
    .execute()
  for (const who of one.of)
    await tx
      .insertInto('device_associations')
      .values({
        device_id: id,
        principal_id: people[who] as number,
        from_utc: utc(0),
        from_ticks: ticks(0),
        to_utc: utc(1),
        to_ticks: ticks(1),
        makers: '[]',
        created_utc: utc(0),
        created_by: NOBODY,
        confirmed_utc: null,
        confirmed_by: null,
      })
      .execute()
  return id
}

async function writeCategory(tx: Tx, tenant: string, name: string): Promise<number> {
  const { category_id: id } = await tx
    .insertInto('categories')
    .values({
      tenant_id: tenant,
      name,
      name_key: name.toLowerCase(),
      description: null,
      color: null,
      retention_days: null,
      enabled: 1,
      concurrency_id: '',
      created_utc: utc(0),
      modified_utc: utc(0),
      modified_by: NOBODY,
    })
    .returning('category_id')
    .executeTakeFirstOrThrow()
  return id
}

const times = ({ start, lasts }: { start: number | null; lasts: number | null }) => {
  const end = start === null || lasts === null ? null : start + lasts
  return {
    start: { text: start === null ? null : utc(start), ticks: start === null ? null : ticks(start) },
    end: { text: end === null ? null : utc(end), ticks: end === null ? null : ticks(end) },
  }
}
const wktOf = (at: [number, number] | null): string | null => (at === null ? null : `POINT (${at[0]} ${at[1]})`)

async function writeCase(
  tx: Tx,
  tenant: string,
  at: number,
  one: DrawnCase,
  categories: readonly number[],
  people: readonly number[],
): Promise<number> {
  const { start, end } = times(one)
  const { case_id: id } = await insertCase(tx, {
    tenant_id: tenant,
    ordinal_year: 2026,
    ordinal_number: at + 1,
    title: one.title,
    description: one.description,
    category_id: one.category === null ? null : (categories[one.category] as number),
    department_id: null,
    state: one.state,
    lifecycle_state: one.lifecycle,
    occurred_on: start.text,
    occurred_ticks: start.ticks,
    ended_on: end.text,
    ended_ticks: end.ticks,
    external_reference_1: one.numbers[0],
    external_reference_2: one.numbers[1],
    location_wkt: wktOf(one.place),
    location_text: one.location,
    location: null,
    tags: JSON.stringify(one.tags),
    custom_fields: JSON.stringify(one.custom),
    source_type: 'Manual',
    closed_on: null,
    scheduled_deletion_utc: null,
    protected_until: null,
    protected_ticks: null,
    deleted_utc: null,
    concurrency_id: '',
    created_utc: utc(CREATED),
    created_ticks: ticks(CREATED),
    created_by: NOBODY,
    modified_utc: utc(CREATED),
    modified_by: NOBODY,
  })
  for (const [position, index] of one.personnel.entries())
    await tx
      .insertInto('case_personnel')
      .values({ case_id: id, position, principal_id: people[index] as number, role: 'Assigned' })
      .execute()
  return id
}

async function writeEvidence(
  tx: Tx,
  tenant: string,
  one: DrawnEvidence,
  categories: readonly number[],
): Promise<number> {
  const { start, end } = times(one)
  const id = await insertEvidence(
    tx,
    {
      tenant_id: tenant,
      name: one.title,
      description: one.description,
      category_id: one.category === null ? null : String(categories[one.category]),
      source_id: one.source,
      start_utc: start.text,
      start_ticks: start.ticks,
      end_utc: end.text,
      end_ticks: end.ticks,
      location_text: one.location,
      location_wkt: wktOf(one.place),
      device: one.device === null ? null : JSON.stringify(deviceOf(one.device)),
      device_identity: null,
      custom_fields: JSON.stringify(one.custom),
      state: one.state,
      lifecycle_state: one.lifecycle === 'Normal' ? 'None' : one.lifecycle,
      thumbnail_resource_id: null,
      created_utc: utc(CREATED),
      created_ticks: ticks(CREATED),
      created_by: NOBODY,
      deleted_utc: null,
      deleted_by: null,
      concurrency_id: '',
    },
    one.tags.map((tag) => ({ tag, key: tag.toLowerCase() })),
  )
  if (one.file !== null) {
    const resource = await insertResource(tx, {
      evidence_id: id,
      name: one.file,
      mime_type: 'application/octet-stream',
      sniffed_type: one.file.endsWith('mp4') ? 'video/mp4' : 'image/jpeg',
      role: 'original',
      start_utc: null,
      start_ticks: null,
      end_utc: null,
      end_ticks: null,
      time_offset: null,
      state: 'UserCompleted',
      parent_id: null,
      expected_sha256: null,
      expected_length: null,
      sha256: null,
      length: 1,
      derivation: null,
      media: null,
      thumbnail_sha256: null,
      thumbnail_derivation: null,
      uploaded_utc: null,
      uploaded_by: '{}',
      certificate_thumbprint: null,
      created_utc: utc(CREATED),
      concurrency_id: '',
    })
    if (one.exif !== null)
      await tx.insertInto('search_exif').values({ resource_id: resource, evidence_id: id, words: one.exif }).execute()
  }
  return id
}

export const deviceOf = (manufacturer: string) => ({
  DeviceType: null,
  Manufacturer: manufacturer,
  SerialNumber: 'SN 1',
  Model: null,
})
