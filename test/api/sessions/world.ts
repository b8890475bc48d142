/**
 * People, sessions and the frame with everything real around them but the clock: database on disk, ledger, authorisation, a free port
 * of loopback.
 */
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { Writable } from 'node:stream'
import { hash, verify } from '@node-rs/argon2'
import pino from 'pino'
import { nameKey } from '../../../shared/kernel/names.ts'
import { INTERNAL } from '../../../shared/kernel/principal.ts'
import type { Call } from '../../../server/kernel/ledger/call.ts'
import type { StoredEntry } from '../../../server/kernel/ledger/format.ts'
import { storedEntry } from '../../../server/kernel/ledger/format.ts'
import { createLedger } from '../../../server/kernel/ledger/ledger.ts'
import type { Database } from '../../../server/kernel/database/database.ts'
import { fileOfRows, openTestDatabase, openTestRows } from '../../support/rows.ts'
import { createAccess } from '../../../server/kernel/access/access.ts'
import { createApp } from '../../../server/http/app.ts'
import { loopbackOrigins } from '../../../server/http/host.ts'
import type { Mode } from '../../../server/http/ports.ts'
import { createHttpServer } from '../../../server/http/server.ts'
import { accountRoutes } from '../../../server/features/identity/sessions/account.routes.ts'
import { accountSubject } from '../../../server/features/identity/sessions/failure-book.ts'
import { releaseAccount } from '../../../server/features/identity/sessions/failures.store.ts'
import { clearCookie } from '../../../server/features/identity/sessions/cookie.ts'
import { sessionRoutes } from '../../../server/features/identity/sessions/sessions.routes.ts'
import {
  createSessions,
  type SessionSettings,
  type SessionsService,
} from '../../../server/features/identity/sessions/sessions.service.ts'
import type { Passwords } from '../../../server/features/identity/sessions/sign-in.ts'
import type { Client } from '../../../server/features/identity/tokens/authorization-request.ts'
import {
  type Authorizations,
  createAuthorizations,
} from '../../../server/features/identity/tokens/authorizations.service.ts'
import { tokenRoutes } from '../../../server/features/identity/tokens/tokens.routes.ts'
import { createTokens } from '../../../server/features/identity/tokens/tokens.service.ts'
import { shownKey } from '../../../server/kernel/ledger/signed-note.ts'
import { hashPassword, verifyPassword } from '../../../server/features/identity/users/passwords.ts'
import { createUsers, seedStation, type UsersService } from '../../../server/features/identity/users/users.service.ts'
import { type ManualClock, manualClock } from '../../../server/platform/clock/manual-clock.ts'
import { publishTo } from '../../../server/kernel/events/events.ts'
import { createNotices } from '../../../server/features/notifications/notices.ts'
import { openKeys } from '../../../server/platform/secrets/keys.ts'
import { enabledMember } from '../../../server/features/identity/tokens/tokens.store.ts'
import { createAuthorize } from '../../../server/app/authorize.ts'
import { assertionFor } from '../../support/integrator.ts'
import { withMeanwhile } from '../../support/meanwhile.ts'
import { temporaryFolder } from '../../support/station.ts'
import { type Answer, newPage, type Page, rawRequest, type Sent } from './page.ts'
import { standInRoutes } from './routes.ts'

export type { Answer, Page } from './page.ts'

export const PASSWORD = 'a long enough pass phrase'
export const WRONG = 'another long pass phrase'
export const SECURE = 'https://station.example'
export const CLI: Call = {
  actor: { kind: 'cli', id: 'root', name: 'cli:root', kId: '' },
  source: 'cli',
  correlationId: 'cli',
}

/** argon2id itself with little memory, for suites in which what it costs is not what is looked at. */
export const QUICK: Passwords = {
  hash: (password) => hash(password, { memoryCost: 64, timeCost: 1, parallelism: 1 }),
  verify: (passwordHash, password) => verify(passwordHash, password),
}
const TRUE_COST: Passwords = { hash: hashPassword, verify: verifyPassword }

/** Programs that may ask; the second is answered by a scheme of its own as well. */
export const CLIENTS: readonly Client[] = [
  { id: 'viewer', name: 'Case viewer', redirects: ['http://127.0.0.1/callback', 'http://[::1]/callback'] },
  { id: 'uploader', name: 'Uploader', redirects: ['http://127.0.0.1/done', 'com.example.uploader:/signed-in'] },
]

export interface World {
  readonly url: string
  readonly origin: string
  readonly port: number
  readonly dir: string
  readonly db: Database
  readonly users: UsersService
  readonly clock: ManualClock
  mode: Mode
  /** At 127.0.0.1, or by another of the station's names for this machine. */
  page(host?: string): Page
  /** Another address, another name of the station: what `fetch` does not let one choose. */
  raw(method: string, address: string, sent: Sent & { from?: string }): Promise<Answer>
  /** Asked directly: by whom the authorisation would not let in, or let in a moment ago. */
  readonly sessions: SessionsService
  readonly authorizations: Authorizations
  /** Done once, right before the next transaction of sessions, tokens or programs: after what was checked without one. */
  meanwhile(work: () => Promise<unknown>): void
  setupToken(): Promise<string | null>
  token(): Promise<string>
  /** `sergeant`, Ada Byron. @returns the id, as of every other. */
  administrator(): Promise<string>
  user(username: string, more?: { guest?: boolean; group?: string; passwordDue?: boolean }): Promise<string>
  enable(principalId: string, enabled: boolean): Promise<void>
  /** What an administrator does to a locked account. */
  release(username: string): Promise<void>
  ledger(): StoredEntry[]
  /** By the correlation id of an answer, waiting a moment for those that nobody waits for. */
  entriesOf(answer: Answer, atLeast?: number): Promise<StoredEntry[]>
  /** Everything that was written anywhere: database, its WAL, the log. */
  written(): Promise<Buffer>
  /** Closed and opened anew on the same folder. */
  restart(): Promise<World>
  close(): Promise<void>
}

export interface WorldOptions {
  readonly settings?: Partial<SessionSettings>
  readonly passwords?: Passwords
  /** Without an administrator. */
  readonly fresh?: true
}

interface Kept {
  readonly options: WorldOptions
  readonly clock: ManualClock
  readonly log: Buffer[]
  readonly dispose: () => Promise<void>
}

export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const { dir, dispose } = await temporaryFolder('sessions')
  const world = await open(dir, { options, clock: manualClock(), log: [], dispose })
  if (options.fresh !== true) await world.administrator()
  return world
}

async function open(dir: string, kept: Kept): Promise<World> {
  const { clock, options } = kept
  const file = path.join(dir, 'station.db')
  const db = await openTestDatabase({ file })
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      kept.log.push(Buffer.from(chunk))
      done()
    },
  })
  const log = pino({ level: 'trace' }, sink)
  const notices = createNotices({
    clock,
    access: createAccess({ clock }),
    officersOf: async () => [],
  })
  const ledger = createLedger({ db, clock, log, appended: publishTo([notices]) })
  const station: Call = { actor: INTERNAL, source: 'station', correlationId: 'seed' }
  await db.transaction((tx) => seedStation(tx, ledger, station, { tenant: 'station', now: clock.now() }))
  const users = createUsers({ db, ledger, clock })
  const { tokens: keys, secretsKey, signing } = await openKeys(path.join(dir, 'keys'), { clock, established: false })
  let origins: readonly string[] = []
  let url = ''
  const addresses = () => ({ issuer: url, origins })
  const { db: watched, meanwhile } = withMeanwhile(db)
  const tokens = createTokens({ db: watched, ledger, clock, keys, addresses })
  const authorizations = createAuthorizations({ db: watched, ledger, clock, keys, addresses, clients: CLIENTS })
  const sessions = createSessions({
    db: watched,
    ledger,
    clock,
    accounts: users,
    passwords: options.passwords ?? TRUE_COST,
    secretsKey,
    settings: {
      tenant: 'station',
      station: {
        Name: 'Harrow Quay',
        Version: '1',
        Vendor: 'sallyport',
        TimeZone: 'Europe/Berlin',
        RecycleBinDays: 7,
        SeveralNodes: false,
      },
      notice: undefined,
      idleSeconds: 1800,
      sessionSeconds: 43_200,
      signInLock: 900,
      ...options.settings,
    },
  })
  let mode: Mode = 'ready'
  const app = createApp({
    routes: [
      ...sessionRoutes(sessions, () => shownKey('test/station', signing.current().publicKey)),
      ...accountRoutes(sessions),
      ...tokenRoutes({
        tokens,
        authorizations,
        addresses,
        signingOut: { signOut: sessions.signOut, clearCookie },
      }),
      ...standInRoutes(),
    ],
    authorize: createAuthorize({
      tokens,
      sessions,
      findGuest: async () => null,
      byApiKey: async () => null,
      apiKeyInQuery: true,
      isAdministrator: users.isAdministrator,
      isInPolicy: users.isInPolicy,
      isEnabled: async ({ id }) => (await enabledMember(db.read, Number(id))) !== null,
      levelOnEvidence: async () => null,
    }),
    ledger,
    database: db,
    station: { origins: () => origins, mode: () => mode, tenant: (name = 'station') => name, clock, log },
    settings: { jsonBodyBytes: 1 << 20, bodyMillis: 10_000, ratePerson: 1e9, rateService: 1e9, strictResponses: true },
  })
  const server = createHttpServer(app)
  const { port } = await server.listen({ host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${port}`
  origins = [...loopbackOrigins(port), SECURE]
  const stop = async (): Promise<void> => {
    await server.close(100)
    await ledger.stop()
    await db.close()
  }
  const entries = (): StoredEntry[] => {
    const raw = openTestRows(file, { readOnly: true })
    try {
      const bodies = raw.prepare('SELECT body FROM ledger ORDER BY seq').pluck().all() as Uint8Array[]
      return bodies.map((body) => storedEntry(body))
    } finally {
      raw.close()
    }
  }
  const account = async (made: Promise<{ principalId: string }>): Promise<string> => {
    const { principalId } = await made
    // The accounts' own way of hashing has the true cost.
    if (options.passwords !== undefined)
      await change(principalId, { password_hash: await options.passwords.hash(PASSWORD) })
    return principalId
  }
  const change = async (principalId: string, values: { enabled?: number; password_hash?: string }): Promise<void> => {
    await db.transaction((tx) =>
      tx.updateTable('principals').set(values).where('principal_id', '=', Number(principalId)).execute(),
    )
  }
  return {
    url,
    origin: url,
    port,
    dir,
    db,
    users,
    clock,
    get mode() {
      return mode
    },
    set mode(next) {
      mode = next
    },
    page: (host) => newPage(host === undefined ? url : `http://${host}:${port}`),
    raw: (method, address, sent) => rawRequest(port, method, address, sent),
    sessions,
    authorizations,
    meanwhile,
    setupToken: sessions.setupToken,
    token: async () => {
      const { connection } = await users.createIntegration(CLI, { name: `service ${randomUUID()}`, baseUrl: url })
      const seconds = Math.floor(clock.now() / 1000)
      const times = { iat: seconds, exp: seconds + 300 }
      const form = new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        client_id: `${connection.ServicePrincipalId}@station`,
        assertion: assertionFor(connection as never, `${url}/connect/token`, times),
      })
      const answer = await fetch(`${url}/connect/token`, { method: 'POST', body: form })
      return ((await answer.json()) as { access_token: string }).access_token
    },
    administrator: () =>
      account(
        users.setupFirstAdministrator(CLI, {
          username: 'sergeant',
          password: PASSWORD,
          firstName: 'Ada',
          lastName: 'Byron',
        }),
      ),
    user: (username, more = {}) => account(users.createUser(CLI, { username, password: PASSWORD, ...more })),
    enable: (principalId, enabled) => change(principalId, { enabled: enabled ? 1 : 0 }),
    release: async (username) => {
      await db.transaction((tx) => releaseAccount(tx, accountSubject('station', nameKey(username))))
    },
    ledger: entries,
    entriesOf: async ({ correlationId }, atLeast = 0) => {
      for (let tries = 0; tries < 60; tries++) {
        const found = entries().filter((entry) => entry.correlationId === correlationId)
        if (found.length >= atLeast) return found
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      throw new Error(`nothing was written for ${correlationId}`)
    },
    written: async () => {
      await fileOfRows(file)
      const files = (readdirSync(dir, { recursive: true }) as string[]).map((name) => path.join(dir, name))
      return Buffer.concat([
        ...files.filter((one) => statSync(one).isFile()).map((one) => readFileSync(one)),
        ...kept.log,
      ])
    },
    restart: async () => {
      await stop()
      return open(dir, kept)
    },
    close: async () => {
      await stop()
      await kept.dispose()
    },
  }
}
