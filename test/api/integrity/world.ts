/** A station, an administrator's token, and ways to look at how it is kept. */
import { chmodSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Settings } from '../../../server/config/settings.ts'
import { type CallOptions, givenStation, type Json, type Reply } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'

export const PLACE = '/api/v1/tenant/station/keeping'

/** @param fresh has keys of its own, for a station beside others */
export async function integrityWorld(settings: Partial<Record<keyof Settings, unknown>> = {}, fresh = false) {
  const given = await givenStation({ settings, fresh })
  const chief = (
    await given.command('integration.create', {
      name: 'chief',
      policies: [],
      group: 'Account Administrators',
      baseUrl: given.url,
    })
  ).connection
  const token = await signIn(chief, given.url)
  const send = (method: string, place: string, body?: unknown, more: CallOptions = {}): Promise<Reply> =>
    given.call(method, `${PLACE}${place}`, { token, ...(body === undefined ? {} : { body }), ...more })
  const keeping = (): Promise<Json> => given.expecting(200, send('GET', ''))
  const until = async <T>(look: () => Promise<T | null | false>, what: string): Promise<T> => {
    for (let tries = 0; tries < 300; tries++) {
      const found = await look()
      if (found !== null && found !== false) return found
      await new Promise((resolve) => setTimeout(resolve, 30))
    }
    throw new Error(`${what} never came`)
  }
  /** Reads the whole store and waits for it. */
  const runAll = async (): Promise<Json> => {
    const { RunId } = await given.expecting(201, send('POST', '/run'))
    return until(async () => {
      const { LastRun } = (await keeping()).Fixity
      return LastRun?.RunId === RunId && LastRun
    }, 'the end of the run')
  }
  const blobOf = (sha256: string): string =>
    path.join(given.data, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256)
  const replace = (sha256: string, bytes: Uint8Array): void => {
    const beside = path.join(given.dir, `other-${Math.random()}`)
    writeFileSync(beside, bytes)
    renameSync(beside, blobOf(sha256))
  }
  const remove = (sha256: string): void => {
    chmodSync(path.dirname(blobOf(sha256)), 0o700)
    unlinkSync(blobOf(sha256))
  }
  /** As an intruder with the file, or time itself. */
  const write = (sql: string, ...values: unknown[]): Promise<unknown> =>
    given.meddle((db) => db.prepare(sql).run(...values))
  const alarms = async (): Promise<Json[]> =>
    (await keeping()).Alarms.filter((one: Json) => one.AcknowledgedTimeUtc === null)
  const entries = (action: string): Json[] => given.ledger().filter((entry) => entry.action === action)
  return { given, token, send, keeping, until, runAll, blobOf, replace, remove, write, alarms, entries }
}

export type IntegrityWorld = Awaited<ReturnType<typeof integrityWorld>>
