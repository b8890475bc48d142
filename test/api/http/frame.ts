/** A frame of its own around a few routes: the real app and server on a free port of loopback, a real database. */
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Principal } from '../../../shared/kernel/principal.ts'
import type { Database } from '../../../server/kernel/database/database.ts'
import { openTestDatabase } from '../../support/rows.ts'
import { Fault } from '../../../shared/kernel/errors.ts'
import { type App, type AppDeps, type AppSettings, createApp, type StationPorts } from '../../../server/http/app.ts'
import { loopbackOrigins } from '../../../server/http/host.ts'
import type { Authorize, HttpLedgerEntry, Mode } from '../../../server/http/ports.ts'
import { createHttpServer, type HttpServer } from '../../../server/http/server.ts'
import type { BoundRoute } from '../../../server/http/handlers.ts'
import { type ManualClock, manualClock } from '../../../server/platform/clock/manual-clock.ts'
import { createLog } from '../../../server/platform/log/log.ts'

export const OFFICER: Principal = { kind: 'user', id: '7', name: 'officer', kId: 'urn:user:station:officer:7' }
export const SERVICE: Principal = { kind: 'service', id: '9', name: 'records', kId: 'urn:service:station:records:9' }

export interface Frame {
  readonly url: string
  readonly port: number
  readonly app: App
  readonly server: HttpServer
  readonly database: Database
  readonly clock: ManualClock
  /** What was written into the ledger; `tally` marks the counted ones. */
  readonly ledger: (HttpLedgerEntry & { actor: string; tally: boolean })[]
  mode: Mode
  close(): Promise<void>
}

export interface FrameOptions {
  readonly settings?: Partial<AppSettings>
  readonly origins?: (port: number) => readonly string[]
  readonly site?: StationPorts['site']
  readonly authorize?: Authorize
  readonly log?: StationPorts['log']
  readonly observe?: StationPorts['observe']
}

/** `Bearer officer` and `Bearer service` are who they say; routes for anyone are open; guests of the test are refused with 403. */
const authorize: Authorize = async (route, { headers }) => {
  const who = { 'Bearer officer': OFFICER, 'Bearer service': SERVICE }[headers.authorization ?? ''] ?? null
  if (route.permission.kind === 'anyone' || route.permission.kind === 'signed-address') return { principal: who }
  if (who === null) return { principal: null, refusal: new Fault('Unauthorized', 'Sign in first.') }
  if (route.permission.kind === 'administrator') {
    return { principal: who, refusal: new Fault('Forbidden', 'Not for you.', { reason: 'PrincipalIsNoAdministrator' }) }
  }
  return { principal: who }
}

export async function startFrame(routes: readonly BoundRoute[], options: FrameOptions = {}): Promise<Frame> {
  const file = path.join(tmpdir(), `sallyport-http-${randomUUID()}.db`)
  const database = await openTestDatabase({ file })
  const clock = manualClock()
  const ledger: Frame['ledger'] = []
  let origins: readonly string[] = []
  const settings = {
    jsonBodyBytes: 8 * 1024 * 1024,
    bodyMillis: 30_000,
    ratePerson: 600,
    rateService: 6000,
    strictResponses: true,
    ...options.settings,
  }
  const remove = async (): Promise<void> => {
    await database.close()
    for (const suffix of ['', '-wal', '-shm']) await rm(`${file}${suffix}`, { force: true })
  }
  const deps = {
    routes,
    authorize: options.authorize ?? authorize,
    ledger: {
      record: async (call, entry) => void ledger.push({ ...entry, actor: call.actor.name, tally: false }),
      tally: (call, entry) => void ledger.push({ ...entry, actor: call.actor.name, tally: true }),
    },
    database,
    station: {
      origins: () => origins,
      mode: () => frame.mode,
      tenant: (name = 'station') => name,
      clock,
      log: options.log ?? createLog('silent'),
      ...(options.site === undefined ? {} : { site: options.site }),
      ...(options.observe === undefined ? {} : { observe: options.observe }),
    },
    settings,
  } satisfies AppDeps
  let app: App
  try {
    app = createApp(deps)
  } catch (error) {
    await remove()
    throw error
  }
  const server = createHttpServer(app)
  const { port } = await server.listen({ host: '127.0.0.1', port: 0 })
  origins = options.origins?.(port) ?? loopbackOrigins(port)
  const frame: Frame = {
    url: `http://127.0.0.1:${port}`,
    port,
    app,
    server,
    database,
    clock,
    ledger,
    mode: 'ready',
    close: async () => {
      await server.close(100)
      await remove()
    },
  }
  return frame
}
