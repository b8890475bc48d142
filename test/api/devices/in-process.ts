/** The device service on a real database, without a station around it: with a clock moved by hand, and begun anew as often as one likes. */
import path from 'node:path'
import type { z } from 'zod'
import { createLedger } from '../../../server/kernel/ledger/ledger.ts'
import type { StoredEntry } from '../../../server/kernel/ledger/format.ts'
import { storedEntry } from '../../../server/kernel/ledger/format.ts'
import { openTestDatabase } from '../../support/rows.ts'
import { createDeviceService } from '../../../server/features/devices/device-service.ts'
import { Answered, type BoundRoute, type HttpCall } from '../../../server/http/handlers.ts'
import { createSealer } from '../../../server/platform/secrets/seal.ts'
import type { Clock } from '../../../server/platform/clock/clock.ts'
import { createLog } from '../../../server/platform/log/log.ts'
import { Fault } from '../../../shared/kernel/errors.ts'
import type { Principal } from '../../../shared/kernel/principal.ts'
import type { Json } from '../../support/given.ts'
import { temporaryFolder } from '../../support/station.ts'

export const DOCK: Principal = { kind: 'internal', id: '0', name: 'internal', kId: '' }

export interface Told {
  /** 0 where it was refused. */
  readonly status: number
  readonly body: Json
  /** Of a refusal. */
  readonly code: string | null
}

export type InProcess = Awaited<ReturnType<typeof inProcess>>

export async function inProcess(clock: Clock, { maxActiveDevices = 15 } = {}) {
  const { dir, dispose } = await temporaryFolder('devices')
  const file = path.join(dir, 'sallyport.db')
  const secretsKey = new Uint8Array(32).fill(7)
  const begin = async () => {
    const db = await openTestDatabase({ file })
    const ledger = createLedger({ db, clock, log: createLog('silent') })
    const service = createDeviceService({
      db,
      ledger,
      clock,
      sealer: createSealer(secretsKey),
      secretsKey,
      isInPolicy: async () => true,
      maxActiveDevices,
    })
    return { db, ledger, ...service }
  }
  let running = await begin()
  await running.db.transaction(async (tx) => {
    await tx
      .insertInto('tenants')
      .values({ tenant_id: 'station', name_key: 'station', created_utc: '2026-11-21T06:00:00.000Z' })
      .execute()
  })
  const end = async (): Promise<void> => {
    await running.ledger.stop()
    await running.db.close()
  }
  const call = (actor: Principal): HttpCall => ({
    actor,
    principal: actor,
    source: 'test',
    correlationId: 'test',
    answerKey: null,
    tenant: 'station',
    rememberAnswer: async (_tx, answer) => answer,
    describeRead: () => {},
    reportDecision: () => {},
  })
  return {
    file,
    get db() {
      return running.db
    },
    get register() {
      return running.register
    },
    call: call(DOCK),
    /** As the frame calls a handler: by the schemas of its contract, both ways. */
    invoke: async (id: string, params: Json, body?: Json, actor: Principal = DOCK): Promise<Told> => {
      const bound = running.routes.find(({ route }) => route.id === id) as Extract<BoundRoute, { kind: 'json' }>
      const { route } = bound
      try {
        const out = await bound.handle({
          params: route.params?.parse({ tenantId: 'station', ...params }),
          query: route.query?.parse({}),
          body: route.body?.parse(body),
          keptBodyId: () => 0,
          call: call(actor),
          origin: '',
          signal: new AbortController().signal,
        })
        const status = out instanceof Answered ? out.status : Math.min(...Object.keys(route.responses).map(Number))
        const schema = route.responses[status] as z.ZodType | null
        const given = out instanceof Answered ? out.body : out
        return { status, body: schema === null ? null : schema.parse(given), code: null }
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        return { status: 0, body: null, code: error.code }
      }
    },
    /** A person, as user administration would have made them. */
    person: async (name: string): Promise<string> =>
      running.db.transaction(async (tx) => {
        const row = await tx
          .insertInto('principals')
          .values({
            tenant_id: 'station',
            kind: 'user',
            name,
            name_key: name.toLowerCase(),
            k_id: `urn:user:station:${name}`,
            password_hash: null,
            base_url: null,
            created_utc: '2026-11-21T06:00:00.000Z',
            created_by: 'cli:tester',
          })
          .returning('principal_id')
          .executeTakeFirstOrThrow()
        return String(row.principal_id)
      }),
    /** Acts alone, without the entries by which the ledger takes in rows that this world itself wrote. */
    entries: async (): Promise<StoredEntry[]> => {
      const rows = await running.db.read.selectFrom('ledger').select('body').orderBy('seq').execute()
      return rows.map(({ body }) => storedEntry(body)).filter(({ action }) => action !== 'rows.changed')
    },
    restart: async (): Promise<void> => {
      await end()
      running = await begin()
    },
    close: async (): Promise<void> => {
      await end()
      await dispose()
    },
  }
}
