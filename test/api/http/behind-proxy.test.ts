import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Given, givenStation } from '../../support/given.ts'
import { rawRequest } from '../sessions/page.ts'

/** 3.6: what this very machine may do without signing in, nobody may do through a proxy on it. */
let plain: Given
let behind: Given
beforeAll(async () => {
  plain = await givenStation()
  behind = await givenStation({ settings: { publicUrl: 'https://evidence.example' }, fresh: true })
})
afterAll(async () => {
  await plain?.close()
  await behind?.close()
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
