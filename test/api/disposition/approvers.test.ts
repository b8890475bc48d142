/** I10 over HTTP and the command line: the ways by which one person was two approvers. */
// @module-tag merge
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDatabase } from '../../support/rows.ts'
import { insertQuarantine } from '../../../server/kernel/evidence/records.store.ts'
import { ageAccounts } from '../../support/accounts.ts'
import { created as makePasskey } from '../../support/authenticator.ts'
import { type Given, givenStation, type Json, type Reply } from '../../support/given.ts'
import { pageOf } from '../sessions/acts.ts'

const QUARANTINE = '/api/v1/tenant/station/disposition/quarantine'
const USERS = '/userservice/api/v1/tenant/station'
const FIRST = 'a temporary pass phrase'
const OWN = 'a pass phrase of my own'

let given: Given
let sergeant: Page
beforeAll(async () => {
  given = await givenStation()
  const { page, id } = await pageOf(given)
  sergeant = page
  // The administrator took the account over that set-up at the command line created.
  await ageAccounts(given.file, [id])
})
afterAll(() => given?.close())

interface Page {
  readonly token: null
  readonly headers: { readonly cookie: string; readonly origin: string }
}

/** Signs in, and chooses another password where that is due. */
async function enter(username: string, password = FIRST, own: string | null = OWN): Promise<Page> {
  const reply = await given.call('POST', '/connect/session', {
    token: null,
    body: { Username: username, Password: password, NoticeId: 'default' },
  })
  const cookie = reply.headers.get('set-cookie')?.split(';')[0] as string
  const page = { token: null, headers: { cookie, origin: given.url } }
  if (own !== null)
    await given.expecting(
      204,
      given.call('POST', '/connect/account/password', { ...page, body: { Password: password, NewPassword: own } }),
    )
  return page
}
async function created(
  name: string,
  as: Page = sergeant,
  Policies: string[] = ['ApproveDisposition'],
): Promise<string> {
  const body = { Username: name, Password: FIRST, Policies: Policies.map((Policy) => ({ Policy })) }
  return (await given.expecting(201, given.call('POST', `${USERS}/users`, { ...as, body }))).PrincipalId
}
async function putAside(): Promise<string> {
  const db = await openTestDatabase({ file: given.file })
  try {
    return await db.transaction(async (tx) => {
      await insertQuarantine(tx, {
        path: randomBytes(8).toString('hex'),
        reason: 'It did not fit.',
        sha256: null,
        length: 1,
        resourceId: null,
        createdUtc: new Date().toISOString(),
      })
      const row = await tx
        .selectFrom('quarantine')
        .select((e) => e.fn.max('quarantine_id').as('id'))
        .executeTakeFirstOrThrow()
      return String(row.id)
    })
  } finally {
    await db.close()
  }
}
const approve = (id: string, as: Page): Promise<Reply> =>
  given.call('POST', `${QUARANTINE}/approve`, { ...as, body: { Items: [id], Reason: 'Useless' } })
const outcome = async (reply: Promise<Reply>): Promise<string> => {
  const { status, correlationId } = await reply
  if (status === 200) return 'approved'
  const denied = given.ledger().find((entry) => entry.correlationId === correlationId)
  return `${status} ${denied?.reason?.split(':')[1]}`
}
/** With another name in the address: passkeys belong to a name, and `127.0.0.1` is none. */
async function addPasskey({ headers: { cookie } }: Page): Promise<void> {
  const origin = given.url.replace('127.0.0.1', 'localhost')
  const page = { token: null, headers: { cookie, origin } }
  const passkeys = `${origin}/connect/account/passkeys`
  const { Options } = await given.expecting(
    200,
    given.call('POST', `${passkeys}/begin`, { ...page, body: { Password: OWN } }),
  )
  const body = { Name: 'Front desk', Response: makePasskey(Options, origin).response }
  await given.expecting(201, given.call('POST', passkeys, { ...page, body }))
}
const seen = async (id: string, as: Page): Promise<Json> =>
  (await given.expecting(200, given.call('GET', QUARANTINE, as))).Items.find((one: Json) => one.QuarantineId === id)

describe('I10: one person is not two approvers', () => {
  it('by two accounts that they created', async () => {
    await created('p1')
    await created('p2')
    const [one, two] = [await enter('p1'), await enter('p2')]
    const id = await putAside()
    expect(await outcome(approve(id, one))).toBe('403 NewInPolicy')
    await ageAccounts(given.file, [])
    expect(await outcome(approve(id, one))).toBe('approved')
    expect(await outcome(approve(id, two))).toBe('403 MadeByApprover')
    expect(await outcome(approve(id, sergeant))).toBe('403 MadeByApprover')
    const { Approvers, WhyNot } = await seen(id, two)
    expect(WhyNot).toBe('MadeByApprover')
    expect(Approvers).toMatchObject(
      ['p1', 'p2'].map((Username) => ({
        By: { Username },
        CreatedBy: 'sergeant',
        Acts: [{ Act: 'Created', By: 'sergeant' }],
        OwnPassword: true,
        OwnSecondFactor: false,
        ControlEndsUtc: null,
      })),
    )
  })

  it('by accounts that an account of theirs created, or by handing the creating on', async () => {
    await created('deputy', sergeant, [])
    const groups = await given.expecting(200, given.call('GET', `${USERS}/groups`, sergeant))
    const administrators = groups.Items.find((one: Json) => one.BuiltIn).PrincipalId
    const deputyId = (await given.expecting(200, given.call('GET', `${USERS}/users?text=deputy`, sergeant))).Items[0]
      .PrincipalId
    await given.expecting(
      200,
      given.call('POST', `${USERS}/groups/${administrators}/members`, {
        ...sergeant,
        body: { PrincipalIds: [deputyId] },
      }),
    )
    await created('p3', await enter('deputy'))
    await created('p4')
    await ageAccounts(given.file, [])
    const id = await putAside()
    expect(await outcome(approve(id, await enter('p3')))).toBe('approved')
    expect(await outcome(approve(id, await enter('p4')))).toBe('403 MadeByApprover')
  })

  it('by `sallyport user create` twice, or once there and once in the window', async () => {
    for (const username of ['c1', 'c2'])
      await given.command('user.create', {
        username,
        password: FIRST,
        policies: ['ApproveDisposition'],
        group: null,
        guest: false,
      })
    await created('w1')
    await ageAccounts(given.file, [])
    const id = await putAside()
    expect(await outcome(approve(id, await enter('c1', FIRST, null)))).toBe('403 ControlledFromCommandLine')
    expect(await outcome(approve(id, await enter('w1')))).toBe('approved')
    expect(await outcome(approve(id, await enter('c2', FIRST, null)))).toBe('403 ControlledFromCommandLine')
  })

  it('by resetting two real approvers and changing their passwords', async () => {
    const ids = [await created('officer1'), await created('officer2')]
    await ageAccounts(given.file)
    const fine = await putAside()
    for (const name of ['officer1', 'officer2']) await enter(name)
    expect(await outcome(approve(fine, await enter('officer1', OWN, null)))).toBe('approved')
    expect(await outcome(approve(fine, await enter('officer2', OWN, null)))).toBe('approved')
    for (const id of ids)
      await given.expecting(
        200,
        given.call('POST', `${USERS}/users/${id}/password`, { ...sergeant, body: { Password: FIRST } }),
      )
    const id = await putAside()
    expect(await outcome(approve(id, await enter('officer1')))).toBe('approved')
    expect(await outcome(approve(id, await enter('officer2')))).toBe('403 MadeByApprover')
    // Whoever reset the first one is not the second person either.
    expect(await outcome(approve(id, sergeant))).toBe('403 MadeByApprover')
  })

  it('by taking the passkeys of two real approvers away', async () => {
    const ids = [await created('keyed1'), await created('keyed2')]
    await ageAccounts(given.file)
    for (const name of ['keyed1', 'keyed2']) await addPasskey(await enter(name))
    const fine = await putAside()
    expect(await outcome(approve(fine, await enter('keyed1', OWN, null)))).toBe('approved')
    expect(await outcome(approve(fine, await enter('keyed2', OWN, null)))).toBe('approved')
    for (const id of ids) await given.expecting(204, given.call('DELETE', `${USERS}/users/${id}/passkeys`, sergeant))
    const id = await putAside()
    expect(await outcome(approve(id, await enter('keyed1', OWN, null)))).toBe('approved')
    const second = await enter('keyed2', OWN, null)
    expect(await outcome(approve(id, second))).toBe('403 MadeByApprover')
    expect((await seen(id, second)).Approvers).toMatchObject([
      { By: { Username: 'keyed1' }, Acts: [{ Act: 'PasskeysReset', By: 'sergeant' }] },
      { By: { Username: 'keyed2' }, Acts: [{ Act: 'PasskeysReset', By: 'sergeant' }] },
    ])
  })

  it('by leaving the policy and coming back, the time in it begins anew; replacing the list keeps it', async () => {
    const id = await created('returning')
    await ageAccounts(given.file)
    const page = await enter('returning')
    const members = async (change: (ids: string[]) => string[]): Promise<void> => {
      const all = await given.expecting(200, given.call('GET', `${USERS}/policies`, sergeant))
      const policy = all.find((one: Json) => one.Policy === 'ApproveDisposition')
      const ids = change(policy.Members.map((one: Json) => one.PrincipalId))
      await given.expecting(
        200,
        given.call('PUT', `${USERS}/policies/ApproveDisposition`, {
          ...sergeant,
          body: { Members: ids.map((PrincipalId) => ({ PrincipalId })) },
        }),
      )
    }
    const other = await created('another')
    await members((ids) => ids.filter((one) => one !== other))
    expect((await seen(await putAside(), page)).WhyNot).toBeNull()
    await members((ids) => ids.filter((one) => one !== id))
    await members((ids) => [...ids, id])
    expect((await seen(await putAside(), page)).WhyNot).toBe('NewInPolicy')
  })
})
