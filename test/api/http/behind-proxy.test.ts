import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Given, givenStation } from '../../support/given.ts'
import { rawRequest } from '../sessions/page.ts'

/** 3.6: what this very machine may do without signing in, nobody may do through a proxy on it. */
let plain: Given
let behind: Given
let known: Given
beforeAll(async () => {
  plain = await givenStation()
  behind = await givenStation({ settings: { publicUrl: 'https://evidence.example' }, fresh: true })
  known = await givenStation({ settings: { proxies: '127.0.0.2' } })
})
afterAll(async () => {
  await plain?.close()
  await behind?.close()
  await known?.close()
})

const ROUTES = ['/metrics', '/api/v1/tenant/station/dock/wall'] as const
const status = async (given: Given, address: string, headers: Record<string, string> = {}): Promise<number> => {
  const { port } = new URL(given.url)
  return (await rawRequest(Number(port), 'GET', address, { headers: { host: `127.0.0.1:${port}`, ...headers } })).status
}

it.each(ROUTES)('3.6: %s is for this machine, and not for what a proxy on it passes on', async (address) => {
  expect(await status(plain, address)).toBe(200)
  for (const name of ['Forwarded', 'X-Forwarded-For', 'Via', 'X-Real-IP'])
    expect([name, await status(plain, address, { [name]: '127.0.0.1' })]).toEqual([name, 401])
  expect(await status(behind, address)).toBe(401)
})

/** Tries to sign in over a connection from an address of loopback. @returns the status */
async function tries(given: Given, from: string, forwardedFor: string | null): Promise<number> {
  const { port, origin } = new URL(given.url)
  const headers = { host: `127.0.0.1:${port}`, origin, ...(forwardedFor && { 'x-forwarded-for': forwardedFor }) }
  const body = { Username: 'nobody', Password: 'wrong', NoticeId: 'default' }
  return (await rawRequest(Number(port), 'POST', '/connect/session', { headers, body, from })).status
}

it('3.6, S18: behind a proxy that is named each client has its own tries, and cannot say that it is another one', async () => {
  const client = '198.51.100.7'
  expect([await tries(known, '127.0.0.2', client), await tries(known, '127.0.0.2', client)]).toEqual([401, 401])
  // It has to wait, whatever it writes itself before what the proxy adds.
  expect(await tries(known, '127.0.0.2', client)).toBe(429)
  expect(await tries(known, '127.0.0.2', `203.0.113.9, ${client}`)).toBe(429)
  expect(await tries(known, '127.0.0.2', '198.51.100.8')).toBe(401)
  // Refusals of strangers are recorded beside their answers.
  const sources = (): Set<string> =>
    new Set(
      known
        .ledger()
        .filter(({ action }) => action === 'session.refused')
        .map(({ source }) => source),
    )
  await expect.poll(sources).toEqual(new Set([client, '198.51.100.8']))
})

it('3.6, S18: from anybody else the header counts for nothing: all of them share the tries of their own address', async () => {
  for (const [at, from] of [
    [plain, '127.0.0.2'],
    [known, '127.0.0.3'],
  ] as const) {
    expect([await tries(at, from, '198.51.100.1'), await tries(at, from, '198.51.100.2')]).toEqual([401, 401])
    expect(await tries(at, from, '198.51.100.3')).toBe(429)
  }
})

it('3.6: what comes through a proxy that is named gets nothing that only this machine gets', async () => {
  const { port } = new URL(known.url)
  const headers = { host: `127.0.0.1:${port}`, 'x-forwarded-for': '127.0.0.1' }
  const through = await rawRequest(Number(port), 'GET', '/metrics', { headers, from: '127.0.0.2' })
  expect(through.status).toBe(401)
})
