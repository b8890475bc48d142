import { createServer as createPlain } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Credential, makeAuthority, makeCertificate, readCertificate } from '../certificates/authority.ts'
import { createPace, sendRequest } from './outgoing.ts'

const REACH = { names: ['localhost', 'other.example'], networks: [] }

describe('a server with a certificate of its own CA', () => {
  const servers: Server[] = []
  let ca: Credential
  let stranger: Credential
  let written = 0
  const serve = async (leaf: Credential, chain = ca): Promise<string> => {
    const server = createServer(
      { key: leaf.key, cert: `${leaf.certificate}\n${chain.certificate}` },
      (request, response) => {
        written++
        request.resume()
        response.end('ok')
      },
    )
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, resolve))
    return `https://localhost:${(server.address() as AddressInfo).port}/`
  }
  const ask = (url: string, pins: readonly string[]) =>
    sendRequest({ method: 'POST', url, body: 'secret', pins }, 100).then(
      ({ status }) => status,
      (error: Error) => error.message,
    )
  const sha256 = async ({ certificate }: Credential): Promise<string> =>
    (await readCertificate(certificate)).fingerprint
  beforeAll(async () => {
    ca = await makeAuthority('ours', REACH, Date.now())
    stranger = await makeAuthority('theirs', REACH, Date.now())
  })
  afterAll(() => {
    for (const server of servers) server.close()
  })

  it('is not trusted, and gets no byte of the request', async () => {
    const url = await serve(await makeCertificate(ca, ['localhost'], Date.now()))
    written = 0
    expect(await ask(url, [])).toContain('not trusted')
    expect(await ask(url, [await sha256(stranger)])).toContain('not trusted')
    expect(written).toBe(0)
  })
  it('is accepted when its CA or itself is named', async () => {
    const leaf = await makeCertificate(ca, ['localhost'], Date.now())
    const url = await serve(leaf)
    expect(await ask(url, [await sha256(ca)])).toBe(200)
    expect(await ask(url, [(await sha256(leaf)).toUpperCase()])).toBe(200)
  })
  it('is refused under another name', async () => {
    const url = await serve(await makeCertificate(ca, ['other.example'], Date.now()))
    expect(await ask(url, [await sha256(ca)])).toMatch(/altnames|does not match/)
  })
  it('is refused when it only encloses the CA that is named', async () => {
    const url = await serve(await makeCertificate(stranger, ['localhost'], Date.now()), ca)
    expect(await ask(url, [await sha256(ca)])).toContain('not trusted')
  })
  it('is refused outside its time', async () => {
    const old = await makeAuthority('old', REACH, Date.now() - 800 * 86_400_000)
    const url = await serve(await makeCertificate(old, ['localhost'], Date.now() - 800 * 86_400_000), old)
    expect(await ask(url, [await sha256(old)])).toContain('not valid at this time')
  })
})

it('a server that says nothing is given up, and an answer that is too long is not read', async () => {
  const server = createPlain((request, response) => {
    request.resume()
    if (request.url === '/long') response.end('x'.repeat(1000))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await expect(sendRequest({ method: 'GET', url: `${url}/silent`, idleMs: 200 }, 100)).rejects.toThrow('Nothing came')
  await expect(sendRequest({ method: 'GET', url: `${url}/long` }, 100)).rejects.toThrow('too long')
  server.closeAllConnections()
  server.close()
})

it('the pace holds on average, whatever the slices', async () => {
  const pace = createPace(
    () => 100_000,
    () => performance.now(),
  )
  const began = performance.now()
  for (let sent = 0; sent < 40_000; sent += 4_000) await pace(4_000)
  expect(performance.now() - began).toBeGreaterThanOrEqual(355)
})
