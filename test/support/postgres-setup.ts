/**
 * vitest's `globalSetup` of projects with stations: with SALLYPORT_TEST_DATABASE=postgres it starts the server on which each station gets a
 * database of its own (postgres-given.ts). Where SALLYPORT_TEST_POSTGRES names one already, as `postgres://user@host:port`, that one is used.
 */
import { existsSync } from 'node:fs'
import { postgresMissing, startPostgres } from './postgres-server.ts'

const MEMORY = '/dev/shm'
const ADDRESS = 'SALLYPORT_TEST_POSTGRES'

/** Called for each project; the first one starts the server, and its end stops it. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['SALLYPORT_TEST_DATABASE'] !== 'postgres' || process.env[ADDRESS] !== undefined) return undefined
  const missing = await postgresMissing()
  if (missing !== null) throw new Error(missing)
  // The product refuses a server without fsync. In memory it costs nothing.
  const server = await startPostgres(['max_connections=300'], existsSync(MEMORY) ? MEMORY : undefined)
  process.env[ADDRESS] = server.url('').replace(/\/$/, '')
  return async () => {
    delete process.env[ADDRESS]
    await server.stop()
  }
}
