/**
 * C5 against a plain model: random histories of a case, in which evidence comes and goes, is restricted, changed, given, withheld and packaged. After each
 * step the station says to whom a supplement is due, and each record and package has the numbers that the model counted.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Json } from '../../support/given.ts'
import { isLong, scale } from '../../support/scale.ts'
import { DISCLOSURES, type DisclosureWorld, disclosureStation } from './world.ts'

const HISTORIES = scale(20, 200, 10)
const POOL = 6
const ROLES = ['defence', 'prosecutor', 'insurer'] as const
type Role = (typeof ROLES)[number]

interface File {
  readonly id: string
  readonly sha256: string
  /** How often its times were changed. */
  revision: number
}
interface Evidence {
  readonly id: string
  readonly title: string
  readonly files: File[]
  restricted: boolean
}
interface Said {
  readonly given: ReadonlyMap<string, ReadonlyMap<string, number>>
  /** By evidence, whether it rests on a restriction. */
  readonly withheld: ReadonlyMap<string, boolean>
  readonly left: ReadonlySet<string>
}
interface Recorded extends Said {
  readonly no: number
  readonly role: Role
  replaced: boolean
}
interface Step {
  readonly act: 'link' | 'unlink' | 'restrict' | 'lift' | 'file' | 'change' | 'disclose' | 'supersede' | 'package'
  readonly which: number
  readonly role: number
  /** For each evidence of the case: left, given, withheld as MG6C, withheld as MG6D. */
  readonly how: readonly number[]
}

let world: DisclosureWorld
const pool: Evidence[] = []
beforeAll(async () => {
  world = await disclosureStation()
}, 120_000)
afterAll(() => world?.given.close())

/** An evidence is in 50 cases at most. */
const HISTORIES_OF_A_POOL = 40
async function newPool(): Promise<void> {
  pool.length = 0
  for (let at = 0; at < POOL; at++) {
    const title = `Recording ${at} ${'quartz'.repeat(2)}`
    const id = await world.add(title)
    pool.push({ id, title, files: await filesNow(id), restricted: false })
  }
}

async function filesNow(id: string, known: readonly File[] = []): Promise<File[]> {
  const list: Json[] = await world.given.expecting(
    200,
    world.given.call('GET', `${world.given.documents}/evidence/${id}/resource`),
  )
  return list
    .filter(({ Parent }) => Parent === null)
    .map(
      ({ ResourceId, Sha256 }) =>
        known.find((one) => one.id === ResourceId) ?? { id: ResourceId, sha256: Sha256, revision: 0 },
    )
}

/** What the case is by the model. */
class Model {
  readonly inCase: Evidence[] = []
  readonly records: Recorded[] = []
  readonly series: Record<string, string[]> = { list: [], MG6C: [], MG6D: [] }

  numberOf(series: string, subject: string): number {
    const all = this.series[series] as string[]
    if (!all.includes(subject)) all.push(subject)
    return all.indexOf(subject) + 1
  }

  /** What is due, as `reason evidence file`. */
  due(role: Role): string[] {
    const own = this.records.filter((one) => one.role === role && !one.replaced)
    if (own.length === 0) return []
    const lines: string[] = []
    for (const evidence of pool) {
      // What was said of it last: a record that leaves it out says nothing of what was said before.
      const last = own.findLast(({ given, withheld }) => given.has(evidence.id) || withheld.has(evidence.id))
      const isInCase = this.inCase.includes(evidence)
      if (last === undefined) {
        const isKnown = own.some(({ left }) => left.has(evidence.id))
        if (isInCase && !isKnown && (!evidence.restricted || role === 'prosecutor')) lines.push(`new ${evidence.id} `)
      } else if (last.withheld.has(evidence.id)) {
        if (last.withheld.get(evidence.id) === true && !evidence.restricted) lines.push(`ground-fell ${evidence.id} `)
      } else if (evidence.restricted) lines.push(`restricted ${evidence.id} `)
      else {
        const given = last.given.get(evidence.id) as ReadonlyMap<string, number>
        for (const file of evidence.files)
          if (!given.has(file.id)) lines.push(`new ${evidence.id} ${file.id}`)
          else if (given.get(file.id) !== file.revision) lines.push(`changed ${evidence.id} ${file.id}`)
      }
    }
    return lines.sort()
  }
}

const step = fc.record<Step>({
  act: fc.constantFrom(
    'link',
    'link',
    'unlink',
    'restrict',
    'restrict',
    'lift',
    'file',
    'change',
    'disclose',
    'disclose',
    'disclose',
    'disclose',
    'supersede',
  ),
  which: fc.nat(POOL - 1),
  role: fc.nat(ROLES.length - 1),
  how: fc.array(fc.nat(3), { minLength: POOL, maxLength: POOL }),
})

let serial = 0
const ACTS: Readonly<Record<Step['act'], (model: Model, caseId: string, step: Step) => Promise<void>>> = {
  link: async (model, caseId, { which }) => {
    const evidence = pool[which] as Evidence
    if (model.inCase.includes(evidence)) return
    await world.link(caseId, evidence.id)
    model.inCase.push(evidence)
  },
  unlink: async (model, caseId, { which }) => {
    const at = model.inCase.indexOf(pool[which] as Evidence)
    if (at === -1) return
    await world.ok(204, 'POST', `/api/v1/case/station/${caseId}/link-evidences`, {
      Evidences: [{ EvidenceId: pool[which]?.id, Action: 'Remove' }],
    })
    model.inCase.splice(at, 1)
  },
  restrict: async (_model, _caseId, { which }) => restrict(pool[which] as Evidence, true),
  lift: async (_model, _caseId, { which }) => restrict(pool[which] as Evidence, false),
  file: async (_model, _caseId, { which }) => {
    const evidence = pool[which] as Evidence
    if (evidence.files.length > 3) return
    const name = `more ${++serial}.txt`
    await world.given.completed(Buffer.from(name), { name, evidenceId: evidence.id })
    evidence.files.splice(0, evidence.files.length, ...(await filesNow(evidence.id, evidence.files)))
  },
  change: async (_model, _caseId, { which }) => {
    const file = pool[which]?.files[0] as File
    await world.given.meddle((db) =>
      db
        .prepare('UPDATE resources SET start_utc = ?, concurrency_id = ? WHERE resource_id = ?')
        .run(new Date(++serial * 1000).toISOString(), `changed-${serial}`, Number(file.id)),
    )
    await versionOf(file, ++file.revision)
  },
  disclose: (model, caseId, given) => disclose(model, caseId, given, null),
  supersede: async (model, caseId, given) => {
    const replaced = model.records.findLast((one) => !one.replaced && one.role === ROLES[given.role])
    if (replaced !== undefined) await disclose(model, caseId, given, replaced)
  },
  package: async (model, caseId, { role }) => packaged(model, caseId, role === 0 ? 'defence' : 'prosecution'),
}

/** As the station writes a change: a version with the state. */
async function versionOf(file: File, revision: number): Promise<void> {
  await world.given.meddle((db) => {
    const { state, number } = db
      .prepare(
        "SELECT state, number FROM versions WHERE entity = 'resource' AND entity_id = ? ORDER BY number DESC LIMIT 1",
      )
      .get(Number(file.id)) as { state: string; number: number }
    const row = db
      .prepare('SELECT start_utc, concurrency_id FROM resources WHERE resource_id = ?')
      .get(Number(file.id)) as {
      start_utc: string
      concurrency_id: string
    }
    const next = JSON.stringify({ ...JSON.parse(state), StartTimeUtc: row.start_utc, Revision: revision })
    const columns = db
      .prepare("SELECT * FROM versions WHERE entity = 'resource' AND entity_id = ? AND number = ?")
      .get(Number(file.id), number) as Record<string, unknown>
    const copy = { ...columns, number: number + 1, state: next, concurrency_id: row.concurrency_id }
    const names = Object.keys(copy).filter((name) => name !== 'version_id')
    db.prepare(`INSERT INTO versions (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`).run(
      ...names.map((name) => (copy as Record<string, unknown>)[name]),
    )
  })
}

async function restrict(evidence: Evidence, restricted: boolean): Promise<void> {
  if (evidence.restricted === restricted) return
  await (restricted ? world.restrict(evidence.id) : world.lift(evidence.id))
  evidence.restricted = restricted
}

async function disclose(model: Model, caseId: string, { role, how }: Step, replaced: Recorded | null): Promise<void> {
  const to = ROLES[role] as Role
  const given = model.inCase.filter((_one, at) => how[at] === 1)
  const named = model.inCase.flatMap((one, at) => {
    const basis = how[at] === 2 && !one.restricted ? 'MG6C' : (how[at] ?? 0) >= 2 ? 'MG6D' : null
    return basis === null ? [] : [{ one, basis }]
  })
  const all = [
    ...named,
    ...model.inCase
      .filter((one) => one.restricted && !named.some((line) => line.one === one))
      .sort((a, b) => Number(a.id) - Number(b.id))
      .map((one) => ({ one, basis: 'MG6D' })),
  ]
  const body = {
    Recipient: { Name: `To ${to}`, Role: to, Organisation: '' },
    Authority: 'CPIA 1996',
    Medium: 'handover',
    EvidenceIds: given.map(({ id }) => id),
    Withheld: named.map(({ one, basis }) => ({
      EvidenceId: one.id,
      Description: `About ${one.id}`,
      Ground: 'a ground',
      Basis: basis,
      Reasons: 'reasons',
    })),
    ...(replaced === null ? {} : { Reason: 'It was wrong' }),
  }
  const place = `${DISCLOSURES}/case/${caseId}${replaced === null ? '' : `/record/${replaced.no}/supersede`}`
  const { status, json } = await world.call('POST', place, body)
  if (given.some(({ restricted }) => restricted))
    return expect([status, json.ErrorCode]).toEqual([409, 'EvidenceRestricted'])
  if (given.length + all.length === 0) return expect([status, json.ErrorCode]).toEqual([409, 'NothingToDisclose'])
  expect(status, JSON.stringify(json)).toBe(201)
  if (replaced !== null) replaced.replaced = true
  model.records.push({
    no: model.records.length + 1,
    role: to,
    replaced: false,
    given: new Map(given.map(({ id, files }) => [id, new Map(files.map((file) => [file.id, file.revision]))])),
    withheld: new Map(all.map(({ one }) => [one.id, one.restricted])),
    left: new Set(
      model.inCase.filter((one) => !given.includes(one) && !all.some((line) => line.one === one)).map(({ id }) => id),
    ),
  })
  // Every byte that was given is listed, and has the number that it always had.
  expect(json.No).toBe(model.records.length)
  expect(json.Items.map((item: Json) => `${item.Number} ${item.ResourceId} ${item.Sha256}`).sort()).toEqual(
    given
      .flatMap(({ files }) => files.map((file) => `${model.numberOf('list', file.id)} ${file.id} ${file.sha256}`))
      .sort(),
  )
  expect(json.Withheld.map((line: Json) => `${line.Basis} ${line.Number} ${line.EvidenceId}`).sort()).toEqual(
    all.map(({ one, basis }) => `${basis} ${model.numberOf(basis, one.id)} ${one.id}`).sort(),
  )
}

async function packaged(model: Model, caseId: string, variant: 'defence' | 'prosecution'): Promise<void> {
  const free = model.inCase.filter(({ restricted }) => !restricted)
  if (free.length === 0) return void (await expect(world.make(caseId, { variant })).rejects.toThrow(/no complete file/))
  const made = await world.make(caseId, { variant })
  const texts = (readdirSync(made.path, { recursive: true }) as string[])
    .filter((name) => statSync(path.join(made.path, name)).isFile() && !name.endsWith('.pdf'))
    .map((name) => [name, readFileSync(path.join(made.path, name), 'utf8')] as const)
  const text = (name: string): string => texts.find(([one]) => one === name)?.[1] ?? ''
  const lines = text('forms/schedule.csv').trim().split('\r\n').slice(1)
  const files = new Map(free.flatMap((one) => one.files.map((file) => [file.sha256, file.id])))
  const listed = lines
    .filter((line) => line.startsWith('"list"'))
    .map((line) => line.split(',').map((cell) => cell.slice(1, -1)))
  expect(listed.map((cells) => cells[5]).sort()).toEqual([...files.keys()].sort())
  for (const cells of listed)
    expect(Number(cells[1])).toBe(model.numberOf('list', files.get(cells[5] as string) as string))
  const restricted = pool.filter((one) => one.restricted)
  const held = model.inCase.filter((one) => one.restricted)
  for (const one of restricted)
    for (const file of one.files) expect(text('manifest-sha256.txt')).not.toContain(file.sha256)
  if (variant === 'defence') {
    for (const [name, content] of texts) for (const one of restricted) expect(content, name).not.toContain(one.title)
    expect(text('README.html') + text('README.fr.html')).not.toMatch(/exists? (?:and|that)|existe/)
    expect(text('meta/withheld.csv').trim().split('\r\n')).toHaveLength(1)
    expect(lines).toHaveLength(listed.length)
  } else {
    const numbers = held
      .sort((a, b) => Number(a.id) - Number(b.id))
      .map((one) => [model.numberOf('MG6D', one.id), one.title])
    expect(
      text('meta/withheld.csv')
        .trim()
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(',').slice(0, 2)),
    ).toEqual(numbers.map(([number, title]) => [`"${number}"`, `"${title}"`]))
  }
}

const SUPPLEMENTS = Array.from({ length: 6 }, (_one, at) => ({
  act: 'disclose' as const,
  which: at % 3,
  role: 0,
  how: [1, 1, 0, 2, 3, 0],
}))

it(`C5: in ${HISTORIES} random histories every item given is listed, what is due is right, and numbers neither repeat nor skip`, {
  timeout: isLong ? 3_600_000 : 300_000,
  tags: ['counted'],
}, async () => {
  let supplements = 0
  let histories = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 16 }), fc.nat(3), async (steps, variant) => {
      if (histories++ % HISTORIES_OF_A_POOL === 0) await newPool()
      for (const one of pool) await restrict(one, false)
      const caseId = await world.newCase(`History ${++serial}`)
      const model = new Model()
      const first = { which: 0, role: 0, how: [1, 1, 0, 2, 3, 0] }
      const begin = [0, 1, 2].map((which) => ({ ...first, act: 'link', which }) as const)
      // Packages take longest: half of the histories end with one.
      const end = variant < 2 ? [{ ...first, act: 'package', role: variant } as const] : []
      for (const one of [...begin, { ...first, act: 'disclose' } as const, ...steps, ...end]) {
        await ACTS[one.act](model, caseId, one)
        const { Items, Due } = await world.ok(200, 'GET', `${DISCLOSURES}/case/${caseId}`)
        expect(Items.map(({ No }: Json) => No)).toEqual(model.records.map(({ no }) => no))
        for (const role of ROLES) {
          const found = Due.filter(({ Recipient }: Json) => Recipient.Role === role).flatMap(
            ({ Changes }: Json) => Changes,
          )
          expect(
            found
              .map(({ Reason, EvidenceId, ResourceId }: Json) => `${Reason} ${EvidenceId} ${ResourceId ?? ''}`)
              .sort(),
            `${role} after ${one.act}`,
          ).toEqual(model.due(role))
        }
      }
      const numbers = world.given.database((db) =>
        db
          .prepare('SELECT series, number FROM schedule_numbers WHERE case_id = ? ORDER BY series, number')
          .all(Number(caseId)),
      ) as { series: string; number: number }[]
      for (const [series, subjects] of Object.entries(model.series))
        expect(numbers.filter((one) => one.series === series).map(({ number }) => number)).toEqual(
          subjects.map((_one, at) => at + 1),
        )
      supplements = Math.max(supplements, model.records.length)
    }),
    // Whatever is drawn, one history has more than five supplements.
    { numRuns: HISTORIES, endOnFailure: true, examples: [[SUPPLEMENTS, 3]] },
  )
  expect(supplements).toBeGreaterThan(5)
})
