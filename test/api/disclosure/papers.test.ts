/** The receipt and the schedules of a disclosure, over HTTP and from the terminal. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Reply } from '../../support/given.ts'
import { drawInTurn } from '../../../server/platform/pdf/papers/drawing-thread.ts'
import { said, type Words } from '../../../server/platform/pdf/papers/paper.ts'
import { readPaper, tight } from '../reports/paper.ts'
import { DEFENCE, DISCLOSURES, type DisclosureWorld, disclosureStation, PROSECUTOR } from './world.ts'

const SECRET = 'Informant at the harbour'
let world: DisclosureWorld
let caseId: string
let given: string
beforeAll(async () => {
  world = await disclosureStation()
  caseId = await world.newCase('Burglary, 14 Tanner’s Row')
  given = await world.add('Front desk', ['=cmd.txt', 'b.txt'])
  const [secret, unused] = [await world.add(SECRET), await world.add('Yard')]
  await world.link(caseId, given, secret, unused)
  await world.restrict(secret, 'privileged')
  const unusedLine = {
    EvidenceId: unused,
    Description: 'Recording of the yard; nobody is seen',
    Ground: 'not relevant',
    Basis: 'MG6C',
  }
  const Request = { Number: 'R-7', Date: '2026-11-01', Due: '2026-12-01' }
  await world.disclose(caseId, {
    EvidenceIds: [given],
    Withheld: [unusedLine],
    Request,
    Medium: 'usb',
    MediumSerial: 'SN-0042',
  })
  await world.disclose(caseId, { Recipient: PROSECUTOR, EvidenceIds: [given], Withheld: [unusedLine] })
}, 120_000)
afterAll(() => world?.given.close())

const printed = (no: number, rest: string): Promise<Reply> =>
  world.call('GET', `${DISCLOSURES}/case/${caseId}/record/${no}/${rest}`)
const wordsOf = ({ bytes }: Reply): string => tight(readPaper(world.given.dir, bytes).pages.join('\n'))

describe('schedules', () => {
  it('C5: as CSV have the lines of their series, and no formula', async () => {
    const list = await printed(1, 'schedule?format=csv')
    expect(list.headers.get('content-type')).toContain('text/csv')
    const lines = list.text.replace('\uFEFF', '').trim().split('\r\n')
    expect(lines[0]).toBe('"Schedule","No","File","Kind","Bytes","Sha256","Description","Ground","Reasons","DecidedBy"')
    expect(lines.slice(1).map((line) => line.split(',').slice(0, 4).join(','))).toEqual([
      `"list","1","'=cmd.txt","original"`,
      '"list","2","b.txt","original"',
    ])
    const unused = await printed(1, 'schedule?format=csv&schedule=MG6C')
    expect(unused.text).toContain(
      '"MG6C","1","","","","","Recording of the yard; nobody is seen","not relevant","","records"',
    )
    const sensitive = await printed(2, 'schedule?format=csv&schedule=MG6D')
    expect(sensitive.text).toContain(`"MG6D","1","","","","","${SECRET}","privileged","Names a witness","records"`)
  })

  it('C5: MG6D and MG6E are in nothing for the defence', async () => {
    for (const rest of ['schedule?schedule=MG6D&format=csv', 'schedule?schedule=MG6D', 'schedule?schedule=MG6E']) {
      const { status, json } = await printed(1, rest)
      expect([status, json.ErrorCode]).toEqual([409, 'ScheduleSensitive'])
    }
    for (const rest of ['receipt', 'schedule', 'schedule?schedule=MG6C'])
      expect(wordsOf(await printed(1, rest))).not.toMatch(/Informant|MG6D|privileged/)
    for (const rest of ['schedule?format=csv', 'schedule?schedule=MG6C&format=csv'])
      expect((await printed(1, rest)).text).not.toMatch(/Informant|MG6D|privileged/)
  })

  it('as PDF say what they are, with fonts inside, and the sensitive one so on top', async () => {
    const reply = await printed(2, 'schedule?schedule=MG6D')
    const paper = readPaper(world.given.dir, reply.bytes)
    expect(paper.title).toBe('Schedule of sensitive material (MG6D)')
    const words = tight(paper.pages.join('\n'))
    for (const part of ['SENSITIVE–notforthedefence', 'Namesawitness', SECRET, 'J.Okafor', 'Burglary,14Tanner’sRow'])
      expect(words).toContain(tight(part))
    // Every font has its letters with it.
    for (const line of paper.fonts.trim().split('\n').slice(2)) expect(line).toMatch(/ yes yes /)
    const french = readPaper(world.given.dir, (await printed(2, 'schedule?schedule=MG6C&language=fr')).bytes)
    expect(french.title).toBe('Bordereau des pièces non sensibles non utilisées (MG6C)')
  })

  it('MG6E names the numbers of the others, and leaves blank what an officer must say', async () => {
    const words = wordsOf(await printed(2, 'schedule?schedule=MG6E'))
    for (const part of [
      'Onthelistofdisclosedmaterial:1to2',
      'OnMG6C:1',
      'OnMG6D:1',
      'Nameandrankofthedisclosureofficer',
    ])
      expect(words).toContain(part)
    const csv = await printed(2, 'schedule?schedule=MG6E&format=csv')
    expect([csv.status, csv.json.ErrorCode]).toEqual([400, 'InvalidModel'])
  })
})

describe('the receipt', () => {
  it('has the recipient, how it was sent, every item, and lines to sign', async () => {
    const reply = await printed(1, 'receipt')
    const entry = world.given.ledger().find(({ action, object }) => action === 'disclosure.given' && object.id === '1')
    const words = wordsOf(reply)
    for (const part of [
      `${DEFENCE.Name}, ${DEFENCE.Organisation} (defence) [${entry?.seq}]`,
      'USB medium SN-0042',
      'R-7 of 1 Nov 2026, due 1 Dec 2026',
      '=cmd.txt',
      'b.txt',
      'Signature of the recipient',
      'the 2',
    ])
      expect(words).toContain(tight(part))
    expect(reply.headers.get('content-disposition')).toMatch(
      /^attachment; filename="Disclosure \d{4}-\d{6} 1 receipt\.pdf"$/,
    )
  })

  it('has the terms of the station where it keeps a template of its own', async () => {
    const folder = path.join(world.given.data, 'papers')
    mkdirSync(folder, { recursive: true })
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = path.join(folder, 'disclosure-receipt.en.txt')
    writeFileSync(
      file,
      '# Received\nUnder section 12 {{recipientName}} keeps this to themselves.\n\n{{items}}\n\n[[Signed]]\n',
    )
    expect(wordsOf(await printed(1, 'receipt'))).toContain('Undersection12A.Mercer')
    // What is not for the recipient is no fact of a receipt.
    writeFileSync(file, 'On MG6D: {{sensitiveNumbers}}.\n')
    const refused = await printed(2, 'receipt')
    expect([refused.status, refused.json.ErrorCode]).toEqual([409, 'PaperTemplateUnusable'])
    expect(refused.json.Message).toContain('there is no fact {{sensitiveNumbers}}')
  })
})

describe('the terminal', () => {
  const run = (command: string, args: Record<string, unknown>) => world.given.command(command, args)
  it('records, lists, acknowledges and prints as the routes do', async () => {
    const own = await world.newCase('From the terminal')
    const id = await world.add('Front desk')
    await world.link(own, id)
    const body = { Recipient: DEFENCE, Authority: 'x', Medium: 'handover', EvidenceIds: [id] }
    expect(await run('disclosure.create', { caseId: own, body })).toMatchObject({ No: 1, ItemCount: 1 })
    expect(
      await run('disclosure.create', { caseId: own, supersedes: '1', body: { ...body, Reason: 'wrong' } }),
    ).toMatchObject({ No: 2, Supersedes: 1 })
    const { Items } = await run('disclosure.list', { caseId: own })
    expect(Items).toHaveLength(2)
    const acknowledged = { By: 'A. Mercer', How: 'in-person', Witnesses: ['a', 'b'] }
    expect(await run('disclosure.acknowledge', { caseId: own, no: '2', body: acknowledged })).toMatchObject({
      Acknowledged: { By: 'A. Mercer' },
    })
    const made = await run('disclosure.schedule', {
      caseId: own,
      no: '2',
      schedule: 'list',
      format: 'csv',
      language: 'en',
    })
    expect(Buffer.from(made.base64, 'base64').toString()).toContain('"list","1","one.txt"')
    const acts = world.given
      .ledger()
      .filter(({ source, action }) => source === 'cli' && action.startsWith('disclosure.'))
    expect(acts.map(({ action }) => action)).toEqual([
      'disclosure.given',
      'disclosure.superseded',
      'disclosure.listed',
      'disclosure.acknowledged',
      'disclosure.printed',
    ])
    await expect(
      run('disclosure.schedule', { caseId: own, no: '2', schedule: 'MG6D', format: 'csv', language: 'en' }),
    ).rejects.toThrow(/not for this recipient/)
  })
})

describe('the record sheet of a case', () => {
  const sheet = (rest: string): Promise<Reply> =>
    world.call('GET', `${DISCLOSURES}/case/${caseId}/record-sheet?${rest}`)

  it('C5: has what was decided and done, in the order of the ledger, each line with its entry', async () => {
    await world.ok(201, 'POST', `${DISCLOSURES}/case/${caseId}/request`, {
      Recipient: DEFENCE,
      What: 'All of it',
      Number: 'R-9',
    })
    const { text, headers } = await sheet('format=csv')
    expect(headers.get('content-type')).toContain('text/csv')
    const lines = text
      .replace('\uFEFF', '')
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split('","'))
    expect(lines.map(([, , act]) => act)).toEqual(['evidence restricted', 'disclosed', 'disclosed', 'request recorded'])
    expect(lines[3]?.[3]).toContain('All of it; R-9')
    expect(lines[1]?.[3]).toBe('No. 1; A. Mercer, Mercer & Cole, defence; files: 2; withheld: 2')
    const stated = new Map(world.given.ledger().map(({ seq, action }) => [seq, action]))
    expect(lines.map(([seq]) => stated.get(Number(seq?.replace('"', ''))))).toEqual([
      'restriction.set',
      'disclosure.given',
      'disclosure.given',
      'disclosure.asked',
    ])
  })

  it('as PDF says that it is sensitive, in both languages', async () => {
    for (const [language, title, banner] of [
      ['en', 'Disclosure record sheet', 'SENSITIVE'],
      ['fr', 'Registre de la communication', 'SENSIBLE'],
    ] as const) {
      const words = wordsOf(await sheet(`language=${language}`))
      for (const one of [title, banner, 'R-9']) expect(words).toContain(tight(one))
    }
  })

  it('S4: is for those who may edit the case alone', async () => {
    const other = await world.given.integration('reader', [])
    const { signIn } = await import('../../support/integrator.ts')
    const reply = await world.call(
      'GET',
      `${DISCLOSURES}/case/${caseId}/record-sheet`,
      undefined,
      await signIn(other, world.given.url),
    )
    expect(reply.status).toBe(403)
  })
})

it('S4: a paper that waited for others is not given to somebody who lost the right meanwhile', async () => {
  const { username, password } = { username: 'clerk', password: 'a long enough password' }
  const command = { username, password, group: null, policies: [], guest: false }
  const { principalId } = await world.given.command('user.create', command)
  const policy = {
    Permissions: 'Edit',
    PrincipalId: principalId,
    PrincipalType: 'user',
    KId: `urn:user:station:${username}:${principalId}`,
  }
  const body = { Username: username, Password: password, NoticeId: 'default' }
  const session = await world.given.call('POST', '/connect/session', { token: null, body })
  const headers = { cookie: session.headers.get('set-cookie')?.split(';')[0] as string, origin: world.given.url }
  const ends = Date.now() + 2_000
  await world.ok(200, 'POST', `/api/v1/case/station/${caseId}/share`, {
    AccessPolicies: [policy],
    ExpirationDateUtc: new Date(ends).toISOString(),
  })
  let release = (): void => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  async function* rows(): AsyncGenerator<Words[]> {
    await released
    yield [said('1')]
  }
  const before = drawInTurn(
    {
      title: 'Before',
      banner: null,
      blocks: [{ kind: 'longTable', columns: [{ label: 'No', share: 1 }], rows: rows() }],
    },
    { author: 'x', language: 'en', paper: 'a4', made: new Date(0), foot: '' },
  )
  const places = ['record/1/receipt', 'record/1/schedule', 'record-sheet'].map(
    (rest) => `${DISCLOSURES}/case/${caseId}/${rest}`,
  )
  const asked = places.map((place) => world.given.call('GET', place, { token: null, headers }))
  await new Promise((resolve) => setTimeout(resolve, ends + 200 - Date.now()))
  release()
  await before
  const late = await Promise.all(asked)
  expect(late.map(({ status, text }) => [status, text.startsWith('%PDF')])).toEqual(places.map(() => [403, false]))
})
