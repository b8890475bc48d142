/** One story from end to end: docked, linked, packaged, disclosed, supplemented, acknowledged, exported, imported, verified. */
// @module-tag merge
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { ExportReport } from '../../server/features/packages/export/export.service.ts'
import type { MadePackage } from '../../server/features/packages/packages.service.ts'
import { dockWorld } from '../dock/world.ts'
import type { Json } from '../support/given.ts'
import { signIn } from '../support/integrator.ts'
import { commandsOf, plainTools } from './plain-tools.ts'
import { emptyStation } from './export-world.ts'

const CASES = '/api/v1/case/station'
const DISCLOSURES = '/api/v1/tenant/station/disclosures'

it('I1, C1, C5, C8: from the camera to another station, and every byte is the one that the camera held', async () => {
  const world = await dockWorld()
  onTestFinished(() => world.close())
  const { given } = world
  const rights = ['CreateCases', 'AccessUnassociatedFiles:Manage']
  const token = await signIn(await given.integration('records', rights), given.url)
  const ok = (status: number, method: string, place: string, body?: unknown): Promise<Json> =>
    given.expecting(status, given.call(method, place, { token, ...(body === undefined ? {} : { body }) }))
  const folder = (name: string): string => {
    const at = path.join(world.root, '..', name)
    mkdirSync(at)
    return at
  }
  const tools = plainTools(folder('plain'))
  /** Every block of the instructions, run by a stranger. */
  const verified = ({ path: at, fingerprint }: MadePackage): void => {
    const blocks = commandsOf(readFileSync(path.join(at, 'VERIFY.txt'), 'utf8'))
    const outputs = blocks.map((script) => {
      const { code, output } = tools.run(at, `AUTHORITY=/none\n${script}`)
      expect(code, `${script}\n${output}`).toBe(0)
      return output
    })
    expect(outputs.join('')).toContain(fingerprint)
  }
  const { CaseId: caseId } = await ok(201, 'POST', CASES, { Title: 'Burglary, 14 Tanner’s Row' })
  const docked = async (bay: string, recordings: readonly number[]): Promise<readonly string[]> => {
    const camera = world.camera(bay, { serial: bay.toUpperCase(), recordings })
    camera.plugIn()
    const session = await world.reached(bay, 'released')
    const { Recordings } = await given.expecting(200, world.get(`/session/${session.DockSessionId}`))
    const Evidences = Recordings.map(({ EvidenceId }: Json) => ({ EvidenceId }))
    await ok(204, 'POST', `${CASES}/${caseId}/link-evidences`, { Evidences })
    return camera.files.map(({ sha256 }) => sha256)
  }
  const packaged = async (name: string, more: Record<string, unknown> = {}): Promise<MadePackage> =>
    (await given.command('package.create', {
      of: { caseId },
      target: folder(name),
      variant: 'defence',
      parts: [],
      papers: ['certificate-902-14'],
      language: 'en',
      ...more,
    })) as MadePackage
  const numberOf = ({ number }: MadePackage): number => Number(number.slice(1))
  const handedOver = { Medium: 'usb', MediumSerial: '4C53-0001', Authority: 'CPIA 1996, s. 3' }
  const due = async (): Promise<Json[]> => (await ok(200, 'GET', `${DISCLOSURES}/due`)).Items

  // Docked, linked, packaged and disclosed.
  const first = await docked('bay-1', [2, 1])
  const made = await packaged('first')
  expect(made.items).toBe(3)
  verified(made)
  const record = await ok(201, 'POST', `${DISCLOSURES}/case/${caseId}`, {
    ...handedOver,
    Recipient: { Name: 'A. Mercer', Role: 'defence', Organisation: 'Mercer & Cole' },
    PackageId: String(numberOf(made)),
  })
  expect(record).toMatchObject({ No: 1, ItemCount: 3, Package: { Sha256: made.signedSha256 } })
  expect(await due()).toEqual([])

  // Something comes in afterwards: a supplement is due, and given.
  const second = await docked('bay-2', [1])
  expect(await due()).toHaveLength(1)
  const supplement = await packaged('supplement', { supplements: numberOf(made) })
  expect([supplement.items, readdirSync(path.join(supplement.path, 'data'))[1]?.slice(0, 4)]).toEqual([1, '0004'])
  verified(supplement)
  await ok(201, 'POST', `${DISCLOSURES}/case/${caseId}`, {
    ...handedOver,
    Supplements: '1',
    PackageId: String(numberOf(supplement)),
  })
  expect(await due()).toEqual([])
  const acknowledgement = { By: 'A. Mercer', How: 'in-person', Witnesses: ['D. Okafor', 'M. Lindqvist'] }
  for (const no of [1, 2])
    await ok(200, 'POST', `${DISCLOSURES}/case/${caseId}/record/${no}/acknowledge`, acknowledgement)

  // Exported, and taken into an empty station.
  const out = folder('export')
  const exported = (await given.command('export', { to: out })) as ExportReport
  const nothing = { changed: [], missing: [], untracked: [] }
  expect(exported.lists).toEqual(nothing)
  const there = await emptyStation()
  onTestFinished(() => there.close())
  const taken = await there.import(out, exported.fingerprint)
  expect(taken).toMatchObject({ state: 'made', problems: [], evidence: 3, cases: 1, lists: nothing })

  // What the cameras held is there, byte for byte, with whom it was given to; both ledgers hold.
  const hashes = new Set(
    there.rows<{ sha256: string }>("SELECT sha256 FROM resources WHERE role = 'original'").map(({ sha256 }) => sha256),
  )
  expect([...first, ...second].every((sha256) => hashes.has(sha256))).toBe(true)
  expect(
    there.rows<{ no: number; items: number }>(
      'SELECT d.no, count(*) AS items FROM disclosures d JOIN disclosure_items i ON i.disclosure_id = d.disclosure_id GROUP BY d.no ORDER BY d.no',
    ),
  ).toEqual([
    { no: 1, items: 3 },
    { no: 2, items: 1 },
  ])
  expect(await there.command('verify', { fast: false })).toMatchObject({ problems: [] })
  const imports = await there.command<Json[]>('imports.verify')
  expect(imports).toMatchObject([{ kind: 'station', entries: exported.entries, problems: [] }])
}, 240_000)
