import type { z } from 'zod'
import type { CadOverview } from '../../../shared/dispatch/cad-messages.contract.ts'
import type { SecurityPolicy } from '../../../shared/kernel/permissions.ts'
import type { Database } from '../../kernel/database/database.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import type { Log } from '../../platform/log/log.ts'
import type { HttpCall } from '../../http/handlers.ts'
import { messageById } from './cad.store.ts'
import type { CadPush } from './cad.service.ts'
import * as rows from './overview.store.ts'

/** The state of CAD push: connected integrations, received messages, and messages that wait for a person. */
export interface CadWatch {
  overview(tenant: string): Promise<z.input<typeof CadOverview>>
  /** A part of those of a state, each in a transaction of its own. @returns `last`: where to go on; null: that was all */
  retryAll(
    call: HttpCall,
    tenant: string,
    asked: { readonly state: 'unreadable' | 'review'; readonly after: number },
  ): Promise<{ tried: number; settled: number; last: number | null }>
}

interface Deps {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly push: Pick<CadPush, 'again'>
  readonly isInPolicy: (principalId: string, policy: SecurityPolicy) => Promise<boolean>
  /** Where the station answers. */
  readonly origins: () => readonly string[]
}

const DAY = 86_400_000
/** One at a time, so that the caller can stop in between. */
const AT_ONCE = 50

export function createCadWatch({ db, clock, log, push, isInPolicy, origins }: Deps): CadWatch {
  return {
    overview: async (tenant) => {
      const now = clock.now()
      const sinceUtc = isoMillis(now - DAY)
      const states = await rows.statesSince(db.read, tenant, sinceUtc)
      const all = await rows.servicesOf(db.read, tenant, { nowUtc: isoMillis(now), sinceUtc })
      const services = []
      const listed = await rows.originsOfServices(
        db.read,
        all.map((one) => one.principal_id),
      )
      for (const one of all) {
        const mayPush = await isInPolicy(String(one.principal_id), 'PushCadEvents')
        if (!mayPush && one.last_utc === null) continue
        services.push({
          principalId: String(one.principal_id),
          name: one.name,
          enabled: one.enabled === 1,
          mayPush,
          apiKeys: one.api_keys,
          origins: listed.get(one.principal_id) ?? [],
          lastReceivedUtc: one.last_utc,
          lastDay: one.day,
        })
      }
      return {
        lastReceivedUtc: await rows.lastDelivery(db.read, tenant),
        lastDay: {
          applied: states.get('applied') ?? 0,
          repeated: states.get('repeated') ?? 0,
          older: states.get('older') ?? 0,
          review: states.get('review') ?? 0,
          unreadable: states.get('unreadable') ?? 0,
        },
        waiting: {
          unreadable: await rows.countOfState(db.read, tenant, 'unreadable'),
          review: await rows.countOfState(db.read, tenant, 'review'),
        },
        services,
        origins: [...origins()],
      }
    },

    retryAll: async (call, tenant, { state, after }) => {
      const found = await rows.waitingAfter(db.read, tenant, { state, after, count: AT_ONCE + 1 })
      const some = found.slice(0, AT_ONCE)
      let tried = 0
      let settled = 0
      for (const { message_id: id } of some)
        try {
          const became = await db.transaction(async (tx) => {
            const row = await messageById(tx, tenant, id)
            // Somebody else was here first.
            return row?.state === state ? (await push.again(tx, call, row)).state : null
          })
          if (became !== null) tried += 1
          if (became !== null && became !== 'unreadable' && became !== 'review') settled += 1
        } catch (error) {
          // A mistake of the house with one must not keep the others from being read.
          log.error(
            { correlationId: call.correlationId, messageId: id, err: error },
            'a message could not be tried again',
          )
        }
      return { tried, settled, last: found.length > AT_ONCE ? (some.at(-1)?.message_id ?? null) : null }
    },
  }
}
