/** What may not leave the station: in no package and no disclosure, and for the defence in no index and no count (promise C5). */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createTrigger, dropTrigger } from '../../support/rows.ts'
import { namesEvidence } from '../../../server/features/packages/custody-lines.ts'
import { verifyPackage } from '../../../server/features/packages/verify.ts'
import type { Json } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'
import { DISCLOSURES, type DisclosureWorld, disclosureStation, PROSECUTOR } from './world.ts'

let world: DisclosureWorld
beforeAll(async () => {
  world = await disclosureStation()
}, 120_000)
afterAll(() => world?.given.close())

const SECRET = 'Informant at the harbour'

const textsIn = (folder: string): Map<string, string> =>
  new Map(
    (readdirSync(folder, { recursive: true }) as string[])
      .filter((name) => statSync(path.join(folder, name)).isFile() && !name.endsWith('.pdf'))
      .map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]),
  )

/** A case with two evidences, the second one of which may not leave. */
async function secretCase(kind = 'do-not-disclose', to: DisclosureWorld = world) {
  const caseId = await to.newCase('Burglary')
  const [open, secret] = [await to.add('Front desk'), await to.add(SECRET)]
  await to.link(caseId, open, secret)
  await to.restrict(secret, kind)
  return { caseId, open, secret }
}

it('C5: the list of a case names what goes into no disclosure, until that is lifted', async () => {
  const { caseId, secret } = await secretCase()
  await world.restrict(secret, 'privileged')
  const restricted = async () => (await world.ok(200, 'GET', `${DISCLOSURES}/case/${caseId}`)).Restricted
  expect(await restricted()).toEqual([{ EvidenceId: secret, Kinds: ['do-not-disclose', 'privileged'] }])
  await world.lift(secret)
  await world.lift(secret, 'privileged')
  expect(await restricted()).toEqual([])
})

describe('a package', () => {
  it.each(['do-not-disclose', 'privileged', 'sealed'])(
    'C5: of a case leaves out what is %s, and says that it is withheld',
    async (kind) => {
      const { caseId, secret } = await secretCase(kind)
      const made = await world.make(caseId)
      expect(made.items).toBe(1)
      expect(made.leftOut).toEqual([{ evidenceId: Number(secret), title: SECRET, why: 'restricted' }])
      const texts = textsIn(made.path)
      expect(texts.get('meta/withheld.csv')).toContain(`"1","${SECRET}","${kind}","records"`)
      expect(texts.get('README.html')).toContain('1 item exists and is not in this package')
      expect(texts.get('forms/schedule.csv')?.split('\r\n').slice(1, 3)).toEqual([
        expect.stringMatching(/^"list","1","0001_one.txt","original","\d+","[0-9a-f]{64}"/),
        `"MG6D","1","","","","","${SECRET}","${kind}","Names a witness","records"`,
      ])
      expect((await verifyPackage(made.path)).problems).toEqual([])
    },
  )

  it('C5: for the defence has no word of it, and no count', async () => {
    const { caseId, open, secret } = await secretCase()
    // Entries about what is in the package may name it too.
    await world.restrict(open, 'privileged')
    await world.lift(open, 'privileged')
    const made = await world.make(caseId, { variant: 'defence' })
    const texts = textsIn(made.path)
    for (const [name, text] of texts) {
      expect(text, name).not.toContain(SECRET)
      expect(text, name).not.toMatch(/MG6D|do-not-disclose|restriction\./)
    }
    expect(texts.get('README.html')).not.toMatch(/exists? (?:and|that)/)
    expect(texts.get('meta/withheld.csv')?.trim().split('\r\n')).toHaveLength(1)
    expect(texts.get('meta/custody.jsonl')).not.toContain(`"${secret}"`)
    expect(readdirSync(path.join(made.path, 'data'))).toHaveLength(2)
    // A proof of an entry that names it would be a count of it.
    const proved = new Set(
      texts
        .get('meta/proofs.txt')
        ?.split('\n')
        .map((line) => Number(line.split(' ')[0])),
    )
    const naming = world.given
      .ledger()
      .filter((entry) => namesEvidence({ seq: entry.seq, canonical: '', entry }, new Set([secret])))
    expect(naming.length).toBeGreaterThan(0)
    expect(naming.filter(({ seq }) => proved.has(seq))).toEqual([])
  })

  it('C5: for the defence says how many where the station lets the count be known', async () => {
    const telling = await disclosureStation({ settings: { defenceKnowsCount: true } })
    onTestFinished(() => telling.given.close())
    const { caseId } = await secretCase('do-not-disclose', telling)
    const texts = textsIn((await telling.make(caseId, { variant: 'defence' })).path)
    expect(texts.get('README.html')).toContain('1 item exists that is neither in this package nor described in it.')
    expect([...texts.values()].join('\n')).not.toContain(SECRET)
  })

  it('C5: is refused when what is restricted is named', async () => {
    const { caseId, open, secret } = await secretCase()
    await expect(world.make(caseId, { of: { evidenceIds: [open, secret] } })).rejects.toThrow(/may not be disclosed/)
    // Of a case with nothing else there is none either.
    await world.restrict(open)
    await expect(world.make(caseId)).rejects.toThrow(/no complete file/)
  })

  it('C5: ends when evidence is restricted while it is made, and nothing of it is left', async () => {
    const caseId = await world.newCase('Meanwhile')
    const id = await world.add('Yard')
    await world.link(caseId, id)
    const target = world.folder('meanwhile')
    const meanwhile = {
      name: 'meanwhile',
      table: 'package_items',
      does: `INSERT INTO evidence_restrictions (evidence_id, kind, reason, set_utc, set_by)
        VALUES (${Number(id)}, 'sealed', 'x', '2026-11-27T00:00:00Z', '{}')`,
    }
    await world.given.meddle((db) => createTrigger(db, meanwhile))
    try {
      await expect(world.make(caseId, { target })).rejects.toThrow(
        /was restricted \(sealed\) while the package was made/,
      )
    } finally {
      await world.given.meddle((db) => dropTrigger(db, meanwhile.name, meanwhile.table))
    }
    expect(readdirSync(target)).toEqual([])
  })

  it('C5: numbers go on from one package and one record to the next', async () => {
    const { caseId, open, secret } = await secretCase()
    await world.make(caseId)
    const more = await world.add('Yard')
    await world.link(caseId, more)
    const numbers = (made: { path: string }): string[] =>
      [...(textsIn(made.path).get('forms/schedule.csv') ?? '').matchAll(/^"(list|MG6D)","(\d+)"/gm)].map(
        ([, series, number]) => `${series} ${number}`,
      )
    expect(numbers(await world.make(caseId))).toEqual(['list 1', 'list 2', 'MG6D 1'])
    const record = await world.disclose(caseId, { Recipient: PROSECUTOR, EvidenceIds: [more, open] })
    expect(record.Items.map(({ Number: number }: Json) => number)).toEqual([1, 2])
    expect(record.Withheld).toMatchObject([{ EvidenceId: secret, Basis: 'MG6D', Number: 1, Restricted: true }])
  })

  it('C5: made at the same time as another one of the case has the same numbers', async () => {
    const { caseId } = await secretCase()
    const both = await Promise.all([world.make(caseId), world.make(caseId)])
    const [one, two] = both.map((made) => textsIn(made.path).get('forms/schedule.csv'))
    expect(one).toBe(two)
  })
})

describe('a disclosure', () => {
  it('C5: is refused when what is restricted is named, or is in the package since', async () => {
    const { caseId, open, secret } = await secretCase()
    const asked = async (more: Json): Promise<unknown[]> => {
      const body = { Recipient: PROSECUTOR, Authority: 'x', Medium: 'handover', ...more }
      const { status, json } = await world.call('POST', `${DISCLOSURES}/case/${caseId}`, body)
      return [status, json.ErrorCode]
    }
    expect(await asked({ EvidenceIds: [open, secret] })).toEqual([409, 'EvidenceRestricted'])
    const made = await world.make(caseId)
    await world.restrict(open)
    expect(await asked({ PackageId: made.packageId.split('/').at(-1) })).toEqual([409, 'EvidenceRestricted'])
    const line = { EvidenceId: secret, Description: 'x', Ground: 'x', Basis: 'MG6C' }
    expect(await asked({ Withheld: [line] })).toEqual([400, 'InvalidModel'])
  })

  it('C5: says of restricted evidence that it was withheld, whether somebody names it or not', async () => {
    const { caseId, open, secret } = await secretCase('privileged')
    const record = await world.disclose(caseId, { EvidenceIds: [open] })
    expect(record.Withheld).toMatchObject([
      { EvidenceId: secret, Basis: 'MG6D', Ground: 'privileged', Reasons: 'Names a witness', Restricted: true },
    ])
  })
})

describe('a restriction', () => {
  const place = (id: string, rest = ''): string => `${DISCLOSURES}/evidence/${id}/restriction${rest}`

  it('is set and lifted with a reason, once, and both are in the ledger', async () => {
    const id = await world.add('Yard')
    const before = world.given.ledger().at(-1)?.seq ?? 0
    await world.restrict(id)
    const again = await world.call('POST', place(id), { Kind: 'do-not-disclose', Reason: 'x' })
    expect([again.status, again.json.ErrorCode]).toEqual([409, 'AlreadyRestricted'])
    await world.restrict(id, 'privileged')
    await world.lift(id)
    const lifted = await world.call('POST', place(id, '/lift'), { Kind: 'do-not-disclose', Reason: 'x' })
    expect([lifted.status, lifted.json.ErrorCode]).toEqual([409, 'NotRestricted'])
    const { Items } = await world.ok(200, 'GET', place(id))
    expect(Items).toMatchObject([
      { Kind: 'privileged', Lifted: null },
      { Kind: 'do-not-disclose', Reason: 'Names a witness', Lifted: { Reason: 'The witness agreed' } },
    ])
    expect(
      world.given
        .ledger(before)
        .filter(({ action, outcome }) => action.startsWith('restriction.') && outcome === 'ok')
        .map(({ action, object, reason }) => [action, object.id, reason]),
    ).toEqual([
      ['restriction.set', id, 'Names a witness'],
      ['restriction.set', id, 'Names a witness'],
      ['restriction.lifted', id, 'The witness agreed'],
      ['restriction.read', id, null],
    ])
    expect((await world.call('POST', place(id), { Kind: 'sealed', Reason: '  ' })).status).toBe(400)
  })

  it('S19: needs Edit, and Manage where it is sealed', async () => {
    const id = await world.add('Yard')
    const editor = await signIn(
      await world.given.integration('editor', ['AccessUnassociatedFiles:Edit']),
      world.given.url,
    )
    const viewer = await signIn(
      await world.given.integration('viewer', ['AccessUnassociatedFiles:View']),
      world.given.url,
    )
    const set = async (token: string, Kind: string): Promise<number> =>
      (await world.call('POST', place(id), { Kind, Reason: 'x' }, token)).status
    const lift = async (token: string, kind: string): Promise<number> =>
      (await world.call('POST', place(id, '/lift'), { Kind: kind, Reason: 'x' }, token)).status
    expect([await set(viewer, 'privileged'), await set(editor, 'sealed')]).toEqual([403, 403])
    await world.restrict(id, 'sealed')
    expect([await set(editor, 'privileged'), await lift(editor, 'sealed'), await lift(viewer, 'privileged')]).toEqual([
      201, 403, 403,
    ])
    expect((await world.call('GET', place(id), undefined, viewer)).status).toBe(403)
    expect([await lift(editor, 'privileged'), await lift(world.token, 'sealed')]).toEqual([200, 200])
  })
})
