/** Evidence, custody, cases and labels on paper, over HTTP. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sha256Of, type Json } from '../../support/given.ts'
import { CASES, type CasesWorld, casesWorld, type Person } from '../cases/world.ts'
import { readPaper, tight } from './paper.ts'

const REPORTS = '/api/v1/tenant/station/reports'

let world: CasesWorld
let viewer: Person
let photo: { evidenceId: string; resourceId: string; sha256: string }
let file: { evidenceId: string; sha256: string }
let made: Json

/** Names in scripts that the fonts of PDF do not have, and one that no font here has. */
const NAMES = '漢字 Łódź Иванов Γιώργος محمد علي'

beforeAll(async () => {
  world = await casesWorld({ stationName: 'Harrow Quay', timeZone: 'Europe/Berlin' })
  const { given, maker } = world
  viewer = await world.person('viewer')
  const picture = path.join(given.dir, 'photo.jpg')
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', 'testsrc=s=640x360:d=1', '-frames:v', '1', picture])
  photo = await given.completed(readFileSync(picture), { name: 'photo.jpg' })
  await given.settled(photo.evidenceId)
  const plain = await given.evidence({ Name: NAMES, Description: 'first line\nsecond line' })
  const done = await given.completed(Buffer.from('a note'), { name: 'note.txt', evidenceId: plain.EvidenceId })
  file = { evidenceId: done.evidenceId, sha256: done.sha256 }
  const share = [world.policy(maker, 'Manage'), world.policy(viewer, 'View'), integration('Manage')]
  made = await world.made({ Title: 'Burglary at the quay', AccessPolicies: share })
  for (const id of [photo.evidenceId, file.evidenceId]) await link(made.CaseId, id)
}, 120_000)
afterAll(() => world?.given.close())

const integration = (level: string): Json => ({
  Permissions: level,
  PrincipalId: world.given.principalId,
  KId: world.given.connection.ServicePrincipalKey.kid,
  PrincipalType: 'service',
})
const link = (caseId: string, EvidenceId: string): Promise<Json> =>
  world.given.expecting(
    204,
    world.given.call('POST', `${CASES}/${caseId}/link-evidences`, { body: { Evidences: [{ EvidenceId }] } }),
  )
const get = (place: string, as?: Person) =>
  world.given.call('GET', `${REPORTS}${place}`, as === undefined ? {} : { token: as.token })
const paper = async (place: string, as?: Person) => {
  const { status, headers, bytes, correlationId } = await get(place, as)
  expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf'])
  const entries = world.given.ledger().filter((entry) => entry.correlationId === correlationId)
  return { ...readPaper(world.given.dir, bytes), bytes, entries }
}

describe('an evidence sheet', () => {
  it('says the hash, the times with how they are known, what was derived, the acts and the key of the station', async () => {
    const { pages, title, bytes, entries } = await paper(`/evidence/${photo.evidenceId}/sheet`, viewer)
    const said = tight(pages.join(''))
    expect(title).toBe(`Evidence sheet ${photo.evidenceId}`)
    for (const words of [
      photo.sha256,
      'Burglary at the quay',
      'camera had no clock',
      'Stored, hashed and read back',
      'Thumbnail',
      'Ledger head',
      'Its fingerprint',
      'Harrow Quay',
    ])
      expect(said).toContain(tight(words))
    const [begun] = entries
    expect(said).toContain(`Entry${begun?.seq}`)
    expect(entries.map(({ action, object }) => [action, object.type, object.id])).toEqual([
      ['document.begun', 'evidence', photo.evidenceId],
      ['document.made', 'evidence', photo.evidenceId],
    ])
    expect(entries[1]).toMatchObject({ bytes: bytes.length, sha256: sha256Of(bytes), outcome: 'ok' })
  })

  it('writes names of other scripts, and by its number what no font has, and says so', async () => {
    const { pages, fonts } = await paper(`/evidence/${file.evidenceId}/sheet`)
    const said = pages.join('')
    expect(fonts).toContain('DejaVuSans')
    for (const name of ['Łódź', 'Иванов', 'Γιώργος', '‹U+6F22›‹U+5B57›']) expect(said).toContain(name)
    expect(tight(said)).toContain(tight('Characters for which this document has no font'))
    expect(said).toContain('first line')
  })

  it('in French, on Letter; other languages and papers are refused', async () => {
    const { pages, size } = await paper(`/evidence/${photo.evidenceId}/sheet?language=fr&paper=letter`)
    expect(size).toEqual([612, 792])
    expect(pages.join('')).toContain('Fiche de preuve')
    for (const query of ['?language=de', '?paper=a0'])
      expect((await get(`/evidence/${photo.evidenceId}/sheet${query}`)).json.ErrorCode).toBe('InvalidModel')
  })
})

describe('S4: documents', () => {
  it('are made of what the caller may view, and of nothing else', async () => {
    for (const place of [`/evidence/${photo.evidenceId}/sheet`, `/evidence/${photo.evidenceId}/custody`])
      expect([place, (await get(place, world.other)).status]).toEqual([place, 404])
    for (const place of [`/case/${made.CaseId}/summary`, `/case/${made.CaseId}/labels`])
      expect([place, (await get(place, world.other)).status]).toEqual([place, 403])
    expect((await get(`/labels?id=${photo.evidenceId}`, world.other)).status).toBe(404)
    // A case that the reader may not view is not named on the sheet of an evidence that is in it.
    const secret = await world.made({
      Title: 'A secret matter',
      AccessPolicies: [world.policy(world.maker, 'Manage'), integration('Manage')],
    })
    await link(secret.CaseId, photo.evidenceId)
    const place = `/evidence/${photo.evidenceId}/sheet`
    expect((await paper(place)).pages.join('')).toContain('A secret matter')
    expect((await paper(place, viewer)).pages.join('')).not.toContain('secret')
  })
})

describe('S4: documents and the recycle bin', () => {
  it('leave out evidence that is in it, and do not name a case that is', async () => {
    const { given } = world
    const keeper = await world.person('keeper', ['CreateCases', 'DeleteCasesAndFiles'])
    const send = (method: string, place: string, body?: Json) => world.send(method, place, body, { as: keeper })
    const evidence = async (Name: string): Promise<string> =>
      (await given.expecting(201, send('POST', `${given.documents}/evidence`, { Name }))).EvidenceId
    const caseOf = async (Title: string, ids: readonly string[]): Promise<string> => {
      const { CaseId } = await world.made({ Title }, keeper)
      const Evidences = ids.map((EvidenceId) => ({ EvidenceId }))
      await given.expecting(204, send('POST', `${CASES}/${CaseId}/link-evidences`, { Evidences }))
      return CaseId
    }
    const [kept, thrown] = [await evidence('Kept exhibit'), await evidence('Thrown exhibit')]
    const caseId = await caseOf('Two exhibits', [kept, thrown])
    const places = [`/case/${caseId}/summary`, `/case/${caseId}/labels`]
    const counts = async (): Promise<unknown[]> => {
      const made: unknown[] = []
      for (const place of places) {
        const { detail } = (await paper(place, keeper)).entries.at(-1) ?? {}
        made.push(detail?.['evidence'] ?? detail?.['labels'])
      }
      return made
    }
    expect(await counts()).toEqual([2, 2])
    await given.expecting(200, send('DELETE', `${given.documents}/evidence/${thrown}`))
    expect(await counts()).toEqual([1, 1])
    expect((await paper(places[0] as string, keeper)).pages.join('')).not.toContain('Thrown')
    const labels = await get(`/labels?id=${kept}&id=${thrown}`, keeper)
    expect([labels.status, labels.json.ErrorCode]).toEqual([409, 'EvidenceDeleted'])
    for (const place of [`/evidence/${thrown}/sheet`, `/evidence/${thrown}/custody`])
      expect([place, (await get(place, keeper)).json.ErrorCode]).toEqual([place, 'EvidenceDeleted'])

    const gone = await caseOf('Gone matter', [kept])
    const sheet = async (): Promise<string> => tight((await paper(`/evidence/${kept}/sheet`, keeper)).pages.join(''))
    expect(await sheet()).toContain('Gonematter')
    await given.expecting(200, send('POST', `${CASES}/${gone}/close`, {}))
    await given.expecting(200, send('DELETE', `${CASES}/${gone}`))
    expect(await sheet()).toContain('Twoexhibits')
    expect(await sheet()).not.toContain('Gonematter')
    for (const place of [`/case/${gone}/summary`, `/case/${gone}/labels`, `/case/${gone}/holds`])
      expect([place, (await get(place, keeper)).json.ErrorCode]).toEqual([place, 'CaseDeleted'])
  })
})

describe('a custody report', () => {
  it('lists the acts with their numbers, and how many entries of viewing it leaves out', async () => {
    await get(`/../evidence/${photo.evidenceId}`)
    const { pages, entries } = await paper(`/evidence/${photo.evidenceId}/custody?kind=acts`)
    const said = tight(pages.join(''))
    const about = world.given
      .ledger()
      .filter(
        ({ object, seq }) =>
          object.id === photo.evidenceId && object.type === 'evidence' && seq <= (entries[0]?.seq ?? 0),
      )
    for (const { seq, action } of about)
      if (action === 'evidence.created' || action === 'document.made') expect(said).toContain(String(seq))
    expect(said).toContain(tight('Evidence created'))
    expect(said).toMatch(/\d+entriesofviewingarenotlisted/)
    expect(entries.at(-1)?.detail).toMatchObject({ document: 'custodyReport', kind: 'acts' })
  })

  it('with everything holds every entry, those of a visit on one line with all their numbers', async () => {
    const { given } = world
    const { evidenceId } = file
    for (let times = 0; times < 6; times++)
      await given.expecting(
        200,
        given.call('GET', `${given.documents}/evidence/${evidenceId}`, { token: viewer.token }),
      )
    const { pages, entries } = await paper(`/evidence/${evidenceId}/custody?kind=all`)
    const said = pages.join('\n')
    const reads = given
      .ledger()
      .filter(
        ({ object, action, actor }) =>
          action === 'evidence.read' && object.id === evidenceId && actor.name === 'viewer',
      )
      .map(({ seq }) => seq)
    expect(reads).toHaveLength(6)
    expect(tight(said)).toContain(`${reads.at(-1)}–${reads[0]}`)
    expect(tight(said)).toContain(tight('read it'))
    const all = await given.expecting(
      200,
      given.call('GET', `${given.documents}/evidence/${evidenceId}/custody?kind=all`),
    )
    // What was written since the report was begun is not in it: its end, and this reading.
    expect(entries.at(-1)?.detail?.['entries']).toBe(all.Counts.All - 1)
  })
})

describe('a case summary', () => {
  it('has a picture, the number, the time and the hash of each evidence, and the pictures are in the ledger', async () => {
    const { pages, images, entries } = await paper(`/case/${made.CaseId}/summary`, viewer)
    const said = tight(pages.join(''))
    for (const words of ['Burglary at the quay', photo.sha256, file.sha256, 'no picture', '2 items'])
      expect(said).toContain(tight(words))
    expect(images).toBe(1)
    expect(entries.map(({ action }) => action)).toEqual(['document.begun', 'resource.thumbnail', 'document.made'])
    expect(entries[2]?.detail).toMatchObject({ document: 'caseSummary', evidence: 2, more: false })
  })

  it('reads no picture into memory that is too large for a thumbnail', async () => {
    const { given } = world
    const large = await given.completed(Buffer.alloc(4 * 1024 * 1024 + 1, 3), { name: 'large.bin' })
    const set = (sha256: string | null) =>
      given.meddle((db) =>
        db
          .prepare('UPDATE resources SET thumbnail_sha256 = ? WHERE resource_id = ?')
          .run(sha256, Number(photo.resourceId)),
      )
    const before = given.database((db) =>
      db.prepare('SELECT thumbnail_sha256 FROM resources WHERE resource_id = ?').pluck().get(Number(photo.resourceId)),
    ) as string
    await set(large.sha256)
    const { images, entries } = await paper(`/case/${made.CaseId}/summary`, viewer)
    await set(before)
    expect([images, entries.map(({ action }) => action)]).toEqual([0, ['document.begun', 'document.made']])
  })

  it('labels and holds end at 500, and say that there is more', {
    tags: ['merge'],
    timeout: 180_000,
  }, async () => {
    const { given, maker } = world
    const place = `${given.documents}/evidence`
    const Evidences: Json[] = []
    while (Evidences.length < 501)
      Evidences.push(
        ...(await Promise.all(
          Array.from({ length: Math.min(20, 501 - Evidences.length) }, async () => {
            const { EvidenceId } = await given.expecting(201, world.send('POST', place, { Name: 'One of many' }))
            return { EvidenceId }
          }),
        )),
      )
    const { CaseId } = await world.made({ Title: 'Many exhibits' })
    for (let at = 0; at < Evidences.length; at += 100)
      await given.expecting(
        204,
        world.send('POST', `${CASES}/${CaseId}/link-evidences`, { Evidences: Evidences.slice(at, at + 100) }),
      )
    const summary = await paper(`/case/${CaseId}/summary`, maker)
    expect(summary.entries.at(-1)?.detail).toMatchObject({ evidence: 500, more: true })
    const labels = await paper(`/case/${CaseId}/labels`, maker)
    expect(labels.entries.at(-1)?.detail).toMatchObject({ labels: 500 })
    await given.meddle((db) =>
      db
        .prepare(
          "UPDATE evidence SET lifecycle_state = 'Protected' WHERE evidence_id IN (SELECT evidence_id FROM case_links WHERE case_id = ?)",
        )
        .run(Number(CaseId)),
    )
    const { Items, More } = await given.expecting(200, get(`/case/${CaseId}/holds`, maker))
    expect([Items.length, More]).toEqual([500, true])
  })
})

describe('labels', () => {
  it.each([
    ['a4-24', [595, 842]],
    ['a4-40', [595, 842]],
    ['roll-62', [176, 82]],
  ])('of %s', async (size, points) => {
    const { pages, size: found } = await paper(`/labels?size=${size}&id=${photo.evidenceId}&id=${file.evidenceId}`)
    expect(found).toEqual(points)
    expect(pages).toHaveLength(size === 'roll-62' ? 2 : 1)
    const said = tight(pages.join(''))
    expect(said).toContain(`Evidence${photo.evidenceId}`)
    expect(said).toContain(tight(made.Ordinal ?? ''))
  })

  it.each([
    ['of nothing', ''],
    ['of more than 500', Array.from({ length: 501 }, (_, at) => `id=${at + 1}`).join('&')],
    ['that leave out more than any sheet has', 'id=1&skip=40'],
    ['of no size that there is', 'id=1&size=a5'],
  ])('%s are refused', async (_what, query) => {
    const reply = await get(`/labels?${query}`)
    expect([reply.status, reply.json.ErrorCode]).toEqual([400, 'InvalidModel'])
  })

  it('that leave out more places than their sheet has begin at its last one', async () => {
    expect((await paper(`/case/${made.CaseId}/labels?skip=39`, viewer)).pages).toHaveLength(2)
  })

  it('of a case begin where the sheet has room left', async () => {
    const { pages, entries } = await paper(`/case/${made.CaseId}/labels?skip=23`, viewer)
    expect(pages).toHaveLength(2)
    expect(entries.at(-1)?.detail).toMatchObject({ document: 'labels', size: 'a4-24', labels: 2 })
  })
})
