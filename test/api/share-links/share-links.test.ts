/** Links for somebody without an account (docs/decisions/0037): what is handed out to whom, and when nothing is any more. */
import { readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { command } from '../../pipeline/tools.ts'
import { type Json, sha256Of } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'
import { cookieOf, GUEST, LINKS, pictureIn, RECIPIENT, type ShareWorld, shareStation, videoIn } from './world.ts'

let world: ShareWorld
let video: Uint8Array
let picture: Uint8Array
/** With a video and a picture. */
let shared: string
beforeAll(async () => {
  world = await shareStation()
  video = await videoIn(world.given.dir)
  picture = await pictureIn(world.given.dir)
  shared = await world.add('Front desk', { 'desk.mp4': video, 'desk.jpg': picture })
}, 120_000)
afterAll(() => world?.given.close())

const wrongFor = (code: string): string => (code === '00000000' ? '11111111' : '00000000')

describe('a link', () => {
  it('S19: opens with token and code, shows marked copies, and no id of the station', async () => {
    const link = await world.share([shared])
    expect(link.json.Address).toBe(`${world.given.url}/link#${link.token}`)
    expect(link.code).toMatch(/^\d{8}$/)
    // Nobody outside this machine could open it, and the maker is told.
    expect(link.json.Reach).toEqual({ Reachable: false, Origin: world.given.url })
    await world.copied(link)
    const reply = await world.tryCode(link.token, link.code)
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
    const guest = await world.open(link)
    const copy = await guest.call('GET', '/item/1/copy')
    expect([copy.status, copy.headers.get('content-type')]).toEqual([200, 'video/mp4'])
    expect(sha256Of(copy.bytes)).not.toBe(sha256Of(video))
    const part = await guest.call('GET', '/item/1/copy', { range: 'bytes=10-19' })
    expect([part.status, part.bytes.length]).toEqual([206, 10])
    expect(Buffer.from(part.bytes)).toEqual(Buffer.from(copy.bytes.slice(10, 20)))
    expect((await guest.call('GET', '/item/2/poster')).headers.get('content-type')).toBe('image/jpeg')
    // The link is for viewing.
    expect((await guest.call('GET', '/item/1/original')).status).toBe(404)
    expect((await guest.call('GET', '/item/3/copy')).status).toBe(404)
  })
})
void [readdirSync, writeFile, path, command, signIn, cookieOf, GUEST, LINKS, wrongFor]
void (0 as unknown as Json)
