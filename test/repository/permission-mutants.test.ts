import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLong } from '../support/scale.ts'
import { temporaryFolder } from '../support/station.ts'
import { type Check, type Copy, copyOfProduct, type Mutation, mutationOf } from '../guards/product-copy.ts'

/**
 * S4: one permission check is taken out at a time, and the suite of drawn worlds notices. Levels on evidence are checked by the route and
 * by the service: of these each is taken out alone, which another suite notices, and both together. One of each sort in the gate, all in the
 * long run.
 */
const SUITE = ['test/api/permissions/permissions.test.ts']
const BOTH_CHECKS = ['test/api/permissions/both-checks.test.ts']
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const CASES = 'server/features/cases/'

const check = (name: string, file: string, text: string, instead: string, at?: number): Check => ({
  name,
  file,
  text,
  instead,
  ...(at === undefined ? {} : { at }),
})
const required = (name: string, file: string, text: string, at?: number): Check =>
  check(name, `${CASES}${file}`, text, '', at)
const LEVEL = 'server/kernel/access/evidence-level.ts'
const GUESTS = 'server/kernel/access/guests.ts'
const REACH = 'server/kernel/evidence/reach.ts'
const SERVICE = 'server/features/evidence/documents.service.ts'
const CONTRACT = 'shared/evidence/contract.ts'

const AUTHORIZE = 'server/app/authorize.ts'
const RULE = 'shared/kernel/permissions.ts'
const ACCESS = 'server/kernel/access/access.store.ts'
const VIEWABLE = 'server/kernel/access/viewable.store.ts'
const ACTS = 'server/features/evidence/acts.service.ts'
const LIST = 'server/features/evidence/list.service.ts'
const CHANGE = 'server/features/evidence/change.service.ts'
const BOOKMARKS = 'server/features/evidence/bookmarks.service.ts'
const CHECKS: readonly Check[] = [
  check('the level on evidence', LEVEL, 'if (includes(found.level, needed)) return null', 'return null'),
  check('evidence that one cannot view', LEVEL, "found === null || found.level === 'None'", 'found === null'),
  check('evidence in the recycle bin', LEVEL, 'if (found.deleted)', 'if (false)'),
  check(
    'policies',
    AUTHORIZE,
    "permission.kind === 'policy' && !(await isInPolicy(",
    "permission.kind === 'policy' && (await isInPolicy('0', 'CreateCases')) && !(await isInPolicy(",
  ),
  check('guests', AUTHORIZE, "permission.kind === 'member' && !permission.guests && principal.guest", 'false'),
  check('expiry', RULE, '(expires === null || expires > nowTicks)', 'true'),
  check('deleted cases', RULE, '.filter(({ deleted }) => !deleted)', '.filter(() => true)'),
  check('unconfirmed links', RULE, "byPerson ? level : lower(level, 'View')", 'level'),
  check('evidence in no case', RULE, "cases.length === 0 ? asker.unassociated : 'None'", 'asker.unassociated'),
  check('guests and unassociated files', ACCESS, ".where('guest', '=', 0)", ''),
  check('deleted cases in lists', VIEWABLE, 'AND link.case_id NOT IN (${DELETED_CASES})', ''),
  check(
    'expiry in lists',
    VIEWABLE,
    '(p.expires_ticks IS NULL OR p.expires_ticks > ${nowTicks})',
    '(1 OR ${nowTicks})',
  ),
  check(
    'the list of evidence',
    'server/kernel/evidence/list.store.ts',
    "  if (viewer !== null) found.push(viewable('l.evidence_id', viewer, asked))",
    '',
  ),
  check(
    'the list of tags',
    'server/kernel/evidence/list.store.ts',
    "WHERE ${viewable('l.evidence_id', viewer, 'all')} AND",
    'WHERE',
  ),
  check(
    'guests in policies',
    'server/features/identity/users/users.store.ts',
    "(who.guest === 1 && policy !== 'CreateCases')",
    'false',
  ),
  check(
    'what others wrote',
    'server/kernel/annotations/authored.ts',
    '!manages && String(row.author_id) !== actor.id',
    'false',
  ),
  required(
    'reading notes on a case',
    'case-notes.routes.ts',
    "    requireLevel(await core.levelOf(db.read, call, row), 'View')",
  ),
  required('writing notes on a case', 'case-notes.routes.ts', "      requireLevel(level, 'Edit')"),
  required('reading a case', 'cases.service.ts', "      core.requireHeld(call, aggregate, 'View')"),
  required('replacing a case', 'case-changes.ts', "  core.requireHeld(call, aggregate, 'Edit')"),
  check(
    'changing a case',
    `${CASES}case-changes.ts`,
    "isSent(to) ? 'Manage' : 'Edit'",
    "isSent(to) ? 'Manage' : 'View'",
  ),
  check('opening a case again', `${CASES}case-changes.ts`, "isSent(to) ? 'Manage' : 'Edit'", "'Edit'"),
  required('closing a case', 'case-changes.ts', "  core.requireHeld(call, aggregate, 'Manage')"),
  required('following a case', 'case-changes.ts', "  core.requireHeld(call, aggregate, 'View')"),
  required('moving to a department', 'case-changes.ts', "    requireLevel(heldNow(call, aggregate), 'Manage')"),
  required('changing policies', 'case-changes.ts', "  requireLevel(heldNow(call, aggregate), 'Manage')", 1),
  required('assigning personnel', 'case-changes.ts', "  requireLevel(heldNow(call, aggregate), 'Manage')", 2),
  check('history, the policy', `${CASES}cases.service.ts`, '!audits || !(manages', '!(manages'),
  check(
    'history, the level',
    `${CASES}cases.service.ts`,
    '!audits || !(manages || (await isAdministrator(who)))',
    '!audits',
  ),
  required('a deleted case', 'case-aggregate.ts', "    requireLevel(held, 'View')"),
  required('sharing what one cannot view', 'case-acts.service.ts', "  requireLevel(level, 'View')"),
  check(
    'ShareCases',
    `${CASES}case-acts.service.ts`,
    "!(await isInPolicy(call.principal?.id ?? '0', 'ShareCases'))",
    'false',
  ),
  check('sharing at most so much', `${CASES}case-acts.service.ts`, '!includes(most, level)', 'false'),
  check('sharing with oneself', `${CASES}case-acts.service.ts`, 'not.has(id)', 'false'),
  required('protecting', 'case-acts.service.ts', "  await core.require(tx, call, row, 'Manage')"),
  required('taking protection away', 'case-acts.service.ts', "        await core.require(tx, call, row, 'Manage')"),
  required(
    'deleting',
    'case-acts.service.ts',
    "  requireLevel(await levelBesideSharing(tx, call.principal, level), 'Manage')",
  ),
  required('deleting again', 'case-acts.service.ts', "    requireLevel(level, 'View')"),
  required('linking, on the case', 'case-linking.ts', "  core.requireHeld(call, aggregate, 'Edit')"),
  check(
    'linking, on the evidence',
    `${CASES}case-linking.ts`,
    "if (!includes(level, 'Edit'))\n    throw fault('PrincipalCannotManageEvidence'",
    "if (false)\n    throw fault('PrincipalCannotManageEvidence'",
  ),
  check(
    'linking what one cannot view',
    `${CASES}case-linking.ts`,
    "if (evidence === undefined || level === 'None') throw notThere(id, path)",
    'if (evidence === undefined) throw notThere(id, path)',
  ),
  required('confirming, on the case', 'case-linking.ts', "  await core.require(tx, call, row, 'View')"),
  check(
    'confirming, on the evidence',
    `${CASES}case-linking.ts`,
    "if (!includes(await levelBesideSharing(tx, call.principal, level), 'Manage'))",
    'if (false)',
  ),
  check('relations', `${CASES}links.service.ts`, "if (!includes(held, 'View'))", 'if (false)'),
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
    `${CASES}case-list.store.ts`,
    "  if (viewer !== null) parts.push(caseViewable('c.case_id', viewer.mostCases ? byRow(viewer) : viewer))",
    '',
  ),
  check(
    'the recycle bin',
    `${CASES}case-list.service.ts`,
    "deleted && (await isInPolicy(String(who), 'RestoreFromRecycleBin'))",
    'deleted',
  ),
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
    `${CASES}case-linking.ts`,
    "if (!includes(level, 'Edit'))\n    throw new Fault('Forbidden', `Evidence goes",
    "if (false)\n    throw new Fault('Forbidden', `Evidence goes",
  ),
  check(
    'moving into what one cannot view',
    `${CASES}case-linking.ts`,
    "row.lifecycle_state === 'Deleted' || level === 'None') throw noSuchCase",
    "row.lifecycle_state === 'Deleted') throw noSuchCase",
  ),
  check('duplicates', 'server/kernel/evidence/duplicates.store.ts', "AND ${viewable('r.evidence_id', viewer)}", ''),
  check('the evidence of a case', LIST, 'if (!known || (await', 'if (!known && (await'),
  check('the recycle bin of evidence', LIST, 'filter.deleted === true && (await', 'filter.deleted === true || (await'),
  check('whose device it was', RULE, "mine ? asker.fromMyDevice : 'None'", 'asker.fromMyDevice'),
  check(
    'when whose device it was',
    VIEWABLE,
    'AND (period.to_ticks IS NULL OR period.to_ticks > recording.recorded_ticks)',
    '',
  ),
  check('the own device in lists', VIEWABLE, "...(viewer.fromMyDevice === 'None' ? [] : ", '...(false ? [] : '),
  check('Manage of guests', GUESTS, 'return row?.guest === 1', 'return false'),
  check(
    'Manage of guests on cases',
    `${CASES}case-aggregate.ts`,
    'requireLevel(besideSharing(aggregate), level)',
    'requireLevel(aggregate.held, level)',
  ),
  check(
    'what guests share',
    `${CASES}case-acts.service.ts`,
    "(await isGuest(tx, call.principal)) ? 'Edit' : 'Manage'",
    "'Manage'",
  ),
  check('guests and departments', `${CASES}case-changes.ts`, '    if (caller.guest) forbid(', '    if (false) forbid('),
  check(
    'guests and policies of cases',
    `${CASES}case-changes.ts`,
    'caller.guest && !addsBelowManage(',
    'false && !addsBelowManage(',
  ),
  check(
    'guests and policies of evidence',
    CHANGE,
    '(await isGuest(tx, call.principal)) && !addsBelowManage(',
    'false && !addsBelowManage(',
  ),
  check('changing policies of evidence', CHANGE, "if (!includes(held, 'Manage'))", 'if (false)'),
  check('taking policies out', GUESTS, 'before.every(({ principalId }) => remaining.has(principalId)) &&', ''),
  check(
    'policies at Manage',
    GUESTS,
    "if (was === undefined) return level !== 'Manage'",
    'if (was === undefined) return true',
  ),
  check('lowering policies', GUESTS, "(level !== 'Manage' && includes(level, was.level))", "level !== 'Manage'"),
  check(
    'notes of others on a case',
    `${CASES}case-notes.routes.ts`,
    "includes(await levelBesideSharing(tx, call.principal, level), 'Manage')",
    "includes(level, 'Manage')",
  ),
  check(
    'notes of others on evidence',
    'server/features/evidence/annotations.routes.ts',
    "includes(await levelBesideSharing(tx, call.principal, held), 'Manage')",
    "includes(held, 'Manage')",
  ),
  check(
    'changing bookmarks of others',
    BOOKMARKS,
    "includes(await levelBesideSharing(tx, call.principal, held), 'Manage')",
    'true',
    1,
  ),
  check(
    'deleting bookmarks of others',
    BOOKMARKS,
    "includes(await levelBesideSharing(tx, call.principal, held), 'Manage')",
    'true',
    2,
  ),
  check(
    'refusing a link',
    'server/features/correlation/correlation-review.service.ts',
    "if (!includes(await levelBesideSharing(tx, call.principal, level), 'Manage'))",
    'if (false)',
  ),
]

interface Pair {
  readonly name: string
  readonly route: Check
  readonly service: readonly Check[]
}
const ROUTE = 'is judged by the route before anything of the body is'
const OF_SERVICE = 'is judged by the service too, with the rights of the state that it reads'
/** Where the route and the service both check the level on evidence: with either gone, the other still refuses. */
const PAIRS: readonly Pair[] = [
  {
    name: 'the level on evidence',
    route: check('the route', AUTHORIZE, '...(refusal === null ? {} : { refusal }),', ''),
    service: [check('the service', REACH, '    if (refusal !== null) throw refusal', '')],
  },
  {
    name: 'completing evidence',
    route: check('the route', CONTRACT, 'permission: edit,', 'permission: view,', 1),
    service: [
      check(
        'the service',
        SERVICE,
        "reach(db.read, call, tenant, id, 'Edit')",
        "reach(db.read, call, tenant, id, 'View')",
      ),
      check('the transaction', SERVICE, "reach(tx, call, tenant, id, 'Edit')", "reach(tx, call, tenant, id, 'View')"),
    ],
  },
  {
    name: 'a new resource',
    route: check('the route', CONTRACT, 'permission: edit,', 'permission: view,', 2),
    service: [
      check(
        'the service',
        SERVICE,
        "reach(tx, call, tenant, evidenceId, 'Edit')",
        "reach(tx, call, tenant, evidenceId, 'View')",
      ),
    ],
  },
  {
    name: 'playing instead of downloading',
    route: check(
      'the route',
      AUTHORIZE,
      "playing !== undefined && query?.['purpose'] === 'play'",
      'playing !== undefined',
    ),
    service: [
      check('the service', 'server/features/evidence/documents.routes.ts', "playing ? 'View' : 'Download'", "'View'"),
    ],
  },
]

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

const AGREE = 'S4 the permission model and the server agree'

describe('S4 a permission check that is missing', () => {
  it('each is where it is looked for', () => {
    for (const one of [...CHECKS, ...PAIRS.flatMap(({ route, service }) => [route, ...service])])
      expect(mutationOf(one, ROOT).end).toBeGreaterThan(0)
  })

  it.each((isLong ? CHECKS : CHECKS.slice(0, 1)).map((one) => [one.name, one] as const))(
    '%s is noticed',
    { tags: ['merge'], timeout: 600_000 },
    async (_name, one) => {
      expect(await noticed([mutationOf(one, product)])).toEqual([expect.stringContaining(AGREE)])
    },
  )
})

/** Worlds, people and calls are drawn anew in each run: a rule that few of them touch may escape one run of the gate. */
const RUNS = 6
async function noticed(mutations: readonly Mutation[]): Promise<readonly string[]> {
  for (let run = 1; run < RUNS; run++) {
    const { failed } = await copy.run(SUITE, mutations, 'bail')
    if (failed.length > 0) return failed
  }
  return (await copy.run(SUITE, mutations, 'bail')).failed
}

describe('S4 a level on evidence that is checked once only', () => {
  const { route, service } = PAIRS[0] as Pair
  it.each([
    ['the route', [route], ROUTE],
    ['the service', service, OF_SERVICE],
  ] as const)(
    'is noticed where %s does not check, and is still refused',
    { tags: ['merge'], timeout: 600_000 },
    async (_name, gone, test) => {
      const { failed, passed } = await copy.run(
        BOTH_CHECKS,
        gone.map((one) => mutationOf(one, product)),
      )
      expect(failed).toEqual([expect.stringContaining(test)])
      // The other tests of the suite.
      expect(passed).toBe(7)
    },
  )

  if (isLong)
    describe.each(PAIRS.map((one) => [one.name, one] as const))('%s', (_name, pair) => {
      it.each([
        ['the route', [pair.route]],
        ['the service', pair.service],
      ] as const)('is refused everywhere without the check of %s', { timeout: 600_000 }, async (_side, gone) => {
        const { failed, passed } = await copy.run(
          SUITE,
          gone.map((one) => mutationOf(one, product)),
        )
        expect(failed).toEqual([])
        expect(passed).toBe(1)
      })

      it('is noticed without both checks', { timeout: 600_000 }, async () => {
        const gone = [pair.route, ...pair.service].map((one) => mutationOf(one, product))
        expect(await noticed(gone)).toEqual([expect.stringContaining(AGREE)])
      })
    })
})
