/**
 * I3+: what entries say of acts and versions, without the statements of rows. It is what verification knows of a station whose rows were
 * not in the ledger yet: here no recording of rows is found, so that nothing else can tell of a change.
 */
import { copyFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { verifyRows } from '../../server/features/integrity/verification/verify-rows.ts'
import { openRaw } from '../../server/kernel/database/sqlite/raw.ts'
import { type Given, givenStation, type Json } from '../support/given.ts'
import { newPage } from '../api/sessions/page.ts'
import { temporaryFolder } from '../support/station.ts'
import { clipOf } from '../api/documents/clip.ts'

let given: Given
let original: Json
let theCase: Json
let linkedCase: Json
beforeAll(async () => {
  given = await givenStation()
  original = await clipOf({ given })
  await given.settled(original.EvidenceId)
  await given.evidence({ Name: 'Another' })
  const password = 'seven lamps by the harbour'
  const user = { username: 'owner', password, group: null, policies: ['CreateCases'], guest: false }
  await given.command('user.create', user)
  const page = newPage(given.url)
  await page.signIn('owner', password)
  const as = { token: null, headers: { cookie: page.cookie as string, origin: given.url } }
  const cases = '/api/v1/case/station'
  theCase = await given.expecting(201, given.call('POST', cases, { ...as, body: { Title: 'One' } }))
  for (const Title of ['Two', 'Three']) {
    const body = { Title, ConcurrencyId: theCase.ConcurrencyId }
    theCase = await given.expecting(200, given.call('PATCH', `${cases}/${theCase.CaseId}`, { ...as, body }))
  }
  linkedCase = await given.expecting(201, given.call('POST', cases, { ...as, body: { Title: 'With links' } }))
  for (const Name of ['First', 'Second']) {
    const body = { Name, CaseIds: [linkedCase.CaseId] }
    await given.expecting(201, given.call('POST', `${given.documents}/evidence`, { ...as, body }))
  }
  await given.stop()
}, 120_000)
afterAll(() => given?.close())

/** What verification of rows finds in a copy after `change`. */
async function foundAfter(change: string): Promise<string[]> {
  const { dir, dispose } = await temporaryFolder('acts')
  onTestFinished(dispose)
  const file = path.join(dir, 'a.db')
  copyFileSync(given.file, file)
  const db = openRaw(file)
  db.pragma('foreign_keys = 0')
  for (const name of db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").pluck().all() as string[])
    db.exec(`DROP TRIGGER "${name}"`)
  db.exec("UPDATE ledger SET object_type = 'none' WHERE object_type = 'rows'")
  db.exec(change)
  db.close()
  const again = openRaw(file, { readOnly: true })
  onTestFinished(() => void again.close())
  return verifyRows(again).problems.map(({ what, message }) => `${what}: ${message}`)
}

const thumbnail = "(SELECT thumbnail_sha256 FROM resources WHERE thumbnail_sha256 IS NOT NULL AND role = 'original')"
const ofOriginal = (set: string): (() => string) => {
  return () => `UPDATE resources SET ${set} WHERE resource_id = ${original.ResourceId}`
}
const ofBlob = (length: number): (() => string) => {
  return () => `UPDATE blobs SET length = ${length} WHERE sha256 = '${original.Sha256}'`
}
const versionOf = (number: number): string => `entity = 'case' AND entity_id = ${theCase.CaseId} AND number = ${number}`

describe('I3+ acts and versions against the ledger', () => {
  it('no problem is found in a station as it was left', async () => {
    expect(await foundAfter('')).toEqual([])
  })

  it.each<[string, () => string, RegExp]>([
    ['an original points to its own thumbnail', ofOriginal(`sha256 = ${thumbnail}`), /and it points to [0-9a-f]{64}\./],
    [
      'a thumbnail is no original, though an entry says that it is of that resource',
      ofOriginal(`sha256 = ${thumbnail}`),
      /points to [0-9a-f]{64}, and the ledger does not say that these are its bytes\./,
    ],
    ['an original has no bytes', ofOriginal('sha256 = NULL'), /and it points to no bytes\./],
    ['an original failed', ofOriginal("sha256 = NULL, state = 'Failed'"), /and its state is Failed\./],
    ['an original is moved to another evidence', ofOriginal('evidence_id = 2'), /and it is filed under evidence 2\./],
    ['an original is called derived', ofOriginal("role = 'playable'"), /and it is no original any more\./],
    ['a blob of another length, of one byte', ofBlob(1), /and its blob is listed with 1 byte\./],
    ['a blob of another length, of two', ofBlob(2), /and its blob is listed with 2 bytes\./],
    [
      'a resource is gone',
      () => `DELETE FROM resources WHERE resource_id = ${original.ResourceId}`,
      /and there is no such resource any more\./,
    ],
    [
      'an evidence is gone',
      () => `DELETE FROM evidence WHERE evidence_id = ${original.EvidenceId}`,
      /^evidence \d+: Entry \d+ says that it was made, and it is gone\./,
    ],
    [
      'a case is gone',
      () => `DELETE FROM cases WHERE case_id = ${theCase.CaseId}`,
      /^case \d+: Entry \d+ says that it was made, and it is gone\./,
    ],
    [
      'a case has another number',
      () => `UPDATE cases SET case_id = 99 WHERE case_id = ${theCase.CaseId}`,
      /^case 99: No entry says that it was made\./,
    ],
    ['a version is gone', () => `DELETE FROM versions WHERE ${versionOf(2)}`, /^case \d+: Version 2 is missing\./],
    [
      'a version has another parent',
      () => `UPDATE versions SET parent_id = '${'0'.repeat(64)}' WHERE ${versionOf(2)}`,
      /Version 2 does not continue the one before it\./,
    ],
    [
      'a version holds something else',
      () => `UPDATE versions SET state = replace(state, 'Two', 'Six') WHERE ${versionOf(2)}`,
      /What version 2 holds is not what its id was made from\./,
    ],
    [
      'the newest version is gone',
      () => `DELETE FROM versions WHERE ${versionOf(3)}`,
      /Entry \d+ names version [0-9a-f-]+, and it is not there\./,
    ],
    [
      'a row is at an earlier version',
      () =>
        `UPDATE cases SET concurrency_id = (SELECT concurrency_id FROM versions WHERE ${versionOf(1)}) WHERE case_id = ${theCase.CaseId}`,
      /It is said to be at another version than [0-9a-f-]+, its newest\./,
    ],
    [
      'all versions are gone',
      () => `DELETE FROM versions WHERE entity = 'case' AND entity_id = ${theCase.CaseId}`,
      /It has no versions\./,
    ],
    ...(
      [
        ['is gone', (where) => `DELETE FROM case_link_changes WHERE ${where}`],
        ['says that the evidence left', (where) => `UPDATE case_link_changes SET change = -1 WHERE ${where}`],
        [
          'names other evidence',
          (where) => `UPDATE case_link_changes SET evidence_id = ${original.EvidenceId} WHERE ${where}`,
        ],
        ['belongs to an earlier version', (where) => `UPDATE case_link_changes SET number = 1 WHERE ${where}`],
        [
          'is put in',
          () => `INSERT INTO case_link_changes VALUES (${linkedCase.CaseId}, 2, ${original.EvidenceId}, 1)`,
        ],
      ] as [string, (where: string) => string][]
    ).map(([kind, change]): [string, () => string, RegExp] => [
      `a change of the links of a case ${kind}`,
      () => change(`case_id = ${linkedCase.CaseId} AND number = 2`),
      /^case \d+: .*The evidence listed for version 2 is not what the version says\./,
    ]),
    [
      'the change of links that a version holds is another',
      () =>
        `UPDATE versions SET state = replace(state, '"Removed":[]', '"Removed":["1"]') WHERE entity = 'case' AND entity_id = ${linkedCase.CaseId} AND number = 2`,
      /What version 2 holds is not what its id was made from\./,
    ],
    [
      'a counter is set back',
      () => "UPDATE sqlite_sequence SET seq = 0 WHERE name = 'evidence'",
      /^counter of evidence: It stands at 0, and higher numbers were given out/,
    ],
  ])('%s', async (_, change, expected) => {
    expect(await foundAfter(change())).toContainEqual(expect.stringMatching(expected))
  })
})
