/**
 * S4: who asks for an evidence is judged twice, by the route and by the service, so that neither check is the only one. What the station
 * answers does not tell which of them refused; here each is asked by itself.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Fault } from '../../../shared/kernel/errors.ts'
import type { Level } from '../../../shared/kernel/permissions.ts'
import type { Principal } from '../../../shared/kernel/principal.ts'
import type { RouteDefinition } from '../../../shared/kernel/route.ts'
import type { Database } from '../../../server/kernel/database/database.ts'
import { openTestDatabase } from '../../support/rows.ts'
import { createAccess } from '../../../server/kernel/access/access.ts'
import { createReach } from '../../../server/kernel/evidence/reach.ts'
import type { HttpCall } from '../../../server/http/handlers.ts'
import { contractRoutes } from '../../../server/openapi.ts'
import { systemClock } from '../../../server/platform/clock/clock.ts'
import { type CallOptions, type Given, givenStation, type Json } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'

let given: Given
let db: Database
let evidence: string
let stranger: { principal: Principal; as: CallOptions }
let reader: typeof stranger
beforeAll(async () => {
  given = await givenStation()
  const made = await given.evidence({ Name: 'for one reader' })
  evidence = made.EvidenceId
  const integration = async (name: string): Promise<typeof stranger & { policy: Json }> => {
    const connection = await given.integration(name)
    const { ServicePrincipalId: id, ServicePrincipalKey: key } = connection
    const principal = { kind: 'service', id, name, kId: key.kid as string } as const
    const policy = { Permissions: 'View', PrincipalId: id, KId: key.kid, PrincipalType: 'service' }
    return { principal, as: { token: await signIn(connection, given.url) }, policy }
  }
  stranger = await integration('no rights')
  const viewing = await integration('may view')
  reader = viewing
  const own = made.AccessPolicies.map(({ Permissions, PrincipalId, KId, PrincipalType }: Json) => ({
    Permissions,
    PrincipalId,
    KId,
    PrincipalType,
  }))
  const body = { AccessPolicies: [...own, viewing.policy], ConcurrencyId: made.ConcurrencyId }
  await given.expecting(200, given.call('PATCH', `${given.documents}/evidence/${evidence}`, { body }))
  db = await openTestDatabase({ file: given.file })
})
afterAll(async () => {
  await db?.close()
  await given?.close()
})

const told = async (method: string, place: string, as: CallOptions, body?: Json): Promise<string> => {
  const sent = body === undefined ? as : { ...as, body }
  const { status, json } = await given.call(method, `${given.documents}/evidence/${evidence}${place}`, sent)
  return `${method} ${place}: ${status} ${json?.ErrorCode ?? ''}`.trim()
}

/** What a route asks for, in a word. */
function rightOf({ permission }: RouteDefinition): string {
  if (permission.kind === 'level') return `${permission.level} on ${permission.on}`
  if (permission.kind === 'policy') return permission.policy
  return permission.kind === 'member' && !permission.guests ? 'member, no guest' : permission.kind
}
const rightsOf = (about: (path: string) => boolean, of: (route: RouteDefinition) => string) =>
  Object.fromEntries(
    contractRoutes()
      .filter(({ path }) => about(path))
      .map((route) => [route.id, of(route)]),
  )

describe('S4 the contract asks for a level before anything is looked at', () => {
  it('of one evidence: View to look, Edit to change, but for these', () => {
    const isAbout = (path: string): boolean => path.includes('/:evidenceId')
    const usual = ({ method }: RouteDefinition): string => `${method === 'GET' ? 'View' : 'Edit'} on evidence`
    expect(rightsOf(isAbout, rightOf)).toEqual({
      ...rightsOf(isAbout, usual),
      getContent: 'Download on evidence',
      // Of use to whoever can accept one.
      getEvidenceSuggestions: 'Edit on evidence',
      checkEvidence: 'View on evidence',
      checkResource: 'View on evidence',
      fetchOriginal: 'View on evidence',
      verifyCustody: 'View on evidence',
      explainCorrelation: 'View on case',
      // Who can give it to others sees to whom others gave it.
      listEvidenceShareLinks: 'Manage on evidence',
      // What is withheld from the other side, and why.
      listRestrictions: 'Edit on evidence',
      // Judged by the service alone, which knows more than the level.
      confirmEvidenceLink: 'member',
      exportEvidenceHistory: 'member, no guest',
      getEvidenceHistory: 'member, no guest',
      getEvidenceRelationsByEvidenceId: 'member',
      refuseEvidenceLink: 'member',
      deleteEvidence: 'DeleteCasesAndFiles',
      protectEvidence: 'ProtectFromDeletion',
      restoreEvidence: 'RestoreFromRecycleBin',
      retryForwarding: 'administrator',
      settleWithdrawnLinks: 'ApproveDisposition',
      unprotectEvidence: 'ProtectFromDeletion',
    })
  })

  it('of tasks, requests for access and handovers: whoever has a task marks it as done with View', () => {
    expect(rightsOf((path) => /\/task\b|\/access-request\b|\/case-handover\b/.test(path), rightOf)).toEqual({
      listCaseTasks: 'View on case',
      createCaseTask: 'Edit on case',
      updateCaseTask: 'View on case',
      deleteCaseTask: 'Edit on case',
      listOwnTasks: 'member',
      createAccessRequest: 'member, no guest',
      listAccessRequests: 'member',
      decideAccessRequest: 'member, no guest',
      withdrawAccessRequest: 'member',
      countHandover: 'member, no guest',
      handOverCases: 'member, no guest',
    })
  })

  it('of disclosure: Edit, also to read, since it names what is withheld from others; Manage to approve', () => {
    const { decideDisclosureProposal, ...others } = rightsOf((path) => path.includes('/disclosures/case/'), rightOf)
    expect(decideDisclosureProposal).toBe('Manage on case')
    expect(new Set(Object.values(others))).toEqual(new Set(['Edit on case']))
    expect(new Set(Object.values(rightsOf((path) => path.includes('/disclosures/evidence/'), rightOf)))).toEqual(
      new Set(['Edit on evidence']),
    )
    expect(rightsOf((path) => path.endsWith('/disclosures/due'), rightOf)).toEqual({
      listSupplementsDue: 'member, no guest',
    })
  })

  it('of links: members who are no guests; what a link opened for has a cookie of its own', () => {
    expect(rightsOf((path) => path.includes('/share-link'), rightOf)).toEqual({
      previewShareLink: 'member, no guest',
      createShareLink: 'member, no guest',
      listShareLinks: 'member, no guest',
      listEvidenceShareLinks: 'Manage on evidence',
      getShareLink: 'member, no guest',
      recallShareLink: 'member, no guest',
      renewShareLinkCode: 'member, no guest',
      openShareLink: 'anyone',
      getGuestLink: 'share-link',
      endGuestSession: 'share-link',
      getGuestPoster: 'share-link',
      getGuestCopy: 'share-link',
      getGuestOriginal: 'share-link',
    })
  })

  it('of reports and what is printed: a level, a policy, or a member who is no guest; labels are judged one by one', () => {
    expect(rightsOf((path) => path.includes('/reports/'), rightOf)).toEqual({
      printEvidenceSheet: 'View on evidence',
      printCustody: 'View on evidence',
      printCaseSummary: 'View on case',
      printCaseLabels: 'View on case',
      printLabels: 'member',
      getReport: 'member, no guest',
      exportReport: 'member, no guest',
      getRetentionCalendar: 'ApproveDisposition',
      getCaseHolds: 'View on case',
    })
  })
})

describe('S4 who asks for an evidence', () => {
  it('is refused what the level does not allow', async () => {
    for (const place of ['', '/resource', '/note', '/custody']) {
      expect(await told('GET', place, stranger.as)).toBe(`GET ${place}: 404 EvidenceNotFound`)
      expect(await told('GET', place, reader.as)).toBe(`GET ${place}: 200`)
    }
    for (const [method, place, body] of [
      ['POST', '/resource', { Name: 'x' }],
      ['POST', '/note', { Text: 'x' }],
      ['POST', '/complete'],
    ] as [string, string, Json?][]) {
      expect(await told(method, place, stranger.as, body)).toBe(`${method} ${place}: 404 EvidenceNotFound`)
      expect(await told(method, place, reader.as, body)).toBe(`${method} ${place}: 403 Forbidden`)
    }
  })

  it('is judged by the route before anything of the body is', async () => {
    const unreadable = { Name: 1, Text: 1, Tags: 1, FromCaseId: '1', ToCaseId: '1' }
    for (const [method, place] of [
      ['POST', '/resource'],
      ['POST', '/note'],
      ['POST', '/move'],
      ['PATCH', ''],
    ] as const) {
      expect(await told(method, place, stranger.as, unreadable)).toBe(`${method} ${place}: 404 EvidenceNotFound`)
      expect(await told(method, place, reader.as, unreadable)).toBe(`${method} ${place}: 403 Forbidden`)
      expect(await told(method, place, {}, unreadable)).toBe(`${method} ${place}: 400 InvalidModel`)
    }
  })

  it('is judged by the service too, with the rights of the state that it reads', async () => {
    const { reach } = createReach({ db, access: createAccess({ clock: systemClock }), clock: systemClock })
    const judged = async ({ principal }: typeof stranger, needed: Exclude<Level, 'None'>): Promise<string> => {
      const decided: string[] = []
      const asked: Pick<HttpCall, 'principal' | 'reportDecision'> = {
        principal,
        reportDecision: ({ held }) => decided.push(held),
      }
      const answer = await reach(db.read, asked as HttpCall, 'station', evidence, needed).then(
        ({ held }) => `held ${held}`,
        ({ code }: Fault) => code,
      )
      return `${decided}: ${answer}`
    }
    for (const needed of ['View', 'Download', 'Edit', 'Manage'] as const)
      expect(await judged(stranger, needed)).toBe('None: EvidenceNotFound')
    expect(await judged(reader, 'View')).toBe('View: held View')
    for (const needed of ['Download', 'Edit', 'Manage'] as const)
      expect(await judged(reader, needed)).toBe('View: Forbidden')
  })
})
