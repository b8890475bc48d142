/** Reports over HTTP: each by its right, and figures of what the caller can view alone (promise S4). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../support/given.ts'
import { type Camera, CASES, type CadWorld, cadWorld, fresh, type Program } from '../cad/world.ts'
import { readPaper, tight } from './paper.ts'

const FIGURES = '/api/v1/tenant/station/reports/figures'
const REPORTS = '/api/v1/tenant/station/reports'
const DAY = 86_400_000
const dayOf = (millis: number): string => new Date(millis).toISOString().slice(0, 10)
const TODAY = dayOf(Date.now())

let world: CadWorld
let anna: Awaited<ReturnType<CadWorld['officer']>>
let camera: Camera
let recording: string
let auditor: Program
beforeAll(async () => {
  world = await cadWorld({ timeZone: 'UTC', stationName: 'Harbour station' })
  anna = await world.officer()
  camera = await world.camera(anna.id, new Date().toISOString())
  auditor = await world.program('auditor', ['AccessAuditTrail', 'ApproveDisposition', 'ManageConfiguration'])
  const from = Date.now() + 60_000
  recording = await world.recording(camera, new Date(from).toISOString(), new Date(from + 60_000).toISOString())
  await world.given.meddle((db) => {
    db.prepare("UPDATE resources SET sniffed_type = 'video/mp4', media = ? WHERE evidence_id = ?").run(
      '{"DurationSeconds":60}',
      Number(recording),
    )
  })
}, 120_000)
afterAll(() => world?.given.close())

const report = (who: Program, name: string, query = ''): Promise<Json> =>
  world.given.expecting(200, world.as(who, 'GET', `${FIGURES}/${name}${query}`))
const statusOf = async (who: Program, place: string): Promise<number> => (await world.as(who, 'GET', place)).status
const figure = ({ Figures }: Json, key: string): unknown => Figures.find(({ Key }: Json) => Key === key)?.Value

describe('S4: each report asks for its right', () => {
  it.each([
    ['coverage', ['AccessAuditTrail']],
    ['uncategorized', ['AccessUnassociatedFiles', 'ApproveDisposition']],
    ['access', ['AccessAuditTrail']],
    ['retention', ['ApproveDisposition']],
    ['storage', ['ManageConfiguration', 'ApproveDisposition']],
    ['cameras', ['ManageDevices']],
    ['jobs', ['ManageConfiguration']],
  ])('%s', async (name, policies) => {
    const all = [
      'AccessAuditTrail',
      'AccessUnassociatedFiles',
      'ApproveDisposition',
      'ManageConfiguration',
      'ManageDevices',
    ]
    for (const place of [`${FIGURES}/${name}`, `${FIGURES}/${name}/export`, `${FIGURES}/${name}/export?format=pdf`]) {
      expect([place, await statusOf(world.nobody, place)]).toEqual([place, 403])
      const other = await world.program(
        fresh('other'),
        all
          .filter((policy) => !policies.includes(policy))
          .map((policy) => (policy.startsWith('AccessUn') ? `${policy}:View` : policy)),
      )
      expect([place, await statusOf(other, place)]).toEqual([place, 403])
    }
    for (const policy of policies) {
      const one = await world.program(fresh('one'), [policy.startsWith('AccessUn') ? `${policy}:View` : policy])
      expect([policy, await statusOf(one, `${FIGURES}/${name}`)]).toEqual([policy, 200])
    }
  })

  it('takes no other days, months or ages than there are', async () => {
    const { chief, as } = world
    for (const place of [
      `${FIGURES}/cameras?days=0`,
      `${FIGURES}/cameras?days=367`,
      `${FIGURES}/cameras/export?days=367`,
      `${FIGURES}/uncategorized?age=5-6`,
      `${FIGURES}/access?from=${TODAY}&until=2020-01-01`,
      `${FIGURES}/retention?from=${TODAY}&until=2020-01-01`,
      `${FIGURES}/access?from=2020-01-01&until=${TODAY}`,
      `${FIGURES}/everything`,
      `${REPORTS}/retention/calendar?month=2026-13`,
      `${REPORTS}/retention/calendar?month=1026-01`,
    ])
      expect([place, (await as(chief, 'GET', place)).json.ErrorCode]).toEqual([place, 'InvalidModel'])
  })

  it('the calendar and the holds of a case too', async () => {
    const { caseId } = await world.pushed({
      eventId: fresh('E'),
      name: 'Alarm',
      eventStartTimeUtc: new Date().toISOString(),
    })
    expect(await statusOf(world.nobody, `${REPORTS}/retention/calendar`)).toBe(403)
    expect(await statusOf(world.nobody, `${REPORTS}/case/${caseId}/holds`)).toBe(403)
    expect(await statusOf(auditor, `${REPORTS}/retention/calendar`)).toBe(200)
  })
})

describe('S4: coverage', () => {
  it('counts recordings and hours by officer, and calls without a recording, of what the caller can view', async () => {
    const until = dayOf(Date.now() + DAY)
    const [asChief, asAuditor] = await Promise.all(
      [world.chief, auditor].map((who) => report(who, 'coverage', `?from=${TODAY}&until=${until}`)),
    )
    const own = asChief.Rows.find(({ officer }: Json) => officer?.includes(anna.name))
    expect(own).toMatchObject({ recordings: 1, hours: 60 })
    expect(figure(asAuditor, 'recordings')).toBe(0)
    const call = await world.pushed({
      eventId: fresh('E'),
      name: 'Nobody recorded this',
      eventStartTimeUtc: new Date(Date.now() + 3_600_000).toISOString(),
      eventEndTimeUtc: new Date(Date.now() + 7_200_000).toISOString(),
      involvedResources: [{ id: 'B12', name: anna.badge }],
    })
    expect(call.caseId).toBeDefined()
    const found = await world.eventually(
      () => report(world.chief, 'coverage', `?from=${TODAY}&until=${until}`),
      ({ Rows }) => Rows.some((row: Json) => row.without === 1),
    )
    expect(found.Rows.find((row: Json) => row.without === 1)).toMatchObject({ units: 'B12', calls: 1 })
  })

  it('says for how long calls are compared', async () => {
    const { Notes, Rows } = await report(
      world.chief,
      'coverage',
      `?from=${dayOf(Date.now() - 100 * DAY)}&until=${TODAY}`,
    )
    expect(Notes).toEqual(['callsTooLong'])
    for (const row of Rows) expect(row.calls).toBeNull()
    for (const query of [`?from=${TODAY}&until=2020-01-01`, `?from=2020-01-01&until=${TODAY}`, '?from=yesterday'])
      expect((await world.as(world.chief, 'GET', `${FIGURES}/coverage${query}`)).json.ErrorCode).toBe('InvalidModel')
  })
})

describe('S4: without a category', () => {
  it('is counted by age and listed, of what the caller can view', async () => {
    const { given, chief, as } = world
    const old = await given.expecting(201, as(chief, 'POST', `${given.documents}/evidence`, { Name: '=cmd|old' }))
    const ticks = BigInt(Date.now() - 40 * DAY) * 10_000n
    await given.meddle((db) => {
      db.prepare('UPDATE evidence SET created_ticks = ?, created_utc = ? WHERE evidence_id = ?').run(
        ticks,
        new Date(Date.now() - 40 * DAY).toISOString(),
        Number(old.EvidenceId),
      )
    })
    const counts = Object.fromEntries(
      (await report(chief, 'uncategorized')).Rows.map(({ age, evidence }: Json) => [age, evidence]),
    )
    expect(counts).toMatchObject({ '8-30': 0, '31-90': 1, '91-': 0 })
    expect(counts['0-7']).toBeGreaterThanOrEqual(1)
    const list = await report(chief, 'uncategorized', '?age=31-90')
    expect(list.Rows).toMatchObject([{ evidence: old.EvidenceId, evidenceName: '=cmd|old' }])
    const disposer = await world.program(fresh('disposer'), ['ApproveDisposition'])
    expect(figure(await report(disposer, 'uncategorized'), 'evidence')).toBe(0)
    expect((await report(disposer, 'uncategorized', '?age=31-90')).Rows).toEqual([])
    // What a spreadsheet would take for a formula stands behind an apostrophe.
    const { text } = await as(chief, 'GET', `${FIGURES}/uncategorized/export?age=31-90&format=csv`)
    expect(text).toContain(`"'=cmd|old"`)
    // A category takes it out.
    const { CategoryId } = await given.expecting(
      201,
      as(chief, 'POST', '/api/v1/category/station', { Name: fresh('Traffic'), RetentionDays: 30 }),
    )
    await given.expecting(200, as(chief, 'PATCH', `${given.documents}/evidence/${old.EvidenceId}`, { CategoryId }))
    expect((await report(chief, 'uncategorized', '?age=31-90')).Rows).toEqual([])
  })
})

describe('S4: what is in the recycle bin', () => {
  it('is in no figure', async () => {
    const { given, chief, as } = world
    const at = Date.now() + 90_000
    const binned = await world.recording(camera, new Date(at).toISOString(), new Date(at + 30_000).toISOString())
    await given.meddle((db) => {
      db.prepare("UPDATE resources SET sniffed_type = 'video/mp4', media = ? WHERE evidence_id = ?").run(
        '{"DurationSeconds":30}',
        Number(binned),
      )
    })
    const until = dayOf(Date.now() + DAY)
    const counted = async (): Promise<unknown[]> => {
      const coverage = await report(chief, 'coverage', `?from=${TODAY}&until=${until}`)
      const ages = await report(chief, 'uncategorized')
      const list = await report(chief, 'uncategorized', '?age=0-7')
      return [
        figure(coverage, 'recordings'),
        figure(ages, 'evidence'),
        list.Rows.filter((row: Json) => row.evidence === binned).length,
      ]
    }
    const [recordings, evidence, listed] = (await world.eventually(counted, ([first]) => first === 2)) as number[]
    expect([recordings, listed]).toEqual([2, 1])
    await given.expecting(200, as(chief, 'DELETE', `${given.documents}/evidence/${binned}`))
    expect(await counted()).toEqual([1, (evidence as number) - 1, 0])
  })
})

describe('S4: downloads and views', () => {
  it('say who took what, how often and when, and name nothing that the caller may not view', async () => {
    const { given } = world
    const { evidenceId, resourceId } = await given.completed(Buffer.from('to be taken'), { name: 'taken.bin' })
    for (let times = 0; times < 2; times++)
      await given.call('GET', `${given.documents}/evidence/${evidenceId}/resource/${resourceId}/content`)
    const share = { Permissions: 'Manage', PrincipalId: world.chief.id, KId: world.chief.kId, PrincipalType: 'service' }
    const place = `${given.documents}/evidence/${evidenceId}`
    const { ConcurrencyId, AccessPolicies } = await given.expecting(200, given.call('GET', place))
    await given.expecting(
      200,
      given.call('PATCH', place, { body: { ConcurrencyId, AccessPolicies: [...AccessPolicies, share] } }),
    )
    const { Rows } = await report(world.chief, 'access')
    const taken = Rows.find((row: Json) => row.evidence === evidenceId && row.act === 'actResourceDownloaded')
    expect(taken).toMatchObject({ who: 'uploader', file: 'taken.bin', times: 2, bytes: 22 })
    expect(Date.parse(taken.last)).toBeGreaterThanOrEqual(Date.parse(taken.first))
    expect((await report(auditor, 'access')).Rows.filter((row: Json) => row.evidence === evidenceId)).toEqual([])
    const before = await report(world.chief, 'access', `?from=2020-01-01&until=2020-01-31`)
    expect([before.Rows, before.More]).toEqual([[], false])
  })

  it('leave out what was not handed out whole, and evidence that was destroyed', async () => {
    const { given, chief, as } = world
    const { EvidenceId } = await given.expecting(
      201,
      as(chief, 'POST', `${given.documents}/evidence`, { Name: 'Torn' }),
    )
    const acts = async (): Promise<string[]> =>
      (await report(chief, 'access')).Rows.filter((row: Json) => row.evidence === EvidenceId).map(
        ({ act }: Json) => act,
      )
    const sheet = () => as(chief, 'GET', `${REPORTS}/evidence/${EvidenceId}/sheet`)
    // Without its row in the list the sheet is begun and cannot be ended.
    const [row] = given.database((db) =>
      db.prepare('SELECT * FROM evidence_list WHERE evidence_id = ?').all(Number(EvidenceId)),
    ) as Record<string, unknown>[]
    const columns = Object.keys(row ?? {})
    await given.meddle((db) => db.prepare('DELETE FROM evidence_list WHERE evidence_id = ?').run(Number(EvidenceId)))
    await expect(sheet()).rejects.toThrow()
    const torn = given.ledger().filter(({ action, object }) => action === 'document.made' && object.id === EvidenceId)
    expect(torn.map(({ outcome }) => outcome)).toEqual(['failed'])
    expect(await acts()).toEqual([])
    await given.meddle((db) =>
      db
        .prepare(`INSERT INTO evidence_list (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`)
        .run(...Object.values(row ?? {})),
    )
    expect((await sheet()).status).toBe(200)
    expect(await acts()).toEqual(['actDocumentMade'])
    await given.meddle((db) =>
      db.prepare("UPDATE evidence SET lifecycle_state = 'Destroyed' WHERE evidence_id = ?").run(Number(EvidenceId)),
    )
    expect(await acts()).toEqual([])
  })
})

describe('retention ahead', () => {
  it('is counted by week and by day, by the rule that makes it go, with what is held', async () => {
    const { given, chief, as } = world
    const Name = fresh('Kept ten days')
    const { CategoryId } = await given.expecting(
      201,
      as(chief, 'POST', '/api/v1/category/station', { Name, RetentionDays: 10 }),
    )
    const made = async (): Promise<string> =>
      (await given.expecting(201, as(chief, 'POST', `${given.documents}/evidence`, { Name: 'Due', CategoryId })))
        .EvidenceId
    const [one, held] = [await made(), await made()]
    await given.expecting(
      200,
      as(chief, 'POST', `${given.documents}/evidence/${held}/protect`, { Reason: 'Appeal is open' }),
    )
    const due = dayOf(Date.now() + 10 * DAY)
    const calendar = await world.eventually(
      () => given.expecting(200, as(chief, 'GET', `${REPORTS}/retention/calendar?month=${due.slice(0, 7)}`)),
      ({ Days }) => Days.find(({ Day }: Json) => Day === due)?.Categories.some((of: Json) => of.Name === Name),
    )
    const day = calendar.Days.find(({ Day }: Json) => Day === due)
    expect(day.Categories.find((of: Json) => of.Name === Name)).toMatchObject({
      Kind: 'Category',
      Id: CategoryId,
      Evidence: 2,
      Held: 1,
    })
    expect(calendar.Days.length).toBe(new Date(Number(due.slice(0, 4)), Number(due.slice(5, 7)), 0).getDate())
    const found = await report(chief, 'retention')
    expect(figure(found, 'evidence')).toBeGreaterThanOrEqual(2)
    expect(figure(found, 'held')).toBeGreaterThanOrEqual(1)
    expect(one).not.toBe(held)
  })
})

describe('the station', () => {
  it('forecasts only from two weeks on, and then with a range', async () => {
    expect((await report(auditor, 'storage')).Notes).toEqual(['tooFewDays'])
    await world.given.meddle((db) => {
      const add = db.prepare("INSERT INTO blobs (sha256, length, read_back, created_utc) VALUES (?, ?, 'direct', ?)")
      for (let back = 30; back > 0; back--)
        add.run(
          String(back).padStart(64, '0'),
          back % 2 === 0 ? 2_000_000 : 1_000_000,
          `${dayOf(Date.now() - back * DAY)}T10:00:00.000Z`,
        )
    })
    const found = await report(auditor, 'storage')
    expect(found.Notes.includes('tooFewDays')).toBe(false)
    expect(figure(found, 'perDay')).toBeGreaterThan(1_400_000)
    expect(figure(found, 'perDay')).toBeLessThan(1_600_000)
    expect(Number(figure(found, 'perDayLeast'))).toBeLessThan(Number(figure(found, 'perDay')))
    expect(found.Rows).toHaveLength(13)
    expect(found.Rows.at(-1).total).toBe(figure(found, 'stored'))
  })

  it('names cameras that were not docked, with their last officer', async () => {
    const { Rows } = await report(world.second, 'cameras', '?days=1')
    expect(Rows.find((row: Json) => row.device === camera.id)).toMatchObject({
      deviceName: camera.serial,
      docked: null,
      officer: expect.stringContaining(anna.name),
    })
  })

  it('lists failed jobs that the caller may start again', async () => {
    const { given, chief } = world
    const { evidenceId, resourceId } = await given.completed(Buffer.from('no picture'), { name: 'broken.bin' })
    await given.settled(evidenceId)
    const now = new Date().toISOString()
    await given.meddle((db) => {
      db.prepare(
        "INSERT INTO jobs (kind, payload, subject, state, attempts, message, created_utc, finished_utc) VALUES ('derive.thumbnail', '{}', ?, 'failed', 3, 'It broke.', ?, ?)",
      ).run(`resource:${resourceId}`, now, now)
    })
    expect((await report(auditor, 'jobs')).Rows).toEqual([])
    const looker = await world.program(fresh('looker'), ['ManageConfiguration', 'AccessUnassociatedFiles:View'])
    expect((await report(looker, 'jobs')).Rows).toEqual([])
    const uploader = await given.integration(fresh('keeper'), ['ManageConfiguration', 'AccessUnassociatedFiles:Edit'])
    expect(uploader.ServicePrincipalId).toBeDefined()
    const keeper = await world.program(fresh('keeper'), ['ManageConfiguration', 'AccessUnassociatedFiles:Edit'])
    expect((await report(keeper, 'jobs')).Rows).toMatchObject([
      { kind: 'derive.thumbnail', evidence: evidenceId, file: 'broken.bin', message: 'It broke.', attempts: 3 },
    ])
    await given.meddle((db) => {
      const add = db.prepare(
        "INSERT INTO jobs (kind, payload, subject, state, attempts, message, created_utc, finished_utc) VALUES ('derive.preview', '{}', ?, 'failed', 3, 'It broke.', ?, ?)",
      )
      for (let count = 0; count < 1_000; count++) add.run(`resource:${resourceId}`, now, now)
    })
    const { Rows, Most, More } = await report(keeper, 'jobs')
    expect([Rows.length, Most, More]).toEqual([1_000, 1_000, true])
    expect(chief.id).toBeDefined()
  })
})

describe('a report as a file', () => {
  it('is CSV, JSON or PDF, in both languages', async () => {
    const { chief, as, given } = world
    const csv = await as(chief, 'GET', `${FIGURES}/coverage/export`)
    expect(csv.headers.get('content-type')).toContain('text/csv')
    expect(csv.text).toContain('"officer","units","recordings","hours","calls","without"')
    const asJson = await as(chief, 'GET', `${FIGURES}/coverage/export?format=json`)
    expect(asJson.json[0]).toHaveProperty('officer')
    for (const [language, title] of [
      ['en', 'Coverage by officer'],
      ['fr', 'Couverture par agent'],
    ] as const) {
      const { bytes, status } = await as(chief, 'GET', `${FIGURES}/coverage/export?format=pdf&language=${language}`)
      expect(status).toBe(200)
      const { pages, title: named } = readPaper(given.dir, bytes)
      expect(named).toContain(title)
      expect(tight(pages.join(''))).toContain(tight(title))
      expect(tight(pages.join(''))).toContain(tight(anna.name))
    }
    for (const name of ['uncategorized', 'access', 'retention', 'storage', 'cameras', 'jobs'])
      expect([name, (await as(chief, 'GET', `${FIGURES}/${name}/export?format=pdf`)).status]).toEqual([name, 200])
  })
})

describe('the holds of a case', () => {
  it('say what is protected, by whom, since when, why and until when, of what the caller can view', async () => {
    const { given, chief, as } = world
    const own = await given.expecting(201, as(chief, 'POST', CASES, { Title: 'Under appeal' }))
    const evidence = await given.expecting(201, as(chief, 'POST', `${given.documents}/evidence`, { Name: 'Exhibit' }))
    await given.expecting(
      204,
      as(chief, 'POST', `${CASES}/${own.CaseId}/link-evidences`, { Evidences: [{ EvidenceId: evidence.EvidenceId }] }),
    )
    expect((await given.expecting(200, as(chief, 'GET', `${REPORTS}/case/${own.CaseId}/holds`))).Items).toEqual([])
    const Until = new Date(Date.now() + 30 * DAY).toISOString()
    await given.expecting(200, as(chief, 'POST', `${CASES}/${own.CaseId}/protect`, { Reason: 'Court order 7', Until }))
    await given.expecting(
      200,
      as(chief, 'POST', `${given.documents}/evidence/${evidence.EvidenceId}/protect`, { Reason: 'Weapon' }),
    )
    const { Items } = await given.expecting(200, as(chief, 'GET', `${REPORTS}/case/${own.CaseId}/holds`))
    expect(Items).toMatchObject([
      { On: 'Case', Name: 'Under appeal', By: 'chief', Reason: 'Court order 7', UntilUtc: Until },
      { On: 'Evidence', Id: evidence.EvidenceId, Name: 'Exhibit', By: 'chief', Reason: 'Weapon', UntilUtc: null },
    ])
    for (const { SinceUtc, LedgerSeq } of Items)
      expect([typeof SinceUtc, typeof LedgerSeq]).toEqual(['string', 'number'])
    // A protection that ended holds nothing, also before the station wrote that down.
    const over = { text: new Date(Date.now() - DAY).toISOString(), ticks: BigInt(Date.now() - DAY) * 10_000n }
    await given.meddle((db) => {
      db.prepare('UPDATE evidence SET protected_until = ?, protected_ticks = ? WHERE evidence_id = ?').run(
        over.text,
        over.ticks,
        Number(evidence.EvidenceId),
      )
      db.prepare('UPDATE cases SET protected_until = ?, protected_ticks = ? WHERE case_id = ?').run(
        over.text,
        over.ticks,
        Number(own.CaseId),
      )
    })
    expect((await given.expecting(200, as(chief, 'GET', `${REPORTS}/case/${own.CaseId}/holds`))).Items).toEqual([])
  })
})
