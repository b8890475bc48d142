/** The network as an administrator sets it up: port, names that are there, who was turned away, and the CA to take along. */
// @module-tag screen
import { createHash } from 'node:crypto'
import { createServer } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { looking } from './support/cases.ts'
import { LAN, type LanStation, lanStation, NAME } from './support/lan.ts'
import { look } from './support/window.ts'

let station: LanStation
beforeAll(async () => {
  // The port is one that the page may choose: no setting says it.
  station = await lanStation({})
  const { port: Port, release } = await held()
  await release()
  await station.change({ Enabled: true, Port, Names: [NAME], NewCa: true })
}, 120_000)
afterAll(() => station?.given.close())

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const inDialog = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true })
const settings = () => looking(station.given, station.sergeant, '/administration/network')

/** A port of loopback that another program has until it is let go. */
async function held(): Promise<{ port: number; release: () => Promise<void> }> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  return { port, release: () => new Promise((done) => server.close(() => done())) }
}

it('the port is changed to one that is free; of one that is not it says so, and stays where it was', {
  timeout: 120_000,
}, async () => {
  const { Port } = await station.status()
  const { port, release } = await held()
  const { page } = await settings()
  await button(page, 'Change the port').click()
  const field = page.getByRole('dialog').getByRole('textbox', { name: 'Port' })
  await field.fill('70000')
  await inDialog(page, 'Change the port').click()
  await page.getByText('Between 1 and 65,535.').waitFor()
  await field.fill(String(port))
  await inDialog(page, 'Change the port').click()
  await page.getByText('The station cannot listen at this port').waitFor()
  expect((await station.status()).Port).toBe(Port)
  await release()
  await inDialog(page, 'Change the port').click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect((await station.status()).Port).toBe(port)
  await page.getByText(`https://${NAME}:${port}`, { exact: true }).first().waitFor()
})

it('a name that the station has is not added once more', { timeout: 120_000 }, async () => {
  const { LocalName, Names } = await station.status()
  const { page, problems } = await settings()
  await button(page, 'Add a name').click()
  for (const name of [LocalName, NAME.toUpperCase()]) {
    await page.getByRole('textbox', { name: 'Name' }).fill(name)
    await inDialog(page, 'Add the name').click()
    await page.getByText('The station has this name already.').waitFor()
    await page.getByRole('textbox', { name: 'Name' }).fill('desk')
    await page.getByText('The station has this name already.').waitFor({ state: 'detached' })
  }
  expect((await station.status()).Names).toEqual(Names)
  expect(problems).toEqual([])
})

it('tells how many were turned away, from where last, and gives nothing to read where none were', {
  timeout: 120_000,
}, async () => {
  const { page, problems } = await settings()
  const networks = page.getByRole('region', { name: 'Allowed networks', exact: true })
  await networks.getByText('Every private network is allowed').waitFor()
  expect(await networks.getByText(/refused since/).count()).toBe(0)
  // Whoever comes from loopback is never turned away: it is told as the station tells it of others (test/api/lan).
  const Refused = { Connections: 3, LastAddress: '10.9.8.7', LastTimeUtc: new Date().toISOString() }
  await page.route(`**${LAN}`, async (route) => {
    const reply = await route.fetch()
    return route.fulfill({ response: reply, json: { ...(await reply.json()), Refused } })
  })
  await page.reload()
  await networks.getByText(/^3 connections were refused .* the last from 10\.9\.8\.7/).waitFor()
  expect(problems).toEqual([])
})

it('the CA to take along is the one whose fingerprint stands beside it', { timeout: 120_000 }, async () => {
  const { Ca } = await station.status()
  const { page, problems } = await settings()
  const link = page.getByRole('link', { name: 'Download the CA' })
  const bytes = await link.evaluate(async (anchor: HTMLAnchorElement) => {
    const reply = await fetch(anchor.href)
    return [...new Uint8Array(await reply.arrayBuffer())]
  })
  expect(createHash('sha256').update(Uint8Array.from(bytes)).digest('hex')).toBe(Ca.Sha256Fingerprint)
  expect(problems).toEqual([])
})

it('what is paired from has every address, and the same CA as bytes, as text and for a stick', {
  timeout: 120_000,
}, async () => {
  const { Ca, Origins } = await station.status()
  const taken = (page: Page, name: string): Promise<number[]> =>
    page.getByRole('link', { name, exact: true }).evaluate(async (anchor: HTMLAnchorElement) => {
      const reply = await fetch(anchor.href)
      return [...new Uint8Array(await reply.arrayBuffer())]
    })
  const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
  const { page, problems } = await look(station.given.url)
  await page.goto(`${station.given.url}/pair`)
  await page.getByRole('heading', { name: /^Pair this computer with/ }).waitFor()
  expect(sha256(Uint8Array.from(await taken(page, 'Download the CA')))).toBe(Ca.Sha256Fingerprint)
  const text = Buffer.from(await taken(page, 'as PEM')).toString('latin1')
  const [, base64 = ''] = /^-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----\s*$/.exec(text) ?? []
  expect(sha256(Buffer.from(base64, 'base64'))).toBe(Ca.Sha256Fingerprint)
  for (const origin of Origins)
    expect(await page.getByRole('link', { name: origin, exact: true }).getAttribute('href')).toBe(origin)

  const ours = await looking(station.given, station.sergeant, '/administration/network/pair')
  await ours.page.getByText(`${Origins[1]}/pair`, { exact: true }).waitFor()
  expect(sha256(Uint8Array.from(await taken(ours.page, 'Download the CA')))).toBe(Ca.Sha256Fingerprint)
  expect([...problems, ...ours.problems]).toEqual([])
})

it('of each host it tells who is there, what was asked last, and what is under way', { timeout: 120_000 }, async () => {
  const { page, problems } = await settings()
  await page.getByText('Nobody is connected').waitFor()
  const TimeUtc = new Date().toISOString()
  const host = {
    Address: '10.20.3.17',
    HostName: NAME,
    People: [{ PrincipalId: '1', Name: 'Dayo Okafor', PrincipalType: 'user' }],
    SinceUtc: TimeUtc,
    LastRequestTimeUtc: TimeUtc,
    LastRequest: 'listEvidence',
    Requests: 41,
    RequestsUnderWay: 2,
    Connections: 7,
    BytesReceived: 3000,
    BytesSent: 19_000,
    ThisOne: false,
  }
  // Other hosts than this one cannot come to a test's loopback: the answer is one that they would give.
  await page.route(`**${LAN}/host`, (route) => route.fulfill({ json: { TimeUtc, Items: [host] } }))
  const row = page.getByRole('table', { name: 'Connected now' }).getByRole('row').filter({ hasText: host.Address })
  await row.waitFor()
  const cells = await row.getByRole('cell').allInnerTexts()
  const [who, , last, requests, way] = cells.map((text) => text.replaceAll(/\s+/g, ' ').trim())
  expect(who).toBe('Dayo Okafor')
  expect(last).toContain('listEvidence')
  expect(requests).toBe('41 7 connections')
  expect(way).toContain('3 kB in, 19 kB out')
  expect(way).toContain('2')
  expect(problems).toEqual([])
})
