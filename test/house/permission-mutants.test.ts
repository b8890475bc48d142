import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLong } from '../support/scale.ts'
import { temporaryFolder } from '../support/station.ts'
import { type Copy, copyOfProduct, type Mutation } from './appends.ts'

/** S4: one permission check is taken out at a time, and the suite of drawn worlds notices. Two of them in the gate, all in the long run. */
const SUITE = ['test/api/permissions/permissions.test.ts']
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const CASES = 'server/interfaces/cases/'

interface Check {
  readonly name: string
  readonly file: string
  /** Stands once in the file, or `at` says which one is meant. */
  readonly text: string
  readonly at?: number
  readonly instead: string
}
const check = (name: string, file: string, text: string, instead: string, at?: number): Check => ({
  name,
  file,
  text,
  instead,
  ...(at === undefined ? {} : { at }),
})
const required = (name: string, file: string, text: string, at?: number): Check =>
  check(name, `${CASES}${file}`, text, '', at)
const lowered = (name: string, at: number): Check =>
  check(`${name} at View`, 'shared/contract/documents.ts', 'permission: edit,', 'permission: view,', at)

const AUTHORIZE = 'server/station/authorize.ts'
const RULE = 'shared/domain/access.ts'
const ACCESS = 'server/evidence/access/access.repository.ts'
const ACTS = 'server/interfaces/documents/acts.service.ts'
const LIST = 'server/interfaces/documents/list.service.ts'
const CHECKS: readonly Check[] = [
  check('the level on evidence', AUTHORIZE, 'if (includes(held, needed)) return null', 'return null'),
  check(
    'policies',
    AUTHORIZE,
    "permission.kind === 'policy' && !(await isInPolicy(",
    "permission.kind === 'policy' && (await isInPolicy('0', 'CreateCases')) && !(await isInPolicy(",
  ),
  check('guests', AUTHORIZE, "permission.kind === 'member' && !permission.guests && principal.guest", 'false'),
  check(
    'playing instead of downloading',
    AUTHORIZE,
    "playing !== undefined && query?.['purpose'] === 'play'",
    'playing !== undefined',
  ),
  lowered('completing evidence', 1),
  lowered('a new resource', 2),
  check('expiry', RULE, '(expires === null || expires > nowTicks)', 'true'),
  check('deleted cases', RULE, '.filter(({ deleted }) => !deleted)', '.filter(() => true)'),
  check('unconfirmed links', RULE, "byPerson ? level : lower(level, 'View')", 'level'),
  check('evidence in no case', RULE, "cases.length === 0 ? asker.unassociated : 'None'", 'asker.unassociated'),
  check('guests and unassociated files', ACCESS, ".where('guest', '=', 0)", ''),
  check('deleted cases in lists', ACCESS, "AND c.lifecycle_state <> 'Deleted'", ''),
  check('expiry in lists', ACCESS, '(p.expires_ticks IS NULL OR p.expires_ticks > ${nowTicks})', '(1 OR ${nowTicks})'),
  check(
    'the list of evidence',
    'server/evidence/records/list.repository.ts',
    '  if (viewable !== null) found.push(viewable)',
    '',
  ),
  check('the list of tags', 'server/evidence/records/list.repository.ts', 'WHERE ${viewable} AND', 'WHERE'),
  check(
    'guests in policies',
    'server/interfaces/users/users.repository.ts',
    "(who.guest === 1 && policy !== 'CreateCases')",
    'false',
  ),
  check(
    'what others wrote',
    'server/evidence/reading/authored.ts',
    '!manages && String(row.author_id) !== actor.id',
    'false',
  ),
  required(
    'reading notes on a case',
    'case-notes.handlers.ts',
    "    requireLevel(await core.levelOf(db.read, call, row), 'View')",
  ),
  required('writing notes on a case', 'case-notes.handlers.ts', "      requireLevel(level, 'Edit')"),
  required('reading a case', 'cases.service.ts', "      await core.require(db.read, call, row, 'View')"),
  required('replacing a case', 'cases.service.ts', "        await core.require(tx, call, row, 'Edit')"),
  check(
    'changing a case',
    `${CASES}cases.service.ts`,
    "isSent(to) ? 'Manage' : 'Edit'",
    "isSent(to) ? 'Manage' : 'View'",
  ),
  check('opening a case again', `${CASES}cases.service.ts`, "isSent(to) ? 'Manage' : 'Edit'", "'Edit'"),
  required('closing a case', 'cases.service.ts', "        await core.require(tx, call, row, 'Manage')"),
  required('following a case', 'cases.service.ts', "        await core.require(tx, call, row, 'View')"),
  required('moving to a department', 'cases.service.ts', "      requireLevel(await levelOf(tx, call, row), 'Manage')"),
  required('changing policies', 'cases.service.ts', "    requireLevel(await levelOf(tx, call, row), 'Manage')", 1),
  required('assigning personnel', 'cases.service.ts', "    requireLevel(await levelOf(tx, call, row), 'Manage')", 2),
  check('history, the policy', `${CASES}cases.service.ts`, '!audits || !(manages', '!(manages'),
  check(
    'history, the level',
    `${CASES}cases.service.ts`,
    '!audits || !(manages || (await isAdministrator(who)))',
    '!audits',
  ),
  required('a deleted case', 'cases.core.ts', "      requireLevel(await levelOf(from, call, row), 'View')"),
  required('sharing what one cannot view', 'case-acts.service.ts', "    requireLevel(level, 'View')"),
  check(
    'ShareCases',
    `${CASES}case-acts.service.ts`,
    "!(await isInPolicy(call.principal?.id ?? '0', 'ShareCases'))",
    'false',
  ),
  check('sharing at most so much', `${CASES}case-acts.service.ts`, '!includes(most, level)', 'false'),
  check('sharing with oneself', `${CASES}case-acts.service.ts`, 'not.has(id)', 'false'),
  required('protecting', 'case-acts.service.ts', "        await core.require(tx, call, row, 'Manage')", 1),
  required('taking protection away', 'case-acts.service.ts', "        await core.require(tx, call, row, 'Manage')", 2),
  required(
    'deleting',
    'case-acts.service.ts',
    "        requireLevel(await levelBesideSharing(tx, call.principal, level), 'Manage')",
  ),
  required('deleting again', 'case-acts.service.ts', "          requireLevel(level, 'View')"),
  required('linking, on the case', 'links.service.ts', "        await core.require(tx, call, row, 'Edit')"),
  check(
    'linking, on the evidence',
    `${CASES}links.service.ts`,
    "if (!includes(level, 'Edit'))\n      throw fault('PrincipalCannotManageEvidence'",
    "if (false)\n      throw fault('PrincipalCannotManageEvidence'",
  ),
  check(
    'linking what one cannot view',
    `${CASES}links.service.ts`,
    "if (evidence === undefined || level === 'None') throw notThere(id, path)",
    'if (evidence === undefined) throw notThere(id, path)',
  ),
  required('confirming, on the case', 'links.service.ts', "        await core.require(tx, call, row, 'View')"),
  check(
    'confirming, on the evidence',
    `${CASES}links.service.ts`,
    "if (!includes(await levelBesideSharing(tx, call.principal, level), 'Manage'))",
    'if (false)',
  ),
  check(
    'relations',
    `${CASES}links.service.ts`,
    "if (!includes(await access.onEvidence(db.read, call.principal, evidence.evidence_id), 'View'))",
    'if (false)',
  ),
  check(
    'relations to cases one cannot view',
    `${CASES}links.service.ts`,
    "cases.has(CaseId) && includes(levels.get(Number(CaseId)) ?? 'None', 'View')",
    'cases.has(CaseId)',
  ),
  check(
    'counting what one cannot view',
    `${CASES}links.service.ts`,
    "      (await isInPolicy(principal.id, 'AccessAuditTrail'))",
    '      true',
  ),
  check(
    'the list of cases',
    `${CASES}case-list.repository.ts`,
    '  if (viewer !== null) parts.push(await viewable(db, viewer))',
    '',
  ),
  check(
    'the recycle bin',
    `${CASES}case-list.service.ts`,
    "deleted && (await isInPolicy(String(who), 'RestoreFromRecycleBin'))",
    'deleted',
  ),
  check('evidence in the recycle bin', AUTHORIZE, "held !== 'None' && deleted", 'false'),
  check(
    'protecting evidence',
    ACTS,
    '    requireLevel(await levelBesideSharing(tx, call.principal, level), needed)',
    '',
  ),
  check(
    'deleting evidence',
    ACTS,
    "        requireLevel(await levelBesideSharing(tx, call.principal, level), 'Manage')",
    '',
  ),
  check('deleting what is protected', ACTS, '        await refuseProtected(tx, call, row)', ''),
  check(
    'acts on what one cannot view',
    ACTS,
    "    if (level === 'None') throw notThere",
    '    if (false) throw notThere',
  ),
  check('restoring what is not deleted', ACTS, '          await visible(tx, call, tenant, id)', ''),
  check(
    'moving, on the cases',
    `${CASES}links.service.ts`,
    "if (!includes(level, 'Edit'))\n      throw new Fault('Forbidden', `Evidence goes",
    "if (false)\n      throw new Fault('Forbidden', `Evidence goes",
  ),
  check(
    'moving into what one cannot view',
    `${CASES}links.service.ts`,
    "row.lifecycle_state === 'Deleted' || level === 'None') throw noSuchCase",
    "row.lifecycle_state === 'Deleted') throw noSuchCase",
  ),
  check(
    'duplicates',
    'server/evidence/records/duplicates.repository.ts',
    "AND ${viewable('r.evidence_id', viewer)}",
    '',
  ),
  check('the evidence of a case', LIST, 'if (!known || (await', 'if (!known && (await'),
  check('the recycle bin of evidence', LIST, 'filter.deleted === true && (await', 'filter.deleted === true || (await'),
  check('whose device it was', RULE, "mine ? asker.fromMyDevice : 'None'", 'asker.fromMyDevice'),
  check('when whose device it was', ACCESS, 'AND (a.to_ticks IS NULL OR a.to_ticks > r.recorded_ticks)', ''),
  check('the own device in lists', ACCESS, "...(fromMyDevice === 'None' ? [] : [mine])", 'mine'),
]

/** @param root of the product that is mutated: the one it was copied from may have gone on */
function mutationOf({ file, text, at = 1, instead }: Check, root: string): Mutation {
  const whole = readFileSync(path.join(root, file), 'utf8')
  const places: number[] = []
  for (let from = whole.indexOf(text); from !== -1; from = whole.indexOf(text, from + 1)) {
    // Whole lines are meant with what stands before them.
    if (!text.startsWith(' ') || whole[from - 1] === '\n') places.push(from)
  }
  const place = places[at - 1]
  if (place === undefined) throw new Error(`${file} holds no ${at === 1 ? '' : `${at}nd `}${text}`)
  return { file, start: place, end: place + text.length, instead }
}

let copy: Copy
let product: string
let dispose: () => Promise<void>
beforeAll(async () => {
  const folder = await temporaryFolder('mutants')
  dispose = folder.dispose
  product = path.join(folder.dir, 'product')
  copy = copyOfProduct(product)
})
afterAll(async () => {
  copy.dispose()
  await dispose()
})

describe('S4 a permission check that is missing', () => {
  it('each is where it is looked for', () => {
    for (const one of CHECKS) expect(mutationOf(one, ROOT).end).toBeGreaterThan(0)
  })

  it.each((isLong ? CHECKS : [CHECKS[0] as Check, CHECKS[16] as Check]).map((one) => [one.name, one] as const))(
    '%s is noticed',
    { timeout: 600_000 },
    async (_name, one) => {
      const { failed } = await copy.run(SUITE, [mutationOf(one, product)], 'bail')
      expect(failed).toEqual([expect.stringContaining('S4 the permission model and the server agree')])
    },
  )
})
