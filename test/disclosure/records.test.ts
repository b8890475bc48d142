/** Records of what was given to whom: their numbers, what is refused, and that nothing of them is changed later (promise C5). */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DEFENCE, DISCLOSURES, type DisclosureWorld, disclosureStation, PROSECUTOR } from './world.ts'

let world: DisclosureWorld
beforeAll(async () => {
  world = await disclosureStation()
}, 120_000)
afterAll(() => world?.given.close())

it('C5: records a package that was made, with the hash of its signed list and every file in it', async () => {
  const [one, two] = [await world.add('Front desk'), await world.add('Yard', ['a.txt', 'b.txt'])]
  const caseId = await world.newCase('Burglary')
  await world.link(caseId, one, two)
  const made = await world.make(caseId, { variant: 'defence' })
  const before = world.given.ledger().at(-1)?.seq ?? 0
  const record = await world.disclose(caseId, {
    PackageId: made.packageId.split('/').at(-1),
    Medium: 'usb',
    MediumSerial: 'SN-0042',
    Request: { Number: 'R-7', Date: '2026-11-01', Due: '2026-12-01' },
  })
  expect(record).toMatchObject({
    No: 1,
    Chain: 1,
    Supersedes: null,
    Recipient: DEFENCE,
    Package: { Sha256: made.signedSha256, Bytes: made.bytes },
    Medium: 'usb',
    MediumSerial: 'SN-0042',
    Acknowledged: null,
  })
  expect(record.Items.map(({ Number: number, EvidenceId, Kind }: never) => [number, EvidenceId, Kind])).toEqual([
    [1, one, 'original'],
    [2, two, 'original'],
    [3, two, 'original'],
  ])
  const entries = world.given.ledger(before)
  expect(
    entries
      .filter(({ action }) => action === 'disclosure.given')
      .map(({ sha256, detail }) => [sha256, detail?.['evidence']]),
  ).toEqual([[made.signedSha256, [one, two]]])
  expect(
    entries
      .filter(({ action }) => action === 'resource.disclosed')
      .map(({ object, detail }) => [object.id, detail?.['number']]),
  ).toEqual(record.Items.map(({ ResourceId, Number: number }: never) => [ResourceId, number]))
})
