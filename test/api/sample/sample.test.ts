/** Sample data: added the way of every upload, told apart everywhere, and removed without a trace but the documented one (decisions 33). */
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Given, Json } from '../../support/given.ts'
import { CASES, filesBelow, rowCounts, SAMPLE, type SampleWorld, sampleWorld } from './world.ts'

/** All of it is made by ffmpeg on the spot, beside other suites. */
const PATIENCE = 240_000

let world: SampleWorld
afterEach(() => world?.given.close())

const entries = (given: Given, action: string) => given.ledger().filter((one) => one.action === action)
const got = (place: string): Promise<Json> => world.given.expecting(200, world.as(world.chief, 'GET', place))
const done = (status: number, method: string, place: string, body?: unknown): Promise<Json> =>
  world.given.expecting(status, world.as(world.chief, method, place, body))
const evidence = (id: string): string => `${world.given.documents}/evidence/${id}`
const evidenceOf = (id: string): Promise<Json> => got(evidence(id))
/** Until nothing is made of them any more. */
async function settled(ids: readonly string[]): Promise<void> {
  for (const id of ids)
    for (let tries = 0; ; tries++) {
      const list: Json[] = await got(`${evidence(id)}/resource`)
      const states = list.flatMap((one) => one.Processing.map((part: Json) => part.State as string))
      if (!states.some((state) => state === 'queued' || state === 'running')) break
      if (tries > 600) throw new Error(`the jobs of evidence ${id} did not end`)
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
}
/** The station's own list, as whoever has the database in hand could change it. */
const forge = (to: (data: Json) => Json): Promise<void> =>
  world.given.meddle((db) => {
    const value = db.prepare("SELECT value FROM station WHERE name = 'sample-data'").pluck().get() as string
    db.prepare("UPDATE station SET value = ? WHERE name = 'sample-data'").run(JSON.stringify(to(JSON.parse(value))))
  })

const listed = async (): Promise<Json> =>
  world.given.database((db) =>
    JSON.parse(db.prepare("SELECT value FROM station WHERE name = 'sample-data'").pluck().get() as string),
  )

/** What stays of destroyed evidence, of removed cases and of the work on both (docs/operate/sample-data.md). */
const STAYS: ReadonlySet<string> = new Set([
  'ledger',
  'checkpoints',
  'evidence',
  'resources',
  'versions',
  'certificates',
  'disposition_items',
  'disposition_files',
  'fixity_checks',
  'jobs',
  'retention_watch',
  'task_runs',
  // Values that the station keeps for its own work come and go.
  'station',
])
/** Tables with other numbers of rows than these. */
const differing = (given: Given, rows: Readonly<Record<string, number>>): string[] =>
  Object.entries(rowCounts(given)).flatMap(([table, count]) =>
    count === rows[table] || STAYS.has(table) ? [] : [`${table}: ${rows[table]}, then ${count}`],
  )

describe('sample data', () => {
  it(
    'I1, I3+: comes the way of every upload with all that makes screens worth trying, and goes without a trace but the documented one',
    async () => {
      world = await sampleWorld()
      const { given } = world
      expect(await world.state()).toMatchObject({ State: 'None', WhyNot: null, Removal: null, EvidenceIds: [] })
      const rows = rowCounts(given)
      const files = filesBelow(path.join(given.data, 'blobs'))

      const now = await world.added()
      expect(now).toMatchObject({ State: 'Added', Done: 16, Total: 16, Problem: null })
      expect([now.EvidenceIds.length, now.CaseIds.length]).toEqual([10, 2])
      expect(now.Removal).toMatchObject({
        Evidence: 10,
        Cases: 2,
        Notes: 2,
        Bookmarks: 1,
        Tasks: 1,
        Held: [],
        Kept: [],
      })
      await settled(now.EvidenceIds)
      for (const id of now.EvidenceIds as string[]) {
        const { Name, Tags, StartTimeUtc } = await evidenceOf(id)
        expect([Name, Name.startsWith('Sample: '), Tags, StartTimeUtc !== null]).toEqual([Name, true, ['sample'], true])
        const [file] = await got(`${evidence(id)}/resource`)
        expect([Name, file.State, file.Processing.filter(({ State }: Json) => State === 'failed')]).toEqual([
          Name,
          'UserCompleted',
          [],
        ])
      }
      expect(entries(given, 'sample.requested').map(({ detail }) => detail)).toEqual([{ language: 'en' }])
      expect(entries(given, 'sample.added').map(({ object, actor }) => `${object.type} ${actor.name}`)).toEqual([
        ...Array.from({ length: 2 }, () => 'case sergeant'),
        ...Array.from({ length: 10 }, () => 'evidence sergeant'),
      ])
      expect(entries(given, 'resource.completed').length).toBe(10)
      const cases = await Promise.all((now.CaseIds as string[]).map((id) => got(`${CASES}/${id}`)))
      expect(cases.map((one) => [one.Title.startsWith('Sample: '), one.Tags, one.EvidenceIds.length])).toEqual([
        [true, ['sample'], 7],
        [true, ['sample'], 2],
      ])
      // What the set-up asks of people is not done by it.
      const { Checklist } = await got('/api/v1/tenant/station/today')
      const steps = Checklist.Steps.filter(({ Done }: Json) => Done).map(({ Step }: Json) => Step)
      for (const step of ['Cameras', 'Categories', 'People']) expect(steps).not.toContain(step)

      // What people make of it goes with it.
      const [first] = now.EvidenceIds as [string]
      const [video] = await got(`${evidence(first)}/resource`)
      await done(201, 'POST', `${evidence(first)}/note`, { Text: 'of somebody, for @sergeant' })
      await done(201, 'POST', `${evidence(first)}/resource/${video.ResourceId}/still`, { Seconds: 1 })
      await done(201, 'POST', `${CASES}/${now.CaseIds[0]}/task`, { Title: 'Another' })
      await settled([first])
      const { Removal } = await world.state()
      expect(Removal).toMatchObject({ Evidence: 10, Cases: 2, Notes: 3, Tasks: 2 })
      expect(Removal.Files).toBeGreaterThan(11)
      expect(await world.removed()).toMatchObject({ State: 'None', EvidenceIds: [], CaseIds: [], Removal: null })

      // The correlation engine takes its list when it comes round.
      await expect.poll(() => differing(given, rows), { timeout: 60_000, interval: 500 }).toEqual([])
      expect(filesBelow(path.join(given.data, 'blobs'))).toEqual(files)
      const left = given.database((db) =>
        [
          "evidence WHERE lifecycle_state <> 'Destroyed' OR name <> ''",
          "resources WHERE name <> '' OR sha256 IS NOT NULL",
          "station WHERE name = 'sample-data'",
          "versions WHERE entity IN ('evidence', 'resource', 'note', 'bookmark', 'task', 'case') AND state <> '{}'",
        ].map((what) => Number(db.prepare(`SELECT count(*) FROM ${what}`).pluck().get())),
      )
      expect(left).toEqual([0, 0, 0, 0])
      expect([entries(given, 'evidence.destroyed').length, entries(given, 'case.destroyed').length]).toEqual([10, 2])
      expect(entries(given, 'sample.removed').map(({ detail }) => detail)).toEqual([
        { evidence: 10, cases: 2, kept: [] },
      ])
      expect((await given.command('verify', { fast: false, checkpoints: null })).problems).toEqual([])
    },
    PATIENCE,
  )

  it('is all that its removal removes: evidence and cases of the station stay, whatever the list says; protections hold', {
    tags: ['merge'],
    timeout: PATIENCE,
  }, async () => {
    world = await sampleWorld()
    const { given } = world
    const { EvidenceIds, CaseIds } = await world.added()
    const own = await done(201, 'POST', `${given.documents}/evidence`, { Name: 'Real one', CaseIds: [CaseIds[0]] })
    const { CaseId: ownCase } = await done(201, 'POST', CASES, { Title: 'Real case' })
    expect((await world.state()).Removal).toMatchObject({ Evidence: 10, Cases: 2, OwnUnlinked: 1 })
    expect((await world.state()).WhyNot).toBe('OwnEvidence')

    // Protected: nothing goes before that ends.
    const [first, second] = EvidenceIds as [string, string]
    await done(200, 'POST', `${evidence(first)}/protect`, { Reason: 'to be looked at' })
    const refused = await world.as(world.chief, 'POST', `${SAMPLE}/remove`)
    expect([refused.status, refused.json.ErrorCode, refused.json.Message]).toEqual([
      409,
      'SampleDataRefused',
      expect.stringContaining('Sample: Arrival at the shop'),
    ])
    expect((await world.state()).Removal.Held).toMatchObject([{ Kind: 'evidence', Id: first }])
    await done(200, 'POST', `${evidence(first)}/unprotect`)

    // A file that somebody added is theirs.
    const place = `${evidence(second)}/resource`
    const mine = await done(201, 'POST', place, { Name: 'mine.txt' })
    await given.put(mine.UploadUri, Buffer.from('the only copy'))
    await done(200, 'POST', `${place}/${mine.ResourceId}/complete`, {})
    expect((await world.state()).Removal).toMatchObject({ Evidence: 9, Kept: [{ Id: second }] })

    const forged = (kind: string, id: string) => ({ kind, id: Number(id), step: 'forged' })
    /** The job runs again, as after a crash: nobody asks what holds the rest. */
    const resumed = async (): Promise<Json> => {
      await given.meddle((db) =>
        db.exec("UPDATE jobs SET state = 'queued', attempts = 0, finished_utc = NULL WHERE kind = 'sample.remove'"),
      )
      await given.completed(Buffer.from('begins a scan of the queue'))
      await world.until('Removing', 'Partial', 'None')
      return world.until('Partial', 'None')
    }

    // A case is protected after the removal was asked for.
    const { items } = await listed()
    await forge((data) => ({ ...data, items: [forged('evidence', own.EvidenceId)] }))
    expect(await world.removed()).toMatchObject({ State: 'Partial', RemovalBegun: true })
    await done(200, 'POST', `${CASES}/${CaseIds[0]}/protect`, { Reason: 'to be looked at' })
    for (const some of [items, items.filter(({ kind }: Json) => kind === 'case')]) {
      await forge((data) => ({ ...data, items: some }))
      expect(await resumed()).toMatchObject({ State: 'Partial', Problem: expect.stringContaining('is protected') })
      expect((await got(`${CASES}/${CaseIds[0]}`)).EvidenceIds).toContain(first)
    }
    await done(200, 'POST', `${CASES}/${CaseIds[0]}/unprotect`)
    await forge((data) => ({ ...data, items }))

    // The list names evidence and a case that the ledger does not.
    for (const one of [forged('evidence', own.EvidenceId), forged('case', ownCase)]) {
      await forge((data) => ({ ...data, items: [...data.items, one] }))
      const stuck = await world.removed()
      expect(stuck).toMatchObject({
        State: 'Partial',
        RemovalBegun: true,
        Problem: expect.stringContaining('was not added as sample data'),
      })
      const again = await world.as(world.chief, 'POST', SAMPLE, { Language: 'en' })
      expect([again.status, again.json.Message]).toEqual([409, expect.stringContaining('is being removed')])
      await forge((data) => ({ ...data, items: data.items.filter(({ step }: Json) => step !== 'forged') }))
    }
    expect(await world.removed()).toMatchObject({ State: 'None' })
    expect(await evidenceOf(own.EvidenceId)).toMatchObject({ Name: 'Real one' })
    expect(await evidenceOf(second)).toMatchObject({ EvidenceId: second })
    expect(await got(`${CASES}/${ownCase}`)).toMatchObject({ Title: 'Real case' })
    const destroyed = entries(given, 'evidence.destroyed').map(({ object }) => object.id)
    expect(destroyed.toSorted()).toEqual((EvidenceIds as string[]).filter((id) => id !== second).toSorted())
    expect(entries(given, 'evidence.unlinked').map(({ object }) => object.id)).toContain(own.EvidenceId)
    expect(entries(given, 'case.destroyed').map(({ object }) => object.id)).toEqual(CaseIds)
    expect(entries(given, 'sample.removed').at(-1)?.detail).toMatchObject({ evidence: 9, cases: 2, kept: [second] })
  })

  it('is whole after a stop: it is gone on with, in the language in which it began, and it is removed', {
    tags: ['merge'],
    timeout: PATIENCE,
  }, async () => {
    world = await sampleWorld()
    const { given } = world
    await done(200, 'POST', SAMPLE, { Language: 'fr' })
    await expect.poll(async () => (await world.state()).Done, { timeout: 60_000, interval: 20 }).toBeGreaterThan(3)
    await done(200, 'POST', `${SAMPLE}/stop`)
    const stopped = await world.until('Partial', 'Added')
    expect(stopped).toMatchObject({ State: 'Partial', Problem: null, RemovalBegun: false })
    expect(stopped.Done).toBeLessThan(stopped.Total)
    expect(entries(given, 'sample.stopped').length).toBe(1)
    const again = await world.as(world.chief, 'POST', `${SAMPLE}/stop`)
    expect([again.status, again.json.ErrorCode]).toEqual([409, 'SampleDataRefused'])
    const whole = await world.added('en')
    expect(whole.EvidenceIds.slice(0, stopped.EvidenceIds.length)).toEqual(stopped.EvidenceIds)
    expect([whole.EvidenceIds.length, whole.CaseIds.length]).toEqual([10, 2])
    for (const id of whole.EvidenceIds) expect((await evidenceOf(id)).Name).toMatch(/^Exemple\u202f: /)
    expect(await world.removed()).toMatchObject({ State: 'None' })

    await done(200, 'POST', SAMPLE, { Language: 'en' })
    const early = await world.as(world.chief, 'POST', `${SAMPLE}/remove`)
    expect([early.status, early.json.ErrorCode]).toEqual([409, 'SampleDataRefused'])
    await done(200, 'POST', `${SAMPLE}/stop`)
    await world.until('Partial')
    expect(await world.removed()).toMatchObject({ State: 'None', EvidenceIds: [], CaseIds: [] })
  })
})

describe('who adds and removes it, and where', () => {
  it('administrators alone', async () => {
    world = await sampleWorld()
    const officer = await world.person('officer', ['ManageConfiguration', 'ManageDevices', 'CreateCases'])
    const guest = await world.person('guest', [], true)
    for (const [who, status] of [
      [officer, 403],
      [guest, 403],
      [{ token: null }, 401],
    ] as const)
      for (const [method, place, body] of [
        ['GET', SAMPLE, undefined],
        ['POST', SAMPLE, { Language: 'en' }],
        ['POST', `${SAMPLE}/stop`, undefined],
        ['POST', `${SAMPLE}/remove`, undefined],
      ] as const)
        expect([method, place, (await world.as(who, method, place, body)).status]).toEqual([method, place, status])
    expect(await world.state()).toMatchObject({ State: 'None' })
    const none = await world.as(world.chief, 'POST', `${SAMPLE}/remove`)
    expect([none.status, none.json.ErrorCode]).toEqual([409, 'SampleDataRefused'])
  })

  it('not on a station with evidence of its own, in the recycle bin too, nor on one with a headquarters', async () => {
    world = await sampleWorld()
    const { given, chief, as } = world
    const { EvidenceId } = await given.evidence()
    const refused = async (): Promise<string> => {
      const { status, json } = await as(chief, 'POST', SAMPLE, { Language: 'en' })
      expect([status, json.ErrorCode]).toEqual([409, 'SampleDataRefused'])
      return (await world.state()).WhyNot
    }
    const become = (state: string): Promise<unknown> =>
      given.meddle((db) =>
        db.prepare('UPDATE evidence SET lifecycle_state = ? WHERE evidence_id = ?').run(state, Number(EvidenceId)),
      )
    expect(await refused()).toBe('OwnEvidence')
    await become('Deleted')
    expect(await refused()).toBe('OwnEvidence')
    await become('Destroyed')
    expect((await world.state()).WhyNot).toBeNull()
    await given.meddle((db) =>
      db.exec(`INSERT INTO headquarters (tenant_id, address, client_id, sealed, rules, imported_utc, imported_by)
        VALUES ('station', 'https://hq.example', 'c', 'x', '{}', '2026-01-01T00:00:00Z', '{}')`),
    )
    expect(await refused()).toBe('Headquarters')
  })
})
