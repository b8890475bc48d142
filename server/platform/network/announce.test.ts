import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createAnnouncer } from './announce.ts'

const what = { name: 'East on evidence-pc', host: 'evidence-pc.local', port: 7443, addresses: ['127.0.0.1'] }

it('reports once that mDNS cannot be used, without any other effect', async () => {
  // A socket that does not share the port. If another program has it already, that one blocks it too.
  const other = createSocket('udp4')
  other.on('error', () => {})
  other.bind(5353)
  await Promise.race([once(other, 'listening'), once(other, 'error')])
  const problems = vi.fn<(error: Error) => void>()
  const announcer = createAnnouncer(problems)
  onTestFinished(async () => {
    await announcer.stop()
    other.close()
  })
  await announcer.announce({ ...what, addresses: [] })
  expect(announcer.state()).toMatchObject({ state: 'failed', problem: expect.stringContaining('on no network') })
  await announcer.announce(what)
  await vi.waitFor(() => expect(announcer.state().state).toBe('failed'), { timeout: 20_000 })
  expect(announcer.state().problem).toContain('They find it by its address all the same')
  await announcer.announce(what)
  expect(problems).toHaveBeenCalledTimes(1)
  await announcer.stop()
  expect(announcer.state()).toEqual({ state: 'off', problem: null })
})
