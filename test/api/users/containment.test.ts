/** Containing an account over HTTP: everything by which it is used ends within five seconds, and does not come back (decisions 9 and 10). */
import { randomBytes } from 'node:crypto'
import { type ClientRequest, request as httpRequest } from 'node:http'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { brought, created, type Passkey } from '../../support/authenticator.ts'
import type { Json } from '../../support/given.ts'
import { newPage, type Page } from '../sessions/page.ts'
import { asking, back, CALLBACK, decide } from '../sessions/programs.ts'
import { fresh, PASSWORD, type UsersWorld, usersWorld } from './world.ts'

const MIB = 2 ** 20
const BLOCK_BLOB = { 'x-ms-blob-type': 'BlockBlob', 'x-ms-version': '2021-12-02' }
const EVENTS = '/api/v1/tenant/station/station/events'
const REASON = 'laptop stolen on patrol'

let world: UsersWorld
let origin: string
beforeAll(async () => {
  world = await usersWorld({
    desktopClients: [{ id: 'viewer', name: 'Case viewer', redirects: ['http://127.0.0.1/callback'] }],
  })
  origin = world.given.url.replace('127.0.0.1', 'localhost')
})
afterAll(() => world?.given.close())

const contain = (id: string, more: Json = {}) => world.send('POST', `/users/${id}/contain`, { Reason: REASON }, more)
const entriesAbout = (id: string): Json[] => world.given.ledger().filter(({ object }) => object.id === id) as Json[]

async function post(place: string, form: Readonly<Record<string, string>>): Promise<{ status: number; json: Json }> {
  const response = await fetch(`${world.given.url}${place}`, { method: 'POST', body: new URLSearchParams(form) })
  return { status: response.status, json: await response.json() }
}

const exchange = (code: string, verifier: string) =>
  post('/connect/token', {
    grant_type: 'authorization_code',
    client_id: 'viewer',
    redirect_uri: CALLBACK,
    code,
    code_verifier: verifier,
  })
const refresh = (token: string) =>
  post('/connect/token', { grant_type: 'refresh_token', client_id: 'viewer', refresh_token: token })
const answered = async (token: string): Promise<number> =>
  (await fetch(`${world.given.url}/connect/userinfo`, { headers: { authorization: `Bearer ${token}` } })).status

async function codeFrom(page: Page): Promise<{ code: string; verifier: string }> {
  const { verifier, request } = asking()
  return { code: back(await decide(page, request)).get('code') as string, verifier }
}

async function passkeyOf(page: Page): Promise<Passkey> {
  const begun = await page.send('POST', '/connect/account/passkeys/begin', { body: { Password: PASSWORD } })
  const { passkey, response } = created(begun.json.Options, origin)
  const kept = await page.send('POST', '/connect/account/passkeys', { body: { Name: 'Key', Response: response } })
  expect(kept.status).toBe(201)
  return passkey
}

async function bring(passkey: Passkey): Promise<number> {
  const page = newPage(origin)
  const { json } = await page.send('POST', '/connect/session/passkey/begin')
  const body = { NoticeId: 'default', Response: brought(passkey, json.Options, origin) }
  return (await page.send('POST', '/connect/session/passkey', { body })).status
}

/** @returns what generates codes, and the recovery codes */
async function secondStepOf(page: Page): Promise<{ totp: TOTP; codes: string[] }> {
  const begun = await page.send('POST', '/connect/account/second-step', { body: { Password: PASSWORD } })
  const totp = new TOTP({ secret: Secret.fromBase32(begun.json.Secret) })
  const confirmed = await page.send('POST', '/connect/account/second-step/confirm', { body: { Code: totp.generate() } })
  expect(confirmed.status).toBe(200)
  return { totp, codes: confirmed.json.RecoveryCodes }
}

async function openUpload(page: Page): Promise<{ evidenceId: string; resourceId: string; uri: string }> {
  const { documents } = world.given
  const evidence = await page.send('POST', `${documents}/evidence`, { body: { Name: 'Front desk' } })
  const evidenceId = evidence.json.EvidenceId as string
  const open = await page.send('POST', `${documents}/evidence/${evidenceId}/resource`, { body: { Name: 'clip.bin' } })
  expect(open.status).toBe(201)
  return { evidenceId, resourceId: open.json.ResourceId, uri: open.json.UploadUri }
}

const put = async (uri: string, bytes: Uint8Array): Promise<number> =>
  (await fetch(uri, { method: 'PUT', body: bytes as BodyInit, headers: BLOCK_BLOB })).status

/** @returns how long until it came to an end in any way, and what it said; null when it did not within `within` */
const within = <T>(millis: number, work: Promise<T>): Promise<T | null> =>
  Promise.race([work, new Promise<null>((resolve) => setTimeout(() => resolve(null), millis))])

/** A whole blob is announced and only begun. */
function begunUpload(uri: string): { request: ClientRequest; over: Promise<number> } {
  const request = httpRequest(uri, { method: 'PUT', headers: { ...BLOCK_BLOB, 'content-length': 8 * MIB } })
  const over = new Promise<number>((resolve) => {
    request.on('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    request.on('error', () => resolve(0))
  })
  request.write(Buffer.alloc(MIB))
  return { request, over }
}

/** @returns an event stream that was opened, and how it ended */
async function listening(headers: Record<string, string>): Promise<{ over: Promise<string> }> {
  const response = await fetch(`${world.given.url}${EVENTS}`, { headers })
  expect(response.status).toBe(200)
  const over = response.text().then(
    () => 'ended',
    () => 'cut',
  )
  return { over }
}

describe('an account that is contained', () => {
  it('loses sessions, event streams, programs, upload addresses, running uploads and downloads within five seconds', async () => {
    const user = await world.user()
    const page = await world.signedIn(user.Username)
    const other = await world.signedIn(user.Username)
    const { code, verifier } = await codeFrom(page)
    const tokens = (await exchange(code, verifier)).json
    const unused = await codeFrom(page)

    const finished = await openUpload(page)
    const bytes = randomBytes(48 * MIB)
    expect(await put(finished.uri, bytes)).toBe(201)
    const place = `${world.given.documents}/evidence/${finished.evidenceId}/resource/${finished.resourceId}`
    expect((await page.send('POST', `${place}/complete`, { body: {} })).status).toBe(200)
    const upload = await openUpload(page)
    const running = begunUpload((await openUpload(page)).uri)
    const cookie = { cookie: page.cookie as string }
    const stream = await listening(cookie)
    const byToken = await listening({ authorization: `Bearer ${tokens.access_token as string}` })
    const download = await fetch(`${world.given.url}${place}/content`, { headers: cookie })
    expect([download.status, await answered(tokens.access_token)]).toEqual([200, 200])
    const reader = (download.body as ReadableStream<Uint8Array>).getReader()
    let received = (await reader.read()).value?.length ?? 0

    const { status, json } = await contain(user.PrincipalId)
    expect(status).toBe(200)
    expect(json.Ended).toEqual({
      Disabled: true,
      Sessions: 2,
      Programs: 1,
      Passkeys: 0,
      SecondStep: false,
      Password: true,
      Uploads: 2,
      CasesHandedOver: 0,
    })
    expect(json.User).toMatchObject({ Enabled: false, PasswordSet: false, Passkeys: 0, SecondStep: false })

    expect(await put(upload.uri, bytes.subarray(0, 10))).toBe(403)
    expect(await Promise.all([page.state(), other.state()])).toEqual(['none', 'none'])
    expect(await answered(tokens.access_token)).toBe(401)
    expect((await refresh(tokens.refresh_token)).status).toBe(400)
    expect((await exchange(unused.code, unused.verifier)).status).toBe(400)
    expect(await within(5_000, Promise.all([stream.over, byToken.over]))).not.toBeNull()
    expect(await within(5_000, running.over)).toBe(403)
    running.request.destroy()
    const rest = (async () => {
      for (let part = await reader.read(); !part.done; part = await reader.read()) received += part.value.length
    })()
    await expect(rest).rejects.toThrow()
    expect(received).toBeLessThan(bytes.length)
    expect((await world.page().signIn(user.Username, PASSWORD)).status).toBe(401)
  })

  it('gets nothing of it back when it is enabled again, until an administrator gives it a password', async () => {
    const user = await world.user()
    const page = newPage(origin)
    await page.signIn(user.Username, PASSWORD)
    const passkey = await passkeyOf(page)
    const { codes } = await secondStepOf(page)
    const unused = await codeFrom(page)
    const tokens = (await exchange(unused.code, unused.verifier)).json
    const { evidenceId, resourceId, uri } = await openUpload(page)
    expect(await bring(passkey)).toBe(200)

    const { json } = await contain(user.PrincipalId)
    expect(json.Ended).toMatchObject({ Sessions: 2, Programs: 1, Passkeys: 1, SecondStep: true, Uploads: 1 })
    expect((await world.send('POST', `/users/${user.PrincipalId}/enable`)).json).toMatchObject({
      Enabled: true,
      PasswordSet: false,
      Passkeys: 0,
      SecondStep: false,
    })

    expect(await put(uri, Buffer.from('late'))).toBe(403)
    expect(await bring(passkey)).toBe(401)
    expect((await world.page().signIn(user.Username, PASSWORD)).status).toBe(401)
    expect(await page.state()).toBe('none')
    expect((await refresh(tokens.refresh_token)).status).toBe(400)
    expect(await answered(tokens.access_token)).toBe(401)

    const next = 'other lamps by the harbour'
    const given = { Password: next, ChangePassword: false }
    expect((await world.send('POST', `/users/${user.PrincipalId}/password`, given)).status).toBe(200)
    const again = world.page()
    const body = { Username: user.Username, Password: next, NoticeId: 'default', Code: codes[0] }
    expect((await again.send('POST', '/connect/session', { body })).status).toBe(200)
    expect((await again.send('GET', '/connect/account')).json).toEqual({
      SecondStep: false,
      SecondStepSinceUtc: null,
      RecoveryCodesLeft: 0,
    })
    expect(await put(uri, Buffer.from('late'))).toBe(403)
    // An address has whole seconds; one that is given in the second of the containment does not count.
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    const renew = `${world.given.documents}/evidence/${evidenceId}/resource/${resourceId}/upload-uri`
    const renewed = await again.send('POST', renew)
    expect(await put(renewed.json.UploadUri, Buffer.from('in time'))).toBe(201)
  })

  it('has entries for each thing that ended, one with the reason, and a notice to the other administrators', async () => {
    const user = await world.user()
    const page = newPage(origin)
    await page.signIn(user.Username, PASSWORD)
    await passkeyOf(page)
    await secondStepOf(page)
    const { code, verifier } = await codeFrom(page)
    await exchange(code, verifier)
    const before = world.given.ledger().length
    const { correlationId } = await contain(user.PrincipalId)
    const acts = world.given.ledger(before).filter((entry) => entry.correlationId === correlationId)
    expect(acts.map(({ action, reason }) => [action, reason ?? null])).toEqual([
      ['authorization.ended', 'contained'],
      ['session.ended', 'contained'],
      ['user.disabled', null],
      ['passkey.reset', 'contained'],
      ['secondStep.reset', 'contained'],
      ['user.contained', REASON],
    ])
    expect(acts.at(-1)?.detail).toMatchObject({ disabled: true, sessions: 1, programs: 1, passkeys: 1, uploads: 0 })
    const sergeant = world.page()
    await sergeant.signIn('sergeant', 'a long enough pass phrase')
    const { json } = await sergeant.send('GET', '/userservice/api/v1/tenant/station/notices')
    expect(json.Items.find((one: Json) => one.Object.Id === user.PrincipalId)).toMatchObject({
      Kind: 'account.contained',
      Message: REASON,
      Object: { Type: 'user', Name: user.Username },
    })
  })

  it('may be disabled before: what is left of it ends all the same, also a second time', async () => {
    const user = await world.user()
    const page = newPage(origin)
    await page.signIn(user.Username, PASSWORD)
    await passkeyOf(page)
    await world.send('POST', `/users/${user.PrincipalId}/disable`)
    expect((await contain(user.PrincipalId)).json.Ended).toMatchObject({ Disabled: false, Passkeys: 1, Password: true })
    expect((await contain(user.PrincipalId)).json.Ended).toEqual({
      Disabled: false,
      Sessions: 0,
      Programs: 0,
      Passkeys: 0,
      SecondStep: false,
      Password: false,
      Uploads: 0,
      CasesHandedOver: 0,
    })
    expect(entriesAbout(user.PrincipalId).filter(({ action }) => action === 'user.contained')).toHaveLength(2)
  })

  it('hands its cases to Account Administrators, as disabling does', async () => {
    const user = await world.user({ Policies: [{ Policy: 'CreateCases' }] })
    const page = await world.signedIn(user.Username)
    const made = await page.send('POST', '/api/v1/case/station/', { body: { Title: fresh('case') } })
    expect(made.status).toBe(201)
    expect((await contain(user.PrincipalId)).json.Ended.CasesHandedOver).toBe(1)
  })
})

describe('the right to contain', () => {
  it('is that of administrators, with a reason, and never about the last of them', async () => {
    const user = await world.user()
    const page = await world.signedIn(user.Username)
    const place = `/userservice/api/v1/tenant/station/users/${user.PrincipalId}/contain`
    expect((await page.send('POST', place, { body: { Reason: REASON } })).status).toBe(403)
    expect((await world.send('POST', `/users/${user.PrincipalId}/contain`, {})).status).toBe(400)
    expect((await world.send('POST', `/users/${user.PrincipalId}/contain`, { Reason: '' })).status).toBe(400)
    await world.refused(contain('999999'), 404, 'UserNotFound')

    const [sergeant] = (await world.send('GET', '/users?text=sergeant')).json.Items
    const own = world.page()
    await own.signIn('sergeant', 'a long enough pass phrase')
    await world.refused(contain(sergeant.PrincipalId), 409, 'LastAdministrator')
    expect(await own.state()).toBe('open')
    expect(entriesAbout(sergeant.PrincipalId).filter(({ action }) => action === 'user.contained')).toEqual([])
  })

  it('is not the account’s own, and ends nothing of anybody else', async () => {
    const [user, neighbour] = [await world.user(), await world.user()]
    const page = await world.signedIn(neighbour.Username)
    const { uri } = await openUpload(page)
    await contain(user.PrincipalId)
    expect(await page.state()).toBe('open')
    expect(await put(uri, Buffer.from('here'))).toBe(201)
  })
})

describe('upload addresses', () => {
  it('stop with an account that is disabled, and count again when it is enabled', async () => {
    const user = await world.user()
    const { uri } = await openUpload(await world.signedIn(user.Username))
    await world.send('POST', `/users/${user.PrincipalId}/disable`)
    expect(await put(uri, Buffer.from('late'))).toBe(403)
    // Refusals from one place are counted together, so that the entry may name another address of this file.
    await expect
      .poll(() => world.given.ledger().flatMap(({ action, reason }) => (action === 'upload.refused' ? [reason] : [])), {
        timeout: 10_000,
      })
      .toContain('the upload address was ended')
    await world.send('POST', `/users/${user.PrincipalId}/enable`)
    expect(await put(uri, Buffer.from('in time'))).toBe(201)
  })

  it.each([
    ['whom it was given to', 'saoid', '1'],
    ['when it was given', 'st', '2099-01-01T00:00:00Z'],
  ])('are refused when %s was changed in them', async (_what, member, value) => {
    const user = await world.user()
    const uri = new URL((await openUpload(await world.signedIn(user.Username))).uri)
    uri.searchParams.set(member, value)
    expect(await put(uri.href, Buffer.from('forged'))).toBe(403)
  })
})
