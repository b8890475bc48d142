/** A link for an outside guest over the network: by TLS, for somebody who knows the CA and has no account (promise S14). */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Json } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'
import { type LanWorld, lanWorld, type Over, overLan } from '../lan/world.ts'
import { GUEST, LINKS, RECIPIENT } from './world.ts'

let world: LanWorld
let over: Over
let token: string
beforeAll(async () => {
  world = await lanWorld()
  await world.change({ Enabled: true })
  token = await signIn(await world.given.integration('sharer', ['AccessUnassociatedFiles:Manage']), world.given.url)
}, 60_000)
afterAll(() => world?.close())

const BYTES = Buffer.from('what counsel asked for')
const origin = (): string => `https://${over.name}:${over.port}`

async function shared(): Promise<{ link: Json; guestToken: string }> {
  const { given } = world
  const { EvidenceId } = await given.evidence({ Name: 'Statement' })
  await given.completed(BYTES, { name: 'statement.txt', evidenceId: EvidenceId })
  await given.expecting(200, given.call('POST', `${given.documents}/evidence/${EvidenceId}/complete`))
  const link = await given.expecting(
    201,
    given.call('POST', LINKS, { token, body: { EvidenceIds: [EvidenceId], Recipient: RECIPIENT, Mode: 'download' } }),
  )
  return { link, guestToken: link.Address.split('#')[1] }
}

it('S14: is opened with its code from another host, read and downloaded, and ends when it is recalled', async () => {
  const { link, guestToken } = await shared()
  // The recipient gets an address of the network, not that of this machine.
  over = await world.over(new URL(link.Address).hostname)
  expect(new URL(link.Address).origin).toBe(origin())
  const headers = { origin: origin() }
  const opened = (Code: string) =>
    overLan(over, 'POST', `${GUEST}/session`, { body: { Token: guestToken, Code }, headers })
  const wrong = await opened('AAAA-AAAA')
  expect([wrong.status, wrong.headers['set-cookie']]).toEqual([
    expect.toSatisfy((status: number) => status >= 400),
    undefined,
  ])
  const right = await opened(link.Code)
  expect(right.status).toBe(200)
  const [set = ''] = right.headers['set-cookie'] as string[]
  // Never sent without TLS, nor to a page of another site, nor to a script.
  for (const flag of ['Secure', 'HttpOnly', 'SameSite=Strict']) expect(set).toContain(flag)
  const cookie = set.split(';')[0] as string
  const asked = (path: string) => overLan(over, 'GET', `${GUEST}${path}`, { headers: { cookie } })
  const { json } = await asked('/session')
  expect(json.Items.map(({ Name }: Json) => Name)).toEqual(['statement.txt'])
  const { status, text } = await asked(`/item/${json.Items[0].No}/original`)
  expect([status, createHash('sha256').update(text).digest('hex')]).toEqual([
    200,
    createHash('sha256').update(BYTES).digest('hex'),
  ])
  // The same cookie opens nothing of the people of the station.
  expect((await overLan(over, 'GET', LINKS, { headers: { cookie } })).status).toBe(401)
  await world.given.expecting(
    200,
    world.given.call('POST', `${LINKS}/link/${link.Link.LinkId}/recall`, { token, body: { Reason: 'Settled' } }),
  )
  expect((await asked('/session')).status).toBe(401)
  expect((await opened(link.Code)).status).toBeGreaterThanOrEqual(400)
})
