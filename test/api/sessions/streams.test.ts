import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Page, PASSWORD, QUICK, startWorld, type World } from './world.ts'

/** Decisions 9 and 10: an answer that goes on goes on only as long as it would be given. */
let world: World
let officer = ''
beforeAll(async () => {
  world = await startWorld({ passwords: QUICK })
  officer = await world.user('officer')
})
afterAll(() => world?.close())

interface Stream {
  /** Milliseconds after which it ended; null when it still goes on after `within`. */
  ended(within: number): Promise<number | null>
  close(): void
}

async function listen(address: string, headers: Record<string, string>): Promise<Stream> {
  const stop = new AbortController()
  const response = await fetch(`${world.url}/api/v1/tenant/x/${address}`, { headers, signal: stop.signal })
  expect(response.status).toBe(200)
  const over = response.text().then(
    () => 'ended',
    () => 'cut',
  )
  return {
    ended: async (within) => {
      const began = performance.now()
      const timer = new Promise((resolve) => setTimeout(() => resolve(null), within))
      return (await Promise.race([over, timer])) === 'ended' ? performance.now() - began : null
    },
    close: () => stop.abort(),
  }
}

const signedIn = async (): Promise<Page> => {
  const page = world.page()
  await page.signIn('officer', PASSWORD)
  return page
}
const both = async (page: Page) => {
  const headers = { cookie: page.cookie as string }
  return { plain: await listen('events', headers), lasting: await listen('lasting', headers) }
}

describe('an event stream of a session', () => {
  it('writes no warning about listeners: each window holds one open', async () => {
    const warnings: string[] = []
    const onWarning = ({ name, message }: Error): void => void warnings.push(`${name}: ${message}`)
    process.on('warning', onWarning)
    try {
      const { plain, lasting } = await both(await signedIn())
      plain.close()
      lasting.close()
      await new Promise((resolve) => setImmediate(resolve))
      expect(warnings).toEqual([])
    } finally {
      process.off('warning', onWarning)
    }
  })

  it('ends within five seconds when the screen is locked, unless it may last; unlocking changes the cookie and cuts nothing', async () => {
    const page = await signedIn()
    const { plain, lasting } = await both(page)
    await page.send('POST', '/connect/session/lock')
    expect(await plain.ended(5_000)).not.toBeNull()
    await page.send('POST', '/connect/session/unlock', { body: { Password: PASSWORD } })
    expect(await lasting.ended(3_000)).toBeNull()
    await page.send('DELETE', '/connect/session')
    expect(await lasting.ended(5_000)).not.toBeNull()
  })

  it('keeps no screen open: the session locks by itself while the stream goes on', async () => {
    const page = await signedIn()
    const { plain, lasting } = await both(page)
    world.clock.advance(31 * 60_000)
    expect(await plain.ended(5_000)).not.toBeNull()
    expect(await page.state()).toBe('locked')
    lasting.close()
  })

  it('ends for somebody who is disabled, whether it came by a session or by a token', async () => {
    const page = await signedIn()
    const { plain, lasting } = await both(page)
    const token = await world.token()
    const byToken = await listen('events', { authorization: `Bearer ${token}` })
    expect(await byToken.ended(2_500)).toBeNull()
    await world.enable(officer, false)
    await world.db.transaction((tx) =>
      tx.updateTable('principals').set({ enabled: 0 }).where('kind', '=', 'service').execute(),
    )
    const ended = await Promise.all([plain, lasting, byToken].map((stream) => stream.ended(5_000)))
    expect(ended).toEqual([expect.any(Number), expect.any(Number), expect.any(Number)])
  })
})
