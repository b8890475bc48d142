/** A node whose clock is not that of the database: it is not ready, and does nothing that is due only by its own clock. */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newWrappingKey } from '../../server/platform/secrets/wrapping.ts'
import { postgresMissing, type PostgresServer, startPostgres } from '../support/postgres-server.ts'
import { type Station, startStation, temporaryFolder } from '../support/station.ts'

const SHIFT = fileURLToPath(new URL('shifted-clock.ts', import.meta.url))
const DAY = 86_400_000
const WRAPPING_KEY = newWrappingKey()

const missing = await postgresMissing()
let server: PostgresServer
let url: string
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let station: Station | null = null

beforeAll(async () => {
  if (missing !== null) return
  folder = await temporaryFolder('wrong-clock')
  server = await startPostgres()
  url = await server.create('clock')
}, 120_000)
beforeEach(({ skip }) => skip(missing !== null, missing ?? ''))
afterEach(() => station?.kill())
afterAll(async () => {
  await server?.stop()
  await folder?.dispose()
})

const start = async (shift: number): Promise<Station> => {
  station = await startStation({
    data: path.join(folder.dir, 'data'),
    env: {
      SALLYPORT_DATABASE_URL: url,
      SALLYPORT_WRAPPING_KEY: WRAPPING_KEY,
      SALLYPORT_MIN_FREE_BYTES: '0',
      NODE_OPTIONS: `--import ${SHIFT}`,
      TEST_CLOCK_SHIFT: String(shift),
    },
    readyWithin: 120_000,
  })
  return station
}

/** So many nodes hold the lease of the scheduled tasks, by the database's clock. */
async function holders(): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ n: string }>(
      'SELECT count(*) AS n FROM task_lease WHERE lease_until > extract(epoch FROM clock_timestamp()) * 1000',
    )
    return Number(rows[0]?.n)
  } finally {
    await client.end()
  }
}

describe('B3: a node with a wrong clock', () => {
  it.each([
    ['40 days ahead', 40 * DAY, 'ahead of'],
    ['an hour behind', -DAY / 24, 'behind'],
  ])(
    '%s is not ready, answers nobody, says why, and runs no scheduled task',
    { timeout: 240_000 },
    async (_, shift, word) => {
      const { url: at } = await start(shift)
      const ready = await fetch(`${at}/readyz`)
      expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining(`${word} the database`)])
      // Whoever reaches it past the balancer is told the same: neither what has expired nor what is due may count by its clock.
      for (const [method, place] of [
        ['GET', '/api/v1/case/station/1'],
        ['POST', '/api/v1/case/station'],
      ] as const) {
        const answer = await fetch(`${at}${place}`, { method })
        expect([place, answer.status, await answer.json()]).toEqual([
          place,
          503,
          expect.objectContaining({ ErrorCode: 'NotReady', Message: expect.stringContaining(`${word} the database`) }),
        ])
      }
      // It looks for the lease at the start and every ten seconds.
      await new Promise((resolve) => setTimeout(resolve, 12_000))
      expect(await holders()).toBe(0)
    },
  )

  it('with the right clock takes the lease of the tasks', { timeout: 240_000 }, async () => {
    const { url: at } = await start(0)
    expect((await fetch(`${at}/readyz`)).status).toBe(200)
    await expect.poll(holders, { timeout: 30_000 }).toBe(1)
  })
})
