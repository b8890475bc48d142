/** A handler that stops reading a body closes the connection under it: the request has no socket any more when its answer is over. */
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { begin, type Observed } from '../../../server/http/begin.ts'

it('a request whose body was left half-way is counted, and nothing is thrown outside of it', async () => {
  const observed: Observed[] = []
  const thrown: unknown[] = []
  const onThrown = (error: unknown): void => void thrown.push(error)
  process.on('uncaughtException', onThrown)
  const koa = new Koa()
  koa.silent = true
  koa.use(
    begin({
      log: pino({ level: 'silent' }),
      observe: (one) => void observed.push(one),
      stopping: () => false,
      publicUrlIsForeign: false,
      proxies: [],
      end: new AbortController().signal,
    }),
  )
  koa.use(async ({ req }) => {
    for await (const chunk of req) if (chunk !== undefined) break
  })
  const server = createServer(koa.callback()).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  try {
    const { port } = server.address() as AddressInfo
    await new Promise<void>((resolve) => {
      const sent = request({ port, host: '127.0.0.1', method: 'PUT' })
      sent.on('error', () => resolve())
      sent.on('close', () => resolve())
      sent.on('response', (answer) => answer.resume())
      // More follows, and never comes.
      sent.write(Buffer.alloc(100_000))
    })
    await expect.poll(() => observed.length + thrown.length).toBeGreaterThan(0)
    expect(thrown).toEqual([])
    expect(observed).toEqual([expect.objectContaining({ method: 'PUT', secure: false })])
  } finally {
    process.off('uncaughtException', onThrown)
    server.closeAllConnections()
    server.close()
  }
})
