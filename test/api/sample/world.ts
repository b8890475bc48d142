/** A new station and its administrator, who tries it with sample data. */
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { COVERED_TABLES, TABLES_NOT_COVERED } from '../../../server/kernel/database/row-coverage.ts'
import {
  ADMINISTRATOR,
  type CallOptions,
  type Given,
  givenStation,
  type Json,
  type Reply,
} from '../../support/given.ts'

export const SAMPLE = '/api/v1/tenant/station/sample-data'
export const CASES = '/api/v1/case/station'

export interface SampleWorld {
  readonly given: Given
  readonly chief: CallOptions
  as(who: CallOptions, method: string, place: string, body?: unknown): Promise<Reply>
  person(username: string, policies?: readonly string[], guest?: boolean): Promise<CallOptions>
  state(): Promise<Json>
  /** Until it is in one of these states. */
  until(...states: readonly string[]): Promise<Json>
  added(language?: 'en' | 'fr'): Promise<Json>
  removed(): Promise<Json>
}

export async function sampleWorld(settings: Record<string, unknown> = {}): Promise<SampleWorld> {
  const given = await givenStation({ settings })
  const signedIn = async (username: string, password: string): Promise<CallOptions> => {
    const { headers } = await given.call('POST', '/connect/session', {
      token: null,
      body: { Username: username, Password: password, NoticeId: 'default' },
    })
    const cookie = headers.get('set-cookie')?.split(';')[0] as string
    return { token: null, headers: { cookie, origin: given.url } }
  }
  const chief = await signedIn(ADMINISTRATOR.username, ADMINISTRATOR.password)
  return { given, ...(await worldOf(given, chief, signedIn)) }
}

const PASSWORD = 'seven lamps by the harbour'

async function worldOf(
  given: Given,
  chief: CallOptions,
  signedIn: (username: string, password: string) => Promise<CallOptions>,
): Promise<Omit<SampleWorld, 'given'>> {
  const as: SampleWorld['as'] = (who, method, place, body) =>
    given.call(method, place, { ...who, ...(body === undefined ? {} : { body }) })
  const state = (): Promise<Json> => given.expecting(200, as(chief, 'GET', SAMPLE))
  const until: SampleWorld['until'] = async (...states) => {
    for (let tries = 0; tries < 600; tries++) {
      const now = await state()
      if (states.includes(now.State)) return now
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    throw new Error(`never ${states.join(', ')}: ${JSON.stringify(await state())}`)
  }
  return {
    chief,
    as,
    state,
    until,
    person: async (username, policies = [], guest = false) => {
      await given.command('user.create', { username, password: PASSWORD, policies, group: null, guest })
      return signedIn(username, PASSWORD)
    },
    added: async (Language = 'en') => {
      await given.expecting(200, as(chief, 'POST', SAMPLE, { Language }))
      const now = await until('Added', 'Partial')
      if (now.State !== 'Added') throw new Error(`not added: ${JSON.stringify(now)}`)
      return now
    },
    removed: async () => {
      await given.expecting(200, as(chief, 'POST', `${SAMPLE}/remove`))
      return until('None', 'Partial')
    },
  }
}

/** Rows of every table. */
export const rowCounts = (given: Given): Record<string, number> =>
  given.database((db) =>
    Object.fromEntries(
      [...Object.keys(COVERED_TABLES), ...Object.keys(TABLES_NOT_COVERED)]
        .filter((table) => table !== 'sqlite_sequence')
        .map((table) => [table, Number(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get())]),
    ),
  )

/** Files of the station below a folder, with their lengths. */
export const filesBelow = (folder: string): string[] =>
  (readdirSync(folder, { recursive: true }) as string[])
    .filter((name) => statSync(path.join(folder, name)).isFile())
    .sort()
