/** A station with people, groups, cases and evidence, whose rights are drawn anew again and again. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import type { Database, Tx } from '../../../server/kernel/database/database.ts'
import { openTestDatabase } from '../../support/rows.ts'
import { type CallOptions, type Given, givenStation, type Json, type Reply } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'
import { type DrawnEvidence, type DrawnGrant, type DrawnWorld, LEVELS, POLICIES } from './model.ts'
import { writeNotices } from './notices.ts'
import { writePackages } from './packages.ts'

export const CASES = '/api/v1/case/station'
const PEOPLE = 5
const GROUPS = 2
const CASE_COUNT = 5
const EVIDENCE_COUNT = 7

export interface KnownEvidence {
  readonly id: string
  /** What somebody uploaded, and what was made of it. */
  readonly original: string
  readonly derived: string
  readonly tag: string
  /** Of one who is not asked about. */
  readonly note: string
  /** Likewise. */
  readonly bookmark: string
  /** That recorded it. */
  readonly device: string
}

export interface Station {
  readonly given: Given
  readonly people: readonly { readonly id: string; readonly kId: string; readonly token: string }[]
  readonly cases: readonly string[]
  /** One of each case, made by one who is not asked about. */
  readonly packages: readonly string[]
  /** One on each case, of one who is not asked about. */
  readonly caseNotes: readonly string[]
  readonly evidences: readonly KnownEvidence[]
  /** A user who may be assigned, and a department that no case has. */
  readonly officer: string
  readonly department: string
  call(who: number, method: string, place: string, more?: CallOptions): Promise<Reply>
  /** Makes the drawn rights those of the station. */
  write(world: DrawnWorld): Promise<void>
  close(): Promise<void>
}

export async function permissionStation(): Promise<Station> {
  const given = await givenStation()
  const people: { id: string; kId: string; token: string }[] = []
  for (let at = 0; at < PEOPLE; at++) {
    const connection = await given.integration(`person ${at}`)
    people.push({
      id: connection.ServicePrincipalId,
      kId: connection.ServicePrincipalKey.kid as string,
      token: await signIn(connection, given.url),
    })
  }
  const making = await given.integration('case maker', ['CreateCases', 'ManageConfiguration'])
  const maker = await signIn(making, given.url)
  const department = await given.expecting(
    201,
    given.call('POST', '/api/v1/department/station', {
      token: maker,
      body: {
        Name: 'Traffic',
        AccessPolicies: [
          {
            Permissions: 'Manage',
            PrincipalId: making.ServicePrincipalId,
            KId: making.ServicePrincipalKey.kid,
            PrincipalType: 'service',
          },
        ],
      },
    }),
  )
  const cases: string[] = []
  for (let at = 0; at < CASE_COUNT; at++)
    cases.push(
      (await given.expecting(201, given.call('POST', CASES, { token: maker, body: { Title: `Case ${at}` } }))).CaseId,
    )
  const caseNotes: string[] = []
  for (const id of cases)
    caseNotes.push(
      (
        await given.expecting(
          201,
          given.call('POST', `${CASES}/${id}/note`, { token: maker, body: { Text: 'Written before' } }),
        )
      ).NoteId,
    )
  const db = await openTestDatabase({ file: given.file })
  const evidences = await pictures(given, (evidence, resource) =>
    writeBookmark(db, evidence, resource, making.ServicePrincipalId),
  )
  await writeNotices(
    db,
    people.map(({ id }) => id),
    cases,
  )
  const packages = await writePackages(db, cases, making.ServicePrincipalId)
  const groups = await db.transaction(async (tx) => {
    const ids: number[] = []
    for (let at = 0; at < GROUPS; at++) {
      const row = await tx
        .insertInto('principals')
        .values({
          tenant_id: 'station',
          kind: 'group',
          name: `Group ${at}`,
          name_key: `group ${at}`,
          k_id: `urn:group:station:Group ${at}`,
          password_hash: null,
          base_url: null,
          created_utc: new Date().toISOString(),
          created_by: '{}',
        })
        .returning('principal_id')
        .executeTakeFirstOrThrow()
      ids.push(row.principal_id)
    }
    return ids
  })
  const administrators = await db.read
    .selectFrom('principals')
    .select('principal_id')
    .where('built_in', '=', 1)
    .executeTakeFirstOrThrow()
  const officer = await db.read
    .selectFrom('principals')
    .select('principal_id')
    .where('kind', '=', 'user')
    .executeTakeFirstOrThrow()
  return {
    given,
    people,
    officer: String(officer.principal_id),
    department: department.DepartmentId,
    cases,
    packages,
    caseNotes,
    evidences,
    call: (who, method, place, more = {}) => given.call(method, place, { token: people[who]?.token ?? null, ...more }),
    write: (world) =>
      writeRights(db, world, {
        people: people.map(({ id }) => Number(id)),
        groups,
        administrators: administrators.principal_id,
        keeper: Number(making.ServicePrincipalId),
        cases: cases.map(Number),
        evidences: evidences.map(({ id }) => Number(id)),
        devices: evidences.map((one) => one.device),
      }),
    close: async () => {
      await db.close()
      await given.close()
    },
  }
}

const RECORDED = '2026-11-20T02:00:00Z'
const RECORDED_TICKS = BigInt(Date.parse(RECORDED)) * 10_000n
const TICKS = 10_000_000n
const SOMEBODY = JSON.stringify({ PrincipalId: '0', KId: '', Name: 'x', Username: 'x', PrincipalType: 'internal' })

async function pictures(
  given: Given,
  bookmarked: (evidence: string, resource: string) => Promise<string>,
): Promise<KnownEvidence[]> {
  const devices = await signIn(await given.integration('devices', ['ManageDevices']), given.url)
  const device = async (at: number): Promise<string> => {
    const body = { DeviceIdentification: { SerialNumber: `S-${at}`, Manufacturer: 'Acme' } }
    const added = given.call('POST', '/api/v1/tenant/station/device', { token: devices, body })
    const { Id } = await given.expecting(201, added)
    await given.expecting(200, given.call('POST', `/api/v1/tenant/station/device/${Id}/activate`, { token: devices }))
    return Id
  }
  const file = path.join(given.dir, 'photo.jpg')
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', 'testsrc=s=64x48:d=1', '-frames:v', '1', file])
  const found: KnownEvidence[] = []
  for (let at = 0; at < EVIDENCE_COUNT; at++) {
    const tag = `only ${at}`
    const { EvidenceId } = await given.evidence({
      Tags: [tag, 'every'],
      Device: { SerialNumber: `S-${at}`, Manufacturer: 'Acme' },
      StartTimeUtc: RECORDED,
    })
    await given.completed(readFileSync(file), { name: 'photo.jpg', evidenceId: EvidenceId })
    const list = await given.settled(EvidenceId)
    const original = list.find((one: Json) => one.Parent === null).ResourceId
    const note = given.call('POST', `${given.documents}/evidence/${EvidenceId}/note`, { body: { Text: 'Before' } })
    found.push({
      note: (await given.expecting(201, note)).NoteId,
      id: EvidenceId,
      device: await device(at),
      original,
      bookmark: await bookmarked(EvidenceId, original),
      derived: list.find((one: Json) => one.Name.endsWith('.exif.json')).ResourceId,
      tag,
    })
  }
  return found
}

/** Pictures are given no bookmarks by the station; that there is one is all that matters here. */
async function writeBookmark(db: Database, evidence: string, resource: string, author: string): Promise<string> {
  const { bookmark_id: id } = await db.transaction((tx) =>
    tx
      .insertInto('bookmarks')
      .values({
        evidence_id: Number(evidence),
        resource_id: Number(resource),
        start_seconds: 0,
        end_seconds: null,
        title: 'Before',
        text: null,
        state: null,
        author_id: Number(author),
        created_utc: RECORDED,
        created_by: SOMEBODY,
        modified_utc: RECORDED,
        modified_by: SOMEBODY,
        edits: 0,
        concurrency_id: 'written before',
        deleted_utc: null,
      })
      .returning('bookmark_id')
      .executeTakeFirstOrThrow(),
  )
  return String(id)
}

interface Ids {
  readonly people: readonly number[]
  readonly groups: readonly number[]
  readonly administrators: number
  /** Has Manage on every case, as in the department: moving a case there changes no policy. */
  readonly keeper: number
  readonly cases: readonly number[]
  readonly evidences: readonly number[]
  /** By the evidence that they recorded. */
  readonly devices: readonly string[]
}

const EXPIRY = {
  past: { expires_utc: '2020-01-01T00:00:00Z', expires_ticks: BigInt(Date.UTC(2020, 0, 1)) * 10_000n },
  future: { expires_utc: '2099-01-01T00:00:00Z', expires_ticks: BigInt(Date.UTC(2099, 0, 1)) * 10_000n },
  never: { expires_utc: null, expires_ticks: null },
}

async function writeRights(db: Database, world: DrawnWorld, ids: Ids): Promise<void> {
  const principal = (to: number): number => [...ids.people, ...ids.groups][to] as number
  const rows = (grants: readonly DrawnGrant[]) => [
    ...new Map(
      grants.map(({ to, level, expiry }) => [to, { principal_id: principal(to), level, ...EXPIRY[expiry] }]),
    ).values(),
  ]
  await db.transaction(async (tx) => {
    for (const [at, id] of ids.people.entries()) {
      const person = world.people[at]
      if (person === undefined) continue
      await tx
        .updateTable('principals')
        .set({ guest: person.guest ? 1 : 0 })
        .where('principal_id', '=', id)
        .execute()
      await tx.deleteFrom('memberships').where('member_id', '=', id).execute()
      await tx.deleteFrom('policy_members').where('principal_id', '=', id).execute()
      const groups = [
        ...ids.groups.filter((_, index) => person.groups[index]),
        ...(person.administrator ? [ids.administrators] : []),
      ]
      for (const group of groups)
        await tx.insertInto('memberships').values({ group_id: group, member_id: id }).execute()
      await grant(id, person.policies, person)
    }
    for (const [index, id] of ids.groups.entries()) {
      await tx.deleteFrom('policy_members').where('principal_id', '=', id).execute()
      const group = world.groupPolicies[index]
      if (group !== undefined) await grant(id, group.policies, group)
    }
    for (const [at, id] of ids.cases.entries()) {
      const drawn = world.cases[at]
      if (drawn === undefined) continue
      await tx
        .updateTable('cases')
        .set({ state: drawn.state, lifecycle_state: drawn.lifecycle, protected_ticks: null, protected_until: null })
        .where('case_id', '=', id)
        .execute()
      await tx.deleteFrom('case_policies').where('case_id', '=', id).execute()
      for (const row of [
        ...rows(drawn.grants),
        { principal_id: ids.keeper, level: 'Manage' as const, ...EXPIRY.never },
      ])
        await tx
          .insertInto('case_policies')
          .values({ case_id: id, ...row })
          .execute()
    }
    for (const [at, id] of ids.evidences.entries()) {
      const drawn = world.evidences[at]
      if (drawn === undefined) continue
      await tx.deleteFrom('evidence_policies').where('evidence_id', '=', id).execute()
      for (const row of rows(drawn.grants))
        await tx
          .insertInto('evidence_policies')
          .values({ evidence_id: id, ...row })
          .execute()
      await tx.deleteFrom('case_links').where('evidence_id', '=', id).execute()
      for (const { toCase, kind, confirmed } of drawn.links)
        await tx
          .insertInto('case_links')
          .values({
            case_id: ids.cases[toCase] as number,
            evidence_id: id,
            kind,
            confirmed: confirmed || kind === 'Manual' ? 1 : 0,
            rule: kind === 'Automatic' ? 'overlap' : null,
            linked_on: '2026-11-20T02:00:00.000Z',
            linked_by: SOMEBODY,
          })
          .execute()
      const kinds = new Set(drawn.links.map(({ kind }) => kind))
      const association = kinds.has('Manual') ? 'Manual' : kinds.has('Automatic') ? 'Automatic' : 'None'
      await writeRecording(tx, drawn, { evidence: id, device: ids.devices[at] as string, people: ids.people })
      await tx
        .updateTable('evidence')
        .set({
          device_identity: drawn.identity,
          association_state: association,
          lifecycle_state: drawn.lifecycle,
          protected_until: null,
          protected_ticks: null,
          deleted_with_case: null,
        })
        .where('evidence_id', '=', id)
        .execute()
    }

    async function grant(
      id: number,
      policies: readonly string[],
      { unassociated, fromMyDevice }: { unassociated: string; fromMyDevice: string },
    ): Promise<void> {
      for (const policy of policies)
        await tx.insertInto('policy_members').values({ policy, principal_id: id, level: null }).execute()
      for (const [policy, held] of [
        ['AccessUnassociatedFiles', unassociated],
        ['AccessFilesFromMyDevice', fromMyDevice],
      ] as const)
        if (held !== 'None')
          await tx.insertInto('policy_members').values({ policy, principal_id: id, level: held }).execute()
    }
  })
}

/** Which device recorded it, by whose word, and whose device it was. */
async function writeRecording(
  tx: Tx,
  { identity, associations }: DrawnEvidence,
  ids: { evidence: number; device: string; people: readonly number[] },
): Promise<void> {
  await tx.deleteFrom('evidence_recordings').where('evidence_id', '=', ids.evidence).execute()
  if (identity !== 'Claimed')
    await tx
      .insertInto('evidence_recordings')
      .values({ evidence_id: ids.evidence, device_id: ids.device, recorded_ticks: RECORDED_TICKS })
      .execute()
  await tx.deleteFrom('device_associations').where('device_id', '=', ids.device).execute()
  for (const { to, when, pending } of associations) {
    const [from, until] = {
      meanwhile: [RECORDED_TICKS, null],
      over: [RECORDED_TICKS - 60n * TICKS, RECORDED_TICKS],
      'not yet': [RECORDED_TICKS + 1n, null],
    }[when] as [bigint, bigint | null]
    const principal = ids.people[to] as number
    const { association_id: id } = await tx
      .insertInto('device_associations')
      .values({
        device_id: ids.device,
        principal_id: principal,
        from_utc: RECORDED,
        from_ticks: from,
        to_utc: until === null ? null : RECORDED,
        to_ticks: until,
        makers: pending ? '["1"]' : '[]',
        created_utc: RECORDED,
        created_by: '{}',
        confirmed_utc: null,
        confirmed_by: null,
      })
      .returning('association_id')
      .executeTakeFirstOrThrow()
    if (!pending)
      await tx
        .insertInto('device_accesses')
        .values({
          association_id: id,
          device_id: ids.device,
          principal_id: principal,
          from_ticks: from,
          to_ticks: until,
        })
        .execute()
  }
}

const level = fc.constantFrom(...LEVELS)
const sometimes = (times: number): fc.Arbitrary<boolean> =>
  fc.oneof({ weight: times, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) })
const policies = fc.subarray([...POLICIES])
const grants = fc.uniqueArray(
  fc.record({
    to: fc.nat({ max: PEOPLE + GROUPS - 1 }),
    level: fc.constantFrom('View', 'Download', 'Edit', 'Manage'),
    expiry: fc.constantFrom('past', 'future', 'never', 'never'),
  }),
  { maxLength: 4, selector: ({ to }) => to },
) as fc.Arbitrary<DrawnGrant[]>
const links = fc.uniqueArray(
  fc.record({
    toCase: fc.nat({ max: CASE_COUNT - 1 }),
    kind: fc.constantFrom('Manual' as const, 'Automatic' as const),
    confirmed: fc.boolean(),
  }),
  { maxLength: 3, selector: ({ toCase, kind }) => `${toCase} ${kind}` },
)
const associations = fc.uniqueArray(
  fc.record({
    to: fc.nat({ max: PEOPLE - 1 }),
    when: fc.constantFrom('meanwhile' as const, 'meanwhile' as const, 'over' as const, 'not yet' as const),
    pending: sometimes(3),
  }),
  { maxLength: 3, selector: ({ to }) => to },
)
const many = <T>(one: fc.Arbitrary<T>, count: number): fc.Arbitrary<T[]> =>
  fc.array(one, { minLength: count, maxLength: count })

/** Account Administrators are in every policy, which the model says in its own words: who is one is drawn into no other group here. */
export const worlds: fc.Arbitrary<DrawnWorld> = fc.record({
  people: many(
    fc.record({
      guest: sometimes(2),
      groups: many(fc.boolean(), GROUPS),
      policies,
      unassociated: level,
      fromMyDevice: level,
      administrator: fc.constant(false),
    }),
    PEOPLE,
  ),
  groupPolicies: many(fc.record({ policies, unassociated: level, fromMyDevice: level }), GROUPS),
  cases: many(
    fc.record({
      grants,
      state: fc.constantFrom('Open' as const, 'Closed' as const),
      lifecycle: fc.constantFrom('Normal' as const, 'Normal' as const, 'Protected' as const, 'Deleted' as const),
    }),
    CASE_COUNT,
  ),
  evidences: many(
    fc.record({
      grants,
      links,
      identity: fc.constantFrom('Claimed' as const, 'Credential' as const, 'Docked' as const),
      associations,
      lifecycle: fc.oneof(
        { weight: 6, arbitrary: fc.constant('None' as const) },
        { weight: 1, arbitrary: fc.constantFrom('Protected' as const, 'Deleted' as const) },
      ),
      withCase: fc.constant(null),
    }),
    EVIDENCE_COUNT,
  ),
})
