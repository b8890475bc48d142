/** Links for somebody without an account (docs/decisions/0037): what is handed out to whom, and when nothing is any more. */
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { RouteDefinition } from '../../../shared/kernel/route.ts'
import { rightsVersionOf } from '../../../server/kernel/database/rights-version.ts'
import * as contracts from '../../../shared/contracts.ts'
import { type Json, sha256Of } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'
import {
  cookieOf,
  GUEST,
  type Guest,
  guestWith,
  LINKS,
  type MadeLink,
  pictureIn,
  RECIPIENT,
  type ShareWorld,
  shareStation,
  videoIn,
} from './world.ts'

let world: ShareWorld
let video: Uint8Array
let picture: Uint8Array
/** With a video and a picture. */
let shared: string
/** With a text alone. */
let papers: string
beforeAll(async () => {
  world = await shareStation()
  video = await videoIn(world.given.dir)
  picture = await pictureIn(world.given.dir)
  shared = await world.add('Front desk', { 'desk.mp4': video, 'desk.jpg': picture })
  papers = await world.add('Custody record', { 'record.txt': Buffer.from('17:04 signed in\n') })
}, 120_000)
afterAll(() => world?.given.close())

const wrongFor = (code: string): string => (code === '00000000' ? '11111111' : '00000000')
const setLink = (id: string, set: string): Promise<unknown> =>
  world.given.meddle((db) => db.exec(`UPDATE share_links SET ${set} WHERE link_id = ${Number(id)}`))
const folderOf = (id: string): string => path.join(world.given.data, 'share-links', id)
const recall = (link: MadeLink, Reason = ''): Promise<Json> =>
  world.ok(200, 'POST', `${LINKS}/link/${link.id}/recall`, { Reason })
/** Past the station, which then has to be told that rights are others now. */
async function meddleWithRights(sql: string): Promise<void> {
  await world.given.meddle((db) => db.exec(sql))
  const version = rightsVersionOf(world.given.file)
  version.begin()
  version.end()
}
/** The statuses of everything that a guest may ask. */
const statusesOf = async (guest: Guest): Promise<number[]> =>
  (
    await Promise.all(
      ['/session', '/item/1/poster', '/item/1/copy', '/item/1/original'].map((place) => guest.call('GET', place)),
    )
  ).map(({ status }) => status)

describe('a link', () => {
  it('S20: opens with token and code, shows marked copies, and no id of the station', async () => {
    const link = await world.share([shared])
    expect(link.json.Address).toBe(`${world.given.url}/link#${link.token}`)
    expect(link.code).toMatch(/^\d{8}$/)
    // Nobody outside this machine could open it, and the maker is told.
    expect(link.json.Reach).toEqual({ Reachable: false, Origin: world.given.url })
    await world.copied(link)
    const reply = await world.tryCode(link.token, `${link.code.slice(0, 4)} ${link.code.slice(4)}`)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('set-cookie')).toMatch(/^sallyport_link=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
    expect(reply.json).toMatchObject({
      Number: link.id,
      GivenBy: 'sharer',
      Recipient: RECIPIENT,
      Mode: 'view',
      Withheld: 0,
      Items: [
        { No: 1, Evidence: 'Front desk', Name: 'desk.mp4', Shows: 'video', Copy: 'ready', Original: null },
        { No: 2, Name: 'desk.jpg', Shows: 'picture', Copy: 'ready', Original: null },
      ],
    })
    expect(reply.text).not.toMatch(/EvidenceId|ResourceId/)
    const guest = guestWith(world.given, cookieOf(reply))
    const copy = await guest.call('GET', '/item/1/copy')
    expect([copy.status, copy.headers.get('content-type')]).toEqual([200, 'video/mp4'])
    expect(sha256Of(copy.bytes)).not.toBe(sha256Of(video))
    const part = await guest.call('GET', '/item/1/copy', { range: 'bytes=10-19' })
    expect([part.status, part.bytes.length]).toEqual([206, 10])
    expect(Buffer.from(part.bytes)).toEqual(Buffer.from(copy.bytes.slice(10, 20)))
    for (const item of [1, 2])
      expect((await guest.call('GET', `/item/${item}/poster`)).headers.get('content-type')).toBe('image/jpeg')
    // The link is for viewing.
    expect((await guest.call('GET', '/item/1/original')).status).toBe(404)
    expect((await guest.call('GET', '/item/3/copy')).status).toBe(404)
  })

  it('S20: keeps neither token nor code, in no row, entry or repeated answer', async () => {
    const body = { EvidenceIds: [shared], Recipient: RECIPIENT, Mode: 'view' }
    const ask = () => world.given.call('POST', LINKS, { token: world.token, body, key: 'once' })
    const [first, again] = [await ask(), await ask()]
    expect([first.status, again.status]).toEqual([201, 201])
    const token = first.json.Address.split('#')[1] as string
    expect(again.json).toMatchObject({ Link: { LinkId: first.json.Link.LinkId }, Address: null, Code: null })
    const kept = world.given.database((db) =>
      JSON.stringify([
        db.prepare('SELECT * FROM share_links').all(),
        db.prepare('SELECT answer FROM idempotency').all(),
      ]),
    )
    for (const secret of [token, first.json.Code]) {
      expect(kept).not.toContain(secret)
      expect(JSON.stringify(world.given.ledger())).not.toContain(secret)
    }
  })

  it('S20: for downloading hands out the original, unchanged, with an entry before the bytes', async () => {
    const link = await world.share([shared, papers], { Mode: 'download' })
    await world.copied(link)
    const guest = await world.open(link)
    const { json } = await guest.call('GET', '/session')
    expect(json.Items).toMatchObject([
      { Name: 'desk.mp4', Copy: 'ready', Original: { Sha256: sha256Of(video), LengthInBytes: video.length } },
      { Name: 'desk.jpg', Copy: 'ready', Original: { Sha256: sha256Of(picture) } },
      { Name: 'record.txt', Shows: 'nothing', Copy: 'none' },
    ])
    const original = await guest.call('GET', '/item/1/original')
    expect(sha256Of(original.bytes)).toBe(sha256Of(video))
    expect(original.headers.get('content-disposition')).toMatch(/^attachment; filename="desk.mp4"/)
    expect((await guest.call('GET', '/item/3/copy')).status).toBe(404)
    expect(world.entries('resource.linkDownloaded').at(-1)).toMatchObject({
      actor: { kind: 'share-link', id: `link-${link.id}`, name: `${RECIPIENT.Name}, ${RECIPIENT.Organisation}` },
      object: { type: 'resource', name: 'desk.mp4' },
      sha256: sha256Of(video),
      detail: { linkId: link.id, recipient: RECIPIENT.Name, evidenceId: shared },
    })
  })

  it('S20: gets another code from its maker alone: the old one and its sessions end, and a lock too', async () => {
    const link = await world.share([shared])
    await world.copied(link)
    const guest = await world.open(link)
    expect((await guest.call('GET', '/session')).status).toBe(200)
    const place = `${LINKS}/link/${link.id}/code`
    const renewed = await world.ok(200, 'POST', place)
    expect(renewed.Code).toMatch(/^\d{8}$/)
    expect((await guest.call('GET', '/session')).status).toBe(401)
    if (renewed.Code !== link.code) expect((await world.tryCode(link.token, link.code)).status).toBe(401)
    expect((await world.tryCode(link.token, renewed.Code)).status).toBe(200)
    expect(world.entries('shareLink.codeRenewed').at(-1)).toMatchObject({
      object: { type: 'shareLink', id: link.id },
      detail: { wasLocked: false },
    })
    expect(JSON.stringify(world.given.ledger())).not.toContain(renewed.Code)
    // The fifth wrong code locks it; the maker opens it again by another one. Few tries: the limit of the address counts those of all tests here.
    await setLink(link.id, 'wrong_codes = 4')
    await world.tryCode(link.token, wrongFor(renewed.Code))
    expect((await world.ok(200, 'GET', `${LINKS}/link/${link.id}`)).Link.State).toBe('locked')
    const again = await world.ok(200, 'POST', place)
    expect(again.Link).toMatchObject({ State: 'open', WrongCodes: 0, LockedTimeUtc: null })
    await world.copied(link)
    expect((await (await world.open({ ...link, code: again.Code })).call('GET', '/item/1/copy')).status).toBe(200)
    expect(world.entries('shareLink.codeRenewed').at(-1)?.detail).toEqual({ wasLocked: true })
    // Who manages an evidence in it may recall it, and lets nobody in by it.
    const connection = await world.given.integration('manager of evidence', ['AccessUnassociatedFiles:Manage'])
    const manager = await signIn(connection, world.given.url)
    expect((await world.call('GET', `${LINKS}/link/${link.id}`, undefined, manager)).status).toBe(200)
    const refused = await world.call('POST', place, undefined, manager)
    expect([refused.status, refused.json.ErrorCode]).toEqual([403, 'Forbidden'])
    await recall(link)
    expect((await world.call('POST', place)).json.ErrorCode).toBe('ShareLinkEnded')
    const ended = await world.share([shared])
    await setLink(ended.id, "expires_utc = '2020-01-01T00:00:00.000Z', locked_utc = '2019-01-01T00:00:00.000Z'")
    expect((await world.call('POST', `${LINKS}/link/${ended.id}/code`)).json.ErrorCode).toBe('ShareLinkEnded')
  }, 120_000)

  it('S20: writes each opening and the first look at each copy into the ledger, and shows them to its maker', async () => {
    const link = await world.share([shared])
    await world.copied(link)
    const guest = await world.open(link)
    for (const range of ['bytes=0-99', 'bytes=100-199']) await guest.call('GET', '/item/1/copy', { range })
    await guest.call('DELETE', '/session')
    expect((await guest.call('GET', '/session')).status).toBe(401)
    const detail = await world.ok(200, 'GET', `${LINKS}/link/${link.id}`)
    expect(detail.Log.map(({ Action, Object: name }: Json) => [Action, name])).toEqual([
      ['shareLink.closed', ''],
      ['resource.linkViewed', 'desk.mp4'],
      ['shareLink.opened', ''],
      ['shareLink.made', ''],
    ])
    expect(detail.Log[1]).toMatchObject({ Actor: `${RECIPIENT.Name}, ${RECIPIENT.Organisation}`, Source: '127.0.0.1' })
    expect(detail.Link).toMatchObject({ OpenedCount: 1, State: 'open', WrongCodes: 0 })
    // In the custody of the evidence it stands in words.
    const custody = await world.ok(200, 'GET', `${world.given.documents}/evidence/${shared}/custody`)
    const actions = custody.Entries.map(({ Action }: Json) => Action)
    expect(actions).toEqual(expect.arrayContaining(['evidence.linkMade', 'resource.linkViewed']))
  })
})

describe('token and code', () => {
  it('S20: an unknown token, a wrong code and a locked link are answered alike', async () => {
    const link = await world.share([shared])
    const answers = [
      await world.tryCode('A'.repeat(43), link.code),
      await world.tryCode(link.token, wrongFor(link.code)),
    ]
    await setLink(link.id, "locked_utc = '2026-01-01T00:00:00.000Z'")
    answers.push(await world.tryCode(link.token, link.code), await world.tryCode(link.token, wrongFor(link.code)))
    const said = answers.map(({ status, json }) => [status, json.ErrorCode, json.Message])
    expect(said[0]).toEqual([401, 'ShareLinkRefused', expect.any(String)])
    expect(new Set(said.map((one) => JSON.stringify(one))).size).toBe(1)
    expect(answers.every(({ headers }) => headers.get('set-cookie') === null)).toBe(true)
  })

  it.each([
    ['expired', "expires_utc = '2026-01-01T00:00:00.000Z'"],
    ['recalled', "recalled_utc = '2026-01-01T00:00:00.000Z', recalled_by = made_by_then"],
  ])('S20: that a link is %s learns only who has its code, and its session is over', async (state, set) => {
    const link = await world.share([shared])
    await world.copied(link)
    const guest = await world.open(link)
    expect((await statusesOf(guest)).slice(0, 3)).toEqual([200, 200, 200])
    await setLink(link.id, set)
    expect(await statusesOf(guest)).toEqual([401, 401, 401, 401])
    expect((await world.tryCode(link.token, wrongFor(link.code))).json.ErrorCode).toBe('ShareLinkRefused')
    expect((await world.tryCode(link.token, link.code)).json.ErrorCode).toBe('ShareLinkEnded')
    const { Items } = await world.ok(200, 'GET', LINKS)
    expect(Items.find(({ LinkId }: Json) => LinkId === link.id)?.State).toBe(state)
  })

  it('S20: five wrong codes lock a link for ever, end its sessions, and tell its maker', async () => {
    const link = await world.share([shared])
    await world.copied(link)
    const guest = await world.open(link)
    // Notices are for people.
    const person = world.given.database((db) =>
      db.prepare("SELECT principal_id FROM principals WHERE kind = 'user'").pluck().get(),
    ) as number
    await setLink(link.id, `made_by = ${person}`)
    for (let tries = 0; tries < 5; tries++) await world.tryCode(link.token, wrongFor(link.code))
    expect((await world.tryCode(link.token, link.code)).json.ErrorCode).toBe('ShareLinkRefused')
    expect((await guest.call('GET', '/session')).status).toBe(401)
    expect(world.entries('shareLink.locked').at(-1)).toMatchObject({ object: { id: link.id }, detail: { wrong: 5 } })
    const refused = world.entries('shareLink.refused').filter(({ object }) => object.id === link.id)
    expect(refused.map(({ detail, outcome }) => [detail.wrong, outcome])).toEqual(
      [1, 2, 3, 4, 5].map((wrong) => [wrong, 'denied']),
    )
    const notices = world.given.database((db) =>
      db.prepare("SELECT principal_id, object_id FROM notices WHERE kind = 'shareLink.locked'").all(),
    )
    expect(notices).toContainEqual({ principal_id: person, object_id: link.id })
  })

  it('S20: wrong codes that come at once are each counted', async () => {
    const link = await world.share([shared])
    await Promise.all([1, 2, 3].map(() => world.tryCode(link.token, wrongFor(link.code))))
    const detail = await world.ok(200, 'GET', `${LINKS}/link/${link.id}`)
    expect(detail.Link.WrongCodes).toBe(3)
    // The right one starts the count anew.
    await world.open(link)
    expect((await world.ok(200, 'GET', `${LINKS}/link/${link.id}`)).Link.WrongCodes).toBe(0)
  })

  it('S20: a source that tries many tokens has to wait, as one that tries passwords', async () => {
    const own = await shareStation()
    onTestFinished(() => own.given.close())
    const statuses: number[] = []
    for (let tries = 0; tries < 24; tries++)
      statuses.push((await own.tryCode(`${String(tries).padStart(2, '0')}${'A'.repeat(41)}`, '12345678')).status)
    expect(statuses.slice(0, 20).every((status) => status === 401)).toBe(true)
    expect(statuses.at(-1)).toBe(429)
  }, 60_000)
})

describe('the session of a guest', () => {
  let guest: Guest
  let link: MadeLink
  beforeAll(async () => {
    link = await world.share([shared], { Mode: 'download' })
    await world.copied(link)
    guest = await world.open(link)
  })
  const routes = Object.values(contracts)
    .flatMap((area) => Object.values(area) as unknown[])
    .filter(
      (one): one is RouteDefinition => typeof one === 'object' && one !== null && 'method' in one && 'audit' in one,
    )

  it('S20: opens no other route of the station', async () => {
    const others = routes.filter(
      ({ permission }) => !['share-link', 'anyone', 'signed-address'].includes(permission.kind),
    )
    expect(others.length).toBeGreaterThan(200)
    const admitted: string[] = []
    for (const { id, method, path: place, permission } of others) {
      // This machine may read how the station runs, whoever asks.
      if (permission.kind === 'loopback-or-administrator') continue
      const address = place.replaceAll(/:tenant(Id|Name)/g, 'station').replaceAll(/:\w+/g, '1')
      const reply = await world.given.call(method, address, {
        token: null,
        headers: { cookie: guest.cookie, origin: world.given.url },
        ...(method === 'GET' || method === 'DELETE' || method === 'HEAD' ? {} : { body: {} }),
      })
      if (reply.status !== 401 && reply.status !== 403) admitted.push(`${id} ${reply.status}`)
    }
    expect(admitted).toEqual([])
    const session = await world.given.call('GET', '/connect/session', {
      token: null,
      headers: { cookie: guest.cookie },
    })
    expect(session.json.State).toBe('none')
  }, 60_000)

  it('S20: is opened by no session, token or cookie of anybody else', async () => {
    const value = guest.cookie.split('=')[1] as string
    const strangers: Readonly<Record<string, string>>[] = [
      { authorization: `Bearer ${world.token}` },
      { cookie: `sallyport_session=${value}` },
      { cookie: `sallyport_link=${value.slice(0, -1)}${value.endsWith('A') ? 'B' : 'A'}` },
      // Another party may have set one of them.
      { cookie: `${guest.cookie}; sallyport_link=${'A'.repeat(43)}` },
      { cookie: `__Host-sallyport_link=${value}` },
    ]
    for (const headers of strangers)
      for (const place of ['/session', '/item/1/copy', '/item/1/original', '/item/1/poster'])
        expect((await world.given.call('GET', `${GUEST}${place}`, { token: null, headers })).status, place).toBe(401)
    // An officer's token beside the cookie of the guest neither helps nor hurts.
    const both = { cookie: guest.cookie, authorization: `Bearer ${world.token}` }
    expect((await world.given.call('GET', `${GUEST}/session`, { token: null, headers: both })).status).toBe(200)
  })

  it('S20: changes nothing without the page of the station as its origin', async () => {
    for (const headers of [{}, { origin: 'http://evil.example' }]) {
      const reply = await world.given.call('DELETE', `${GUEST}/session`, {
        token: null,
        headers: { cookie: guest.cookie, ...headers },
      })
      expect(reply.status).toBe(403)
    }
    expect((await guest.call('GET', '/session')).status).toBe(200)
  })

  it('S20: ends two hours after the code, and an entry of the table with it', async () => {
    const other = await world.open(link)
    expect((await other.call('GET', '/session')).status).toBe(200)
    await world.given.meddle((db) => db.exec(`UPDATE share_link_sessions SET ends_at = ${Date.now() - 1}`))
    expect(await statusesOf(other)).toEqual([401, 401, 401, 401])
    guest = await world.open(link)
  })
})

describe('what a link hands out', () => {
  it('S20: ends with its recall, also for a download that runs, and its copies are removed', async () => {
    const large = await world.add('Disk image', { 'disk.img': Buffer.alloc(48 * 1024 * 1024, 7) })
    const link = await world.share([large, shared], { Mode: 'download' })
    await world.copied(link)
    expect(readdirSync(folderOf(link.id)).length).toBeGreaterThan(0)
    const guest = await world.open(link)
    const running = await fetch(`${world.given.url}${GUEST}/item/1/original`, { headers: { cookie: guest.cookie } })
    const reader = (running.body as ReadableStream<Uint8Array>).getReader()
    await reader.read()
    await recall(link, 'Sent to the wrong person')
    // A slow reader: what is under way is cut off within seconds.
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    const rest = async (): Promise<void> => {
      for (;;) if ((await reader.read()).done) return
    }
    await expect(rest()).rejects.toThrow()
    expect(await statusesOf(guest)).toEqual([401, 401, 401, 401])
    expect(existsSync(folderOf(link.id))).toBe(false)
    expect((await world.tryCode(link.token, link.code)).json.ErrorCode).toBe('ShareLinkEnded')
    expect(world.entries('shareLink.recalled').at(-1)).toMatchObject({
      object: { id: link.id },
      reason: 'Sent to the wrong person',
    })
    const twice = await world.call('POST', `${LINKS}/link/${link.id}/recall`, { Reason: '' })
    expect([twice.status, twice.json.ErrorCode]).toEqual([409, 'ShareLinkEnded'])
  }, 60_000)

  it('S20: ends at once for evidence that is restricted or deleted afterwards, and only for that', async () => {
    const other = await world.add('Yard', { 'yard.jpg': picture })
    const link = await world.share([other, shared], { Mode: 'download' })
    await world.copied(link)
    const guest = await world.open(link)
    const seen = async () => {
      const { json } = await guest.call('GET', '/session')
      return [json.Items.map(({ Name }: Json) => Name), json.Withheld]
    }
    const whole = [['yard.jpg', 'desk.mp4', 'desk.jpg'], 0]
    expect(await seen()).toEqual(whole)
    await world.restrict(other)
    expect(await seen()).toEqual([['desk.mp4', 'desk.jpg'], 1])
    expect((await statusesOf(guest)).slice(1)).toEqual([404, 404, 404])
    expect((await guest.call('GET', '/item/2/copy')).status).toBe(200)
    await world.lift(other)
    expect(await seen()).toEqual(whole)
    await world.ok(200, 'DELETE', `${world.given.documents}/evidence/${other}`)
    expect(await seen()).toEqual([['desk.mp4', 'desk.jpg'], 1])
    expect((await statusesOf(guest)).slice(1)).toEqual([404, 404, 404])
  })

  it('S20: needs the right of its maker each time, and their account', async () => {
    const link = await world.share([shared], { Mode: 'download' })
    await world.copied(link)
    const guest = await world.open(link)
    expect(await statusesOf(guest)).toEqual([200, 200, 200, 200])
    const principal = `principal_id = ${Number(world.makerId)}`
    for (const [away, back] of [
      [
        `UPDATE policy_members SET level = 'Edit' WHERE policy = 'AccessUnassociatedFiles' AND ${principal}`,
        `UPDATE policy_members SET level = 'Manage' WHERE policy = 'AccessUnassociatedFiles' AND ${principal}`,
      ],
      [`UPDATE principals SET enabled = 0 WHERE ${principal}`, `UPDATE principals SET enabled = 1 WHERE ${principal}`],
      [`UPDATE principals SET guest = 1 WHERE ${principal}`, `UPDATE principals SET guest = 0 WHERE ${principal}`],
    ] as const) {
      await meddleWithRights(away)
      expect(await statusesOf(guest), away).toEqual([200, 404, 404, 404])
      expect((await guest.call('GET', '/session')).json).toMatchObject({ Items: [], Withheld: 2 })
      await meddleWithRights(back)
      expect(await statusesOf(guest), back).toEqual([200, 200, 200, 200])
    }
  })

  it('a copy that was lost is made anew', { tags: ['merge'] }, async () => {
    const link = await world.share([shared])
    await world.copied(link)
    const { rmSync } = await import('node:fs')
    rmSync(folderOf(link.id), { recursive: true })
    const guest = await world.open(link)
    expect((await guest.call('GET', '/item/1/copy')).status).toBe(503)
    await world.copied(link)
    expect((await guest.call('GET', '/item/1/copy')).status).toBe(200)
  })
})

describe('making a link', () => {
  const refusal = async (body: Record<string, unknown>, token = world.token) => {
    const reply = await world.call('POST', LINKS, { Recipient: RECIPIENT, Mode: 'view', ...body }, token)
    return [reply.status, reply.json.ErrorCode ?? null]
  }

  it('S20: needs Manage on every evidence, and is refused for what may not leave or is not there', async () => {
    const editor = await signIn(
      await world.given.integration('editor', ['AccessUnassociatedFiles:Edit']),
      world.given.url,
    )
    const stranger = await signIn(await world.given.integration('stranger'), world.given.url)
    expect(await refusal({ EvidenceIds: [shared] }, editor)).toEqual([403, 'Forbidden'])
    expect(await refusal({ EvidenceIds: [shared] }, stranger)).toEqual([404, 'EvidenceNotFound'])
    expect(await refusal({ EvidenceIds: ['999999'] })).toEqual([404, 'EvidenceNotFound'])
    expect(await refusal({ EvidenceIds: ['9007199254740993'] })).toEqual([404, 'EvidenceNotFound'])
    const other = await world.add('Cells', { 'cells.jpg': picture })
    await world.restrict(other)
    expect(await refusal({ EvidenceIds: [shared, other] })).toEqual([409, 'EvidenceRestricted'])
    await world.lift(other)
    await world.ok(200, 'DELETE', `${world.given.documents}/evidence/${other}`)
    expect(await refusal({ EvidenceIds: [shared, other] })).toEqual([409, 'EvidenceDeleted'])
    expect(await refusal({ EvidenceIds: [papers] })).toEqual([409, 'NothingToShare'])
    const rows = world.given.database((db) => db.prepare('SELECT count(*) AS n FROM share_links').get()) as {
      n: number
    }
    await refusal({ EvidenceIds: [papers] })
    expect(world.given.database((db) => db.prepare('SELECT count(*) AS n FROM share_links').get())).toEqual(rows)
  })

  it('ends within 90 days, after seven where nothing is said', async () => {
    const day = 86_400_000
    const at = (days: number) => new Date(Date.now() + days * day).toISOString()
    const link = await world.share([shared])
    const { ExpiresTimeUtc, MadeTimeUtc } = link.json.Link
    expect(Date.parse(ExpiresTimeUtc) - Date.parse(MadeTimeUtc)).toBeLessThanOrEqual(7 * day)
    expect(Date.parse(ExpiresTimeUtc) - Date.parse(MadeTimeUtc)).toBeGreaterThan(7 * day - 10_000)
    expect(await refusal({ EvidenceIds: [shared], ExpiresTimeUtc: at(-1) })).toEqual([400, 'InvalidModel'])
    expect(await refusal({ EvidenceIds: [shared], ExpiresTimeUtc: at(90.1) })).toEqual([400, 'InvalidModel'])
    expect(await refusal({ EvidenceIds: [shared], ExpiresTimeUtc: at(89.9) })).toEqual([201, null])
  })

  it('is refused for a recipient whom the mark could not name', async () => {
    const reply = await world.call('POST', LINKS, {
      EvidenceIds: [shared],
      Recipient: { Name: '山田 太郎', Organisation: '' },
      Mode: 'view',
    })
    expect([reply.status, reply.json.Details]).toEqual([
      400,
      [{ Path: 'Recipient.Name', Message: expect.stringMatching(/^holds letters that the font .*山/) }],
    ])
    expect(
      (await world.call('POST', LINKS, { EvidenceIds: [shared], Recipient: { Name: 'Иван Ξένος عمر' }, Mode: 'view' }))
        .status,
    ).toBe(201)
  })

  it('shows before what it would hold, what is refused, and whether anybody could open it', async () => {
    const { json } = await world.call('GET', `${LINKS}/preview?id=${shared}&id=${papers}&id=999999`)
    expect(json).toEqual({
      Reach: { Reachable: false, Origin: world.given.url },
      Items: [
        { EvidenceId: shared, Name: 'Front desk', Refused: null, Files: 2, Marked: 2 },
        { EvidenceId: papers, Name: 'Custody record', Refused: null, Files: 1, Marked: 0 },
        { EvidenceId: '999999', Name: '', Refused: 'not-found', Files: 0, Marked: 0 },
      ],
    })
  })
})

describe('who sees and recalls a link', () => {
  it('S20: its maker, and who manages an evidence in it; for others it is not there', async () => {
    const link = await world.share([shared])
    const other = async (name: string, ...policies: string[]) =>
      signIn(await world.given.integration(name, policies), world.given.url)
    const manager = await other('manager', 'AccessUnassociatedFiles:Manage')
    const viewer = await other('viewer', 'AccessUnassociatedFiles:View')
    const places = [`${LINKS}/link/${link.id}`, `${LINKS}/evidence/${shared}`]
    const statuses = async (token: string) =>
      Promise.all([
        ...places.map((place) => world.call('GET', place, undefined, token)),
        world.call('POST', `${LINKS}/link/999999/recall`, { Reason: '' }, token),
      ]).then((replies) => replies.map(({ status }) => status))
    expect(await statuses(world.token)).toEqual([200, 200, 404])
    expect(await statuses(manager)).toEqual([200, 200, 404])
    expect(await statuses(viewer)).toEqual([404, 403, 404])
    // Only their own are listed as such.
    expect((await world.call('GET', LINKS, undefined, manager)).json.Items).toEqual([])
    const refused = await world.call('POST', `${LINKS}/link/${link.id}/recall`, { Reason: '' }, viewer)
    expect(refused.status).toBe(404)
    expect((await world.call('POST', `${LINKS}/link/${link.id}/recall`, { Reason: '' }, manager)).status).toBe(200)
  })
})
