import type { z } from 'zod'
import { fault } from '../../../shared/kernel/errors.ts'
import type { StationWarningModel, WaiverModel } from '../../../shared/station/warnings.contract.ts'
import { STATION_WARNINGS, type StationWarning, waiverEnds } from '../../../shared/station/warnings.ts'
import { storedPrincipal } from '../../kernel/ledger/alarms.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import type { ClockSync } from '../../platform/clock/sync.ts'
import { deleteWaiver, placesFor, type StoredWaiver, storedWaiver, storeWaiver } from './warnings.store.ts'

export type StandingWarning = z.input<typeof StationWarningModel>
export type WaiverOut = z.input<typeof WaiverModel>

/** The warnings about the station that may be waived, and their waivers. */
export interface StationWarnings {
  /** The current warnings, each with its valid waiver. */
  standing(): Promise<StandingWarning[]>
  /** @throws Fault InvalidModel, WarningNotStanding, WarningWaived */
  waive(call: Call, warning: StationWarning, given: { until: number; reason: string }): Promise<WaiverOut>
  /** @throws Fault WaiverNotFound */
  takeBack(call: Call, warning: StationWarning): Promise<void>
}

interface Deps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'append'>
  readonly clock: Clock
  readonly clockSync: () => Promise<ClockSync>
  readonly timeZone: string
}

/** The current state of a warning. A waiver covers only the state for which it was given. */
interface Condition {
  readonly stands: boolean
  readonly placesEver: number
}

const STATION = { type: 'station', id: '1', name: '' }

export function createStationWarnings(deps: Deps): StationWarnings {
  const { db, ledger, clock } = deps
  const inForce = (waiver: StoredWaiver | null, { placesEver }: Condition): StoredWaiver | null =>
    waiver !== null &&
    clock.now() < waiver.until &&
    // Setting the clock back must not extend a waiver.
    clock.now() >= waiver.waivedAt &&
    waiver.placesEver === placesEver
      ? waiver
      : null

  return {
    standing: async () => {
      const sync = await deps.clockSync()
      const found = await Promise.all(
        STATION_WARNINGS.map(async (warning): Promise<StandingWarning[]> => {
          const condition = await conditionOf(db.read, warning, sync)
          if (!condition.stands) return []
          const waiver = inForce(await storedWaiver(db.read, warning), condition)
          return [{ Warning: warning, Waiver: waiver === null ? null : modelOf(waiver) }]
        }),
      )
      return found.flat()
    },

    waive: async (call, warning, { until, reason }) => {
      requireEnd(until, clock.now(), deps.timeZone)
      // Read before the transaction, because it may start a program.
      const sync = await deps.clockSync()
      return db.transaction(async (tx) => {
        const condition = await conditionOf(tx, warning, sync)
        if (!condition.stands)
          throw fault('WarningNotStanding', 'There is nothing to waive: this warning does not stand now.')
        if (inForce(await storedWaiver(tx, warning), condition) !== null)
          throw fault('WarningWaived', 'This warning is waived already. Take that waiver back first.')
        const waiver: StoredWaiver = {
          waivedAt: clock.now(),
          until,
          reason,
          by: storedPrincipal(call.actor),
          placesEver: condition.placesEver,
        }
        await storeWaiver(tx, warning, waiver)
        await ledger.append(tx, call, {
          action: 'station.warningWaived',
          object: STATION,
          reason,
          detail: { warning, untilUtc: isoMillis(until) },
        })
        return { Warning: warning, ...modelOf(waiver) }
      })
    },

    takeBack: (call, warning) =>
      db.transaction(async (tx) => {
        const waiver = await storedWaiver(tx, warning)
        // Also where its warning does not stand at this moment: it could stand again before the waiver ends.
        if (waiver === null || clock.now() >= waiver.until) throw fault('WaiverNotFound', 'This warning is not waived.')
        await deleteWaiver(tx, warning)
        await ledger.append(tx, call, {
          action: 'station.waiverTakenBack',
          object: STATION,
          detail: { warning, untilUtc: isoMillis(waiver.until) },
        })
      }),
  }
}

async function conditionOf(from: Tx, warning: StationWarning, sync: ClockSync): Promise<Condition> {
  // A clock that runs free is another problem, and one that is known.
  if (warning === 'clock') return { stands: sync.source === 'unknown', placesEver: 0 }
  const { now, ever } = await placesFor(from, warning)
  return { stands: now === 0, placesEver: ever }
}

/** @throws Fault InvalidModel */
function requireEnd(until: number, now: number, timeZone: string): void {
  const { earliest, latest } = waiverEnds(now, timeZone)
  if (until >= earliest && until <= latest) return
  throw fault('InvalidModel', 'A waiver ends between tomorrow and 90 days from today.', [
    { Path: 'UntilUtc', Message: `must lie between ${isoMillis(earliest)} and ${isoMillis(latest)}` },
  ])
}

const modelOf = ({ until, reason, waivedAt, by }: StoredWaiver): NonNullable<StandingWarning['Waiver']> => ({
  UntilUtc: isoMillis(until),
  Reason: reason,
  WaivedTimeUtc: isoMillis(waivedAt),
  WaivedBy: by,
})
