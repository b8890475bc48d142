/** One good call of every session route, with the entries that it must leave (promise I1); test/api/documents/audit.test.ts makes them. */
import path from 'node:path'
import { expect } from 'vitest'
import { loadSettings } from '../../../server/config/settings.ts'
import type { StoredEntry } from '../../../server/kernel/ledger/format.ts'
import { storedEntry } from '../../../server/kernel/ledger/format.ts'
import { startServer } from '../../../server/index.ts'
import { ADMINISTRATOR, type Given } from '../../support/given.ts'
import { settingsOfRows } from '../../support/postgres-given.ts'
import { openTestRows } from '../../support/rows.ts'
import { temporaryFolder } from '../../support/station.ts'
import type { Act, World } from '../documents/acts.ts'

const NoticeId = 'default'
const signIn = (given: Given) =>
  given.call('POST', '/connect/session', {
    token: null,
    body: { Username: ADMINISTRATOR.username, Password: ADMINISTRATOR.password, NoticeId },
  })

/** What a page sends along once somebody signed in there. */
export async function pageOf(given: Given, locked = false) {
  const reply = await signIn(given)
  const cookie = reply.headers.get('set-cookie')?.split(';')[0] as string
  const page = { token: null, headers: { cookie, origin: given.url } }
  if (locked) await given.call('POST', '/connect/session/lock', page)
  return { page, id: reply.json.User.PrincipalId as string }
}

/** An act of the person who signed in, about that person. */
async function own(
  { given }: World,
  [method, address, body]: readonly [string, string, unknown?],
  { status = 200, action, locked }: { status?: number; action?: string; locked?: true } = {},
): Promise<Act> {
  const { page, id } = await pageOf(given, locked)
  return {
    call: () => given.call(method, `/connect/session${address}`, { ...page, ...(body === undefined ? {} : { body }) }),
    status,
    entries: () =>
      action === undefined ? [] : [[action, 'user', id, { detail: { session: expect.stringMatching(/^\d+$/) } }]],
    actor: 'sergeant',
  }
}

export const SESSION_ACTS: Readonly<Record<string, (world: World) => Promise<Act> | Act>> = {
  getSession: (world) => own(world, ['GET', '']),
  signIn: ({ given }) => ({
    call: () => signIn(given),
    status: 200,
    entries: ({ json }) => [
      ['session.opened', 'user', json.User.PrincipalId, { detail: { notice: NoticeId, session: expect.any(String) } }],
    ],
    actor: 'sergeant',
  }),
  lockSession: (world) => own(world, ['POST', '/lock'], { action: 'session.locked' }),
  unlockSession: (world) =>
    own(world, ['POST', '/unlock', { Password: ADMINISTRATOR.password }], { action: 'session.unlocked', locked: true }),
  sessionActivity: (world) => own(world, ['POST', '/activity']),
  signOut: (world) => own(world, ['DELETE', ''], { status: 204, action: 'session.closed' }),
  setUp: () => {
    let written: StoredEntry[] = []
    return {
      call: async () => {
        const { reply, entries } = await setUpFresh()
        written = entries
        return reply
      },
      status: 201,
      entries: ({ json }) => [
        ['user.created', 'user', json.User.PrincipalId, { actor: { ...NOBODY, role: null } }],
        ['session.opened', 'user', json.User.PrincipalId],
      ],
      actor: 'sergeant',
      written: () => written,
    }
  },
}

const NOBODY = { kind: 'anonymous', id: '', name: 'anonymous' } as const

/** In a station of its own, which has no administrator yet. */
async function setUpFresh() {
  const { dir, dispose } = await temporaryFolder('set-up')
  const data = path.join(dir, 'data')
  const settings = { data, port: 0, reserveBytes: 65_536, minFreeBytes: 0, logLevel: 'silent', strictResponses: true }
  const station = await startServer(loadSettings({}, { ...settings, ...(await settingsOfRows(data)) }))
  try {
    const Token = new URLSearchParams(new URL(station.setupUrl as string).hash.slice(1)).get('token')
    const { username: Username, password: Password } = ADMINISTRATOR
    const response = await fetch(`${station.url}/connect/setup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ Token, Username, Password, NoticeId }),
    })
    const correlationId = response.headers.get('x-correlation-id') ?? ''
    const db = openTestRows(path.join(data, 'sallyport.db'), { readOnly: true })
    const bodies = db.prepare('SELECT body FROM ledger ORDER BY seq').pluck().all() as Uint8Array[]
    db.close()
    const all = bodies.map((body) => storedEntry(body))
    return {
      reply: { status: response.status, correlationId, json: await response.json() },
      entries: all.filter((entry) => entry.correlationId === correlationId),
    }
  } finally {
    await station.close()
    await dispose()
  }
}
