/** Packages that people ask for over HTTP: who may, what a job makes of it, and who gets it. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTrigger, dropTrigger } from '../../support/rows.ts'
import { type Given, givenStation, type Json } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'
import { statementsOf } from '../../support/statements.ts'
import { PACKAGES } from './acts.ts'

const CASES = '/api/v1/case/station'
const CHOSEN = { Variant: 'prosecution', Parts: ['copies'], Papers: ['certificate-902-14'], Language: 'en' }

let given: Given
/** By name: tokens. */
const as: Record<string, { id: string; kId: string; token: string }> = {}
let caseId: string
let evidence: string[]

beforeAll(async () => {
  given = await givenStation()
  for (const name of ['maker', 'taker', 'viewer', 'stranger']) {
    const connection = await given.integration(
      name,
      name === 'maker' ? ['CreateCases', 'AccessUnassociatedFiles:Edit'] : [],
    )
    as[name] = {
      id: connection.ServicePrincipalId,
      kId: connection.ServicePrincipalKey.kid as string,
      token: await signIn(connection, given.url),
    }
  }
  evidence = []
  for (const text of ['one', 'two']) {
    const { evidenceId } = await given.completed(Buffer.from(`what ${text} said\n`), { name: `${text}.txt` })
    await given.settled(evidenceId)
    evidence.push(evidenceId)
  }
  caseId = (await given.expecting(201, call('maker', 'POST', CASES, { Title: 'Theft, Market Street' }))).CaseId
  await given.expecting(
    204,
    call('maker', 'POST', `${CASES}/${caseId}/link-evidences`, {
      Evidences: evidence.map((EvidenceId) => ({ EvidenceId })),
    }),
  )
  await share({ taker: 'Download', viewer: 'View' })
}, 60_000)
afterAll(() => given?.close())

const JOBS = '/api/v1/tenant/station/job'

/** The stream of jobs as somebody gets it: what the jobs that make packages are about. */
async function listening(who: string): Promise<{ told: () => string[]; close: () => void }> {
  const abort = new AbortController()
  const response = await fetch(`${given.url}${JOBS}/events`, {
    headers: { authorization: `Bearer ${as[who]?.token}` },
    signal: abort.signal,
  })
  let text = ''
  void (async () => {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>)
      text += Buffer.from(chunk).toString('utf8')
  })().catch(() => {})
  const told = (): string[] =>
    [...text.matchAll(/^data: (.*)$/gm)]
      .map(([, data]) => JSON.parse(data as string))
      .filter(({ Kind }) => Kind === 'package.make')
      .map(({ Subject }) => Subject)
  return { told, close: () => abort.abort() }
}

const call = (who: string, method: string, place: string, body?: unknown) =>
  given.call(method, place, { token: as[who]?.token ?? null, ...(body === undefined ? {} : { body }) })

async function share(levels: Record<string, string>): Promise<void> {
  const AccessPolicies = Object.entries(levels).map(([who, Permissions]) => ({
    Permissions,
    PrincipalId: as[who]?.id,
    KId: as[who]?.kId,
    PrincipalType: 'service',
  }))
  await given.expecting(200, call('maker', 'POST', `${CASES}/${caseId}/share`, { AccessPolicies }))
}

async function ended(who: string, id: string): Promise<Json> {
  for (let tries = 0; tries < 300; tries++) {
    const found = await given.expecting(200, call(who, 'GET', `${PACKAGES}/${id}`))
    if (found.State !== 'Waiting' && found.State !== 'Making') return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(
    `the package did not end: ${JSON.stringify(await given.expecting(200, call(who, 'GET', `${PACKAGES}/${id}`)))} ${JSON.stringify(given.database((db) => db.prepare('SELECT * FROM jobs WHERE subject = ?').all(`package:${id}`)))}`,
  )
}

describe('a package of a case', () => {
  let made: Json
  it('is made by a job, for somebody who may download it', async () => {
    const ordered = await given.expecting(201, call('taker', 'POST', `${PACKAGES}/case/${caseId}`, CHOSEN))
    expect(ordered).toMatchObject({ Title: 'Theft, Market Street', CaseId: caseId, Items: 2, CanDownload: false })
    made = await ended('taker', ordered.PackageId)
    expect(made).toMatchObject({ State: 'Made', Problem: null, CanDownload: true, Papers: ['certificate-902-14'] })
    const acts = given.ledger().filter(({ object }) => object.type === 'package' && object.id === made.PackageId)
    expect(
      acts.map(({ action, actor }) => [action, actor.name]).filter(([action]) => action !== 'package.read'),
    ).toEqual([
      ['package.ordered', 'taker'],
      ['package.begun', 'taker'],
      ['package.made', 'taker'],
    ])
  })

  it('is handed out whole and in ranges, and holds by its own lists', async () => {
    const reply = await call('taker', 'GET', `${PACKAGES}/${made.PackageId}/file`)
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/zip'])
    const folder = path.join(given.dir, 'unpacked')
    mkdirSync(folder)
    writeFileSync(path.join(folder, 'package.zip'), reply.bytes)
    execFileSync('unzip', ['-q', 'package.zip'], { cwd: folder })
    const checked = execFileSync(
      'sh',
      ['-c', `cd ${made.Name} && sha256sum -c --strict manifest-sha256.txt tagmanifest-sha256.txt`],
      {
        cwd: folder,
        encoding: 'utf8',
      },
    )
    expect(checked).toContain('data/0001_one.txt: OK')
    const part = await given.call('GET', `${PACKAGES}/${made.PackageId}/file`, {
      token: as['taker']?.token ?? null,
      headers: { range: 'bytes=0-3' },
    })
    expect([part.status, part.text]).toEqual([206, 'PK\u0003\u0004'])
    const receipt = await call('taker', 'GET', `${PACKAGES}/${made.PackageId}/receipt`)
    expect([receipt.status, receipt.text.slice(0, 5)]).toEqual([200, '%PDF-'])
  })

  it('is seen by who may download the case, and by nobody else', async () => {
    const names = async (who: string, query = ''): Promise<string[]> =>
      (await given.expecting(200, call(who, 'GET', `${PACKAGES}${query}`))).Items.map(({ Name }: Json) => Name)
    expect(await names('maker')).toEqual([made.Name])
    expect(await names('taker', `?caseId=${caseId}`)).toEqual([made.Name])
    for (const who of ['viewer', 'stranger']) {
      expect(await names(who)).toEqual([])
      for (const [method, place] of [
        ['GET', ''],
        ['GET', '/file'],
        ['GET', '/receipt'],
        ['POST', '/stop'],
        ['POST', '/resume'],
        ['DELETE', '/file'],
      ] as const)
        expect(
          (await call(who, method, `${PACKAGES}/${made.PackageId}${place}`)).status,
          `${who} ${method} ${place}`,
        ).toBe(404)
    }
  })

  it('S16: its job is told to who sees the package, in the list and as it goes, and nobody else stops it by the job', async () => {
    const jobsOf = async (who: string): Promise<string[]> =>
      (await given.expecting(200, call(who, 'GET', JOBS)))
        .filter(({ Kind }: Json) => Kind === 'package.make')
        .map(({ Subject }: Json) => Subject)
    const subject = `package:${made.PackageId}`
    for (const who of ['maker', 'taker']) expect(await jobsOf(who), who).toContain(subject)
    for (const who of ['viewer', 'stranger']) expect(await jobsOf(who), who).toEqual([])
    const [job] = await given.expecting(200, call('taker', 'GET', JOBS))
    expect(job).toMatchObject({ Subject: subject, Evidence: null })
    expect((await call('taker', 'POST', `${JOBS}/${job.JobId}/cancel`)).status).toBe(404)
    const heard = {
      taker: await listening('taker'),
      maker: await listening('maker'),
      viewer: await listening('viewer'),
    }
    const mine = await given.expecting(201, call('taker', 'POST', PACKAGES, { EvidenceIds: evidence, ...CHOSEN }))
    await ended('taker', mine.PackageId)
    await vi.waitUntil(() => heard.taker.told().includes(`package:${mine.PackageId}`), { timeout: 10_000 })
    // Of a selection: its maker alone.
    expect([heard.maker.told(), heard.viewer.told()]).toEqual([[], []])
    for (const one of Object.values(heard)) one.close()
  })

  it('is removed from the station, and its record stays', async () => {
    const file = given.database((db) =>
      db.prepare('SELECT target FROM packages WHERE package_id = ?').pluck().get(Number(made.PackageId)),
    ) as string
    const folder = path.dirname(file)
    expect(existsSync(folder)).toBe(true)
    await given.expecting(204, call('taker', 'DELETE', `${PACKAGES}/${made.PackageId}/file`))
    expect(existsSync(folder)).toBe(false)
    expect((await call('taker', 'GET', `${PACKAGES}/${made.PackageId}/file`)).status).toBe(409)
    expect(await given.expecting(200, call('taker', 'GET', `${PACKAGES}/${made.PackageId}`))).toMatchObject({
      State: 'Made',
      CanDownload: false,
    })
  })
})

describe('S4: a package', () => {
  it('is refused to who may only view, and to a stranger', async () => {
    const viewer = await call('viewer', 'POST', `${PACKAGES}/case/${caseId}`, CHOSEN)
    expect(viewer.status).toBe(403)
    expect((await call('stranger', 'POST', `${PACKAGES}/case/${caseId}`, CHOSEN)).status).toBe(403)
    for (const who of ['viewer', 'stranger']) {
      const reply = await call(who, 'POST', PACKAGES, { EvidenceIds: evidence, ...CHOSEN })
      expect(reply.status).toBe(who === 'viewer' ? 403 : 404)
    }
  })

  it('of a case refuses when one item may not be downloaded, and names it', async () => {
    const { evidenceId } = await given.completed(Buffer.from('sealed\n'), { name: 'sealed.txt' })
    await given.settled(evidenceId)
    // Linked by the station alone, so that the rights of the case do not count for it.
    await given.expecting(
      204,
      call('maker', 'POST', `${CASES}/${caseId}/link-evidences`, { Evidences: [{ EvidenceId: evidenceId }] }),
    )
    await given.meddle((db) => {
      db.prepare("UPDATE case_links SET kind = 'Automatic', confirmed = 0 WHERE evidence_id = ?").run(
        Number(evidenceId),
      )
      db.prepare("INSERT INTO evidence_policies (evidence_id, principal_id, level) VALUES (?, ?, 'View')").run(
        Number(evidenceId),
        Number(as['taker']?.id),
      )
    })
    try {
      const refused = await call('taker', 'POST', `${PACKAGES}/case/${caseId}`, CHOSEN)
      expect([refused.status, refused.json.ErrorCode, refused.json.Message]).toEqual([
        400,
        'NotAllDownloadable',
        expect.stringContaining(`Evidence ${evidenceId} may not be downloaded`),
      ])
    } finally {
      await given.meddle((db) => db.prepare('DELETE FROM case_links WHERE evidence_id = ?').run(Number(evidenceId)))
    }
  })

  /** Of the person who orders, on every case. */
  const rightGone = (): string => `DELETE FROM case_policies WHERE principal_id = ${Number(as['taker']?.id)}`

  it('is not ordered when the right goes between the look and the record', async () => {
    const before = given.database((db) => db.prepare('SELECT count(*) FROM packages').pluck().get())
    // The right goes while the package is recorded.
    await given.meddle((db) => createTrigger(db, { name: 'right_gone', table: 'packages', does: rightGone() }))
    try {
      const refused = await call('taker', 'POST', `${PACKAGES}/case/${caseId}`, CHOSEN)
      expect([refused.status, refused.json.ErrorCode]).toEqual([400, 'NotAllDownloadable'])
    } finally {
      await given.meddle((db) => dropTrigger(db, 'right_gone', 'packages'))
    }
    expect(given.database((db) => db.prepare('SELECT count(*) FROM packages').pluck().get())).toBe(before)
  })

  it('ends when the right goes while it waits, and is not handed out when it goes afterwards', async () => {
    // The right is gone before the job begins.
    await given.meddle((db) =>
      createTrigger(db, { name: 'right_gone', table: 'jobs', when: "NEW.kind = 'package.make'", does: rightGone() }),
    )
    let id: string
    try {
      id = (await given.expecting(201, call('taker', 'POST', `${PACKAGES}/case/${caseId}`, CHOSEN))).PackageId
    } finally {
      await given.meddle((db) => dropTrigger(db, 'right_gone', 'jobs'))
    }
    const failed = await ended('taker', id)
    expect(failed).toMatchObject({ State: 'Failed', Problem: expect.stringContaining('may not be downloaded') })
    expect((await call('taker', 'POST', `${PACKAGES}/${id}/resume`)).json.ErrorCode).toBe('NotAllDownloadable')
    await share({ taker: 'Download', viewer: 'View' })
    await given.expecting(200, call('taker', 'POST', `${PACKAGES}/${id}/resume`))
    expect((await ended('taker', id)).State).toBe('Made')
    await given.meddle((db) =>
      db.prepare('DELETE FROM case_policies WHERE principal_id = ?').run(Number(as['taker']?.id)),
    )
    const kept = await call('taker', 'GET', `${PACKAGES}/${id}/file`)
    expect([kept.status, kept.text]).toEqual([409, expect.stringContaining('may not be downloaded')])
    await share({ taker: 'Download', viewer: 'View' })
  })
})

it('S4: ends when whoever ordered it has no account any more, before it is made', async () => {
  const gone = `UPDATE principals SET enabled = 0 WHERE principal_id = ${Number(as['taker']?.id)}`
  await given.meddle((db) =>
    createTrigger(db, { name: 'account_gone', table: 'jobs', when: "NEW.kind = 'package.make'", does: gone }),
  )
  try {
    const { PackageId } = await given.expecting(201, call('taker', 'POST', `${PACKAGES}/case/${caseId}`, CHOSEN))
    // Who can download the case sees the package too.
    expect(await ended('maker', PackageId)).toMatchObject({
      State: 'Failed',
      Problem: expect.stringContaining('has no account that is enabled any more'),
    })
  } finally {
    await given.meddle((db) => {
      dropTrigger(db, 'account_gone', 'jobs')
      db.exec(gone.replace('= 0', '= 1'))
    })
  }
})

it('that was cut off between its entry and its name is made by its job', async () => {
  const { PackageId } = await given.expecting(
    201,
    call('maker', 'POST', PACKAGES, { EvidenceIds: evidence, ...CHOSEN }),
  )
  const made = await ended('maker', PackageId)
  const target = given.database((db) =>
    db.prepare('SELECT target FROM packages WHERE package_id = ?').pluck().get(Number(PackageId)),
  ) as string
  rmSync(target)
  await given.meddle((db) =>
    db
      .prepare("UPDATE jobs SET state = 'queued', run_after = 0, attempts = 0 WHERE subject = ?")
      .run(`package:${PackageId}`),
  )
  // Any other job makes the queue look.
  await given.expecting(201, call('maker', 'POST', PACKAGES, { EvidenceIds: evidence.slice(0, 1), ...CHOSEN }))
  await vi.waitUntil(() => existsSync(target), { timeout: 20_000 })
  expect(await ended('maker', PackageId)).toMatchObject({ State: 'Made', CanDownload: true, Name: made.Name })
})

it('is of its maker alone when it is of a selection', async () => {
  const { PackageId } = await given.expecting(
    201,
    call('maker', 'POST', PACKAGES, { EvidenceIds: evidence, ...CHOSEN }),
  )
  await ended('maker', PackageId)
  expect((await call('taker', 'GET', `${PACKAGES}/${PackageId}`)).status).toBe(404)
})

it('of the command line is neither handed out nor removed', async () => {
  const { PackageId } = await given.expecting(
    201,
    call('maker', 'POST', PACKAGES, { EvidenceIds: evidence, ...CHOSEN }),
  )
  await ended('maker', PackageId)
  const elsewhere = path.join(given.dir, 'handed-over.zip')
  writeFileSync(elsewhere, 'what somebody put there')
  await given.meddle((db) =>
    db.prepare('UPDATE packages SET target = ? WHERE package_id = ?').run(elsewhere, Number(PackageId)),
  )
  for (const method of ['GET', 'DELETE'])
    expect((await call('maker', method, `${PACKAGES}/${PackageId}/file`)).status).toBe(409)
  expect(existsSync(elsewhere)).toBe(true)
})

describe('C5: restricted evidence', () => {
  const restriction = (id: string, act = '') => `/api/v1/tenant/station/disclosures/evidence/${id}/restriction${act}`
  const restrict = (id: string) =>
    given.expecting(201, call('maker', 'POST', restriction(id), { Kind: 'do-not-disclose', Reason: 'Names a source' }))
  const lift = (id: string) =>
    given.expecting(200, call('maker', 'POST', restriction(id, '/lift'), { Kind: 'do-not-disclose', Reason: 'Agreed' }))
  const [first, second] = [() => evidence[0] as string, () => evidence[1] as string]

  it('is refused when it is named, and left out of its case, which the answer says', async () => {
    await restrict(second())
    try {
      const named = await call('maker', 'POST', PACKAGES, { EvidenceIds: evidence, ...CHOSEN })
      expect([named.status, named.json.ErrorCode]).toEqual([409, 'EvidenceRestricted'])
      const ordered = await given.expecting(201, call('maker', 'POST', `${PACKAGES}/case/${caseId}`, CHOSEN))
      expect(ordered.LeftOut).toEqual([{ EvidenceId: second(), Title: 'Front desk', Why: 'restricted' }])
      expect(ordered.Items).toBe(1)
      const made = await ended('maker', ordered.PackageId)
      expect(made).toMatchObject({ State: 'Made', LeftOut: null })
      const reply = await call('maker', 'GET', `${PACKAGES}/${made.PackageId}/file`)
      const folder = path.join(given.dir, 'restricted')
      mkdirSync(folder)
      writeFileSync(path.join(folder, 'package.zip'), reply.bytes)
      execFileSync('unzip', ['-q', 'package.zip'], { cwd: folder })
      const withheld = readFileSync(path.join(folder, made.Name, 'meta/withheld.csv'), 'utf8')
      expect(withheld).toContain('do-not-disclose')
      expect(readFileSync(path.join(folder, made.Name, 'manifest-sha256.txt'), 'utf8')).not.toContain('two.txt')
    } finally {
      await lift(second())
    }
  })

  it('ends a package that was ordered before it was restricted', async () => {
    // Restricted before the job begins.
    await given.meddle((db) =>
      createTrigger(db, {
        name: 'restricted',
        table: 'package_items',
        when: `NEW.evidence_id = ${first()}`,
        does: `INSERT INTO evidence_restrictions (evidence_id, kind, reason, set_utc, set_by)
          VALUES (NEW.evidence_id, 'sealed', 'Order of the court', '2026-11-27T10:00:00.000Z', '{}')`,
      }),
    )
    let id: string
    try {
      id = (await given.expecting(201, call('maker', 'POST', PACKAGES, { EvidenceIds: [first()], ...CHOSEN })))
        .PackageId
    } finally {
      await given.meddle((db) => dropTrigger(db, 'restricted', 'package_items'))
    }
    expect(await ended('maker', id)).toMatchObject({
      State: 'Failed',
      Problem: expect.stringContaining('was restricted since'),
    })
    await given.meddle((db) => db.exec("DELETE FROM evidence_restrictions WHERE set_by = '{}'"))
  })
})

it('without a complete file is refused, and nothing is kept of it', async () => {
  const { EvidenceId } = await given.evidence({ Name: 'Empty' })
  const refused = await call('maker', 'POST', PACKAGES, { EvidenceIds: [EvidenceId], ...CHOSEN })
  expect([refused.status, refused.json.ErrorCode]).toEqual([409, 'NothingToPackage'])
})

it('that supplements another says so, holds only what that has not, and tells nobody of one that they do not see', async () => {
  const order = (who: string, Supplements: string | null) =>
    call(who, 'POST', `${PACKAGES}/case/${caseId}`, { ...CHOSEN, Supplements })
  const first = await given.expecting(201, order('maker', null))
  await ended('maker', first.PackageId)
  const nothing = await given.expecting(400, order('maker', first.PackageId))
  expect(nothing.ErrorCode).toBe('NothingToPackage')
  // As a package is marked that was cut off between its entry and its name.
  const mark = (problem: string): Promise<unknown> =>
    given.meddle((db) =>
      db.prepare('UPDATE packages SET problem = ? WHERE package_id = ?').run(problem, Number(first.PackageId)),
    )
  await mark('It may have no name.')
  expect((await order('maker', first.PackageId)).json.ErrorCode).toBe('PackageNotOpen')
  await mark('')
  const { evidenceId } = await given.completed(Buffer.from('what three said\n'), { name: 'three.txt' })
  await given.settled(evidenceId)
  const body = { Evidences: [{ EvidenceId: evidenceId }] }
  await given.expecting(204, call('maker', 'POST', `${CASES}/${caseId}/link-evidences`, body))
  const ordered = await given.expecting(201, order('taker', first.PackageId))
  expect(ordered).toMatchObject({ Items: 1, Supplements: first.PackageId })
  expect(await ended('taker', ordered.PackageId)).toMatchObject({ State: 'Made', Supplements: first.PackageId })
  const ofSelection = await given.expecting(201, call('maker', 'POST', PACKAGES, { EvidenceIds: evidence, ...CHOSEN }))
  await ended('maker', ofSelection.PackageId)
  // Of one of a selection only its maker knows. To others it is not there, which says nothing of what it has.
  for (const unseen of [ofSelection.PackageId, '999999'])
    expect((await order('taker', unseen)).json).toMatchObject({
      ErrorCode: 'PackageNotFound',
      Message: `There is no package ${unseen}.`,
    })
  expect((await order('maker', ofSelection.PackageId)).json).toMatchObject({ ErrorCode: 'SupplementDiffers' })
})

describe('the list of packages', () => {
  it('costs as many statements in a list of many as in one of one', async () => {
    for (let more = 0; more < 3; more++) {
      const { PackageId } = await given.expecting(201, call('maker', 'POST', `${PACKAGES}/case/${caseId}`, CHOSEN))
      expect(await ended('maker', PackageId)).toMatchObject({ State: 'Made' })
    }
    const costOf = async (who: string, count: number): Promise<number> => {
      const list = () => given.expecting(200, call(who, 'GET', `${PACKAGES}?count=${count}`))
      expect((await list()).Items).toHaveLength(count)
      return (await statementsOf(list)).length
    }
    for (const who of ['maker', 'taker']) expect(await costOf(who, 4), who).toBe(await costOf(who, 1))
  })
})
