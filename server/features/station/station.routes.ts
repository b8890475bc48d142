import * as contract from '../../../shared/station/contract.ts'
import { takeBackStationWaiver, waiveStationWarning } from '../../../shared/station/warnings.contract.ts'
import { eventStream } from '../../http/event-stream.ts'
import { type BoundRoute, bytes, json } from '../../http/handlers.ts'
import type { StationEvents } from './station.events.ts'
import type { StationState } from './station.service.ts'
import type { StationWarnings } from './warnings.service.ts'

interface Deps {
  state: Pick<StationState, 'of'>
  events: StationEvents
  warnings: Pick<StationWarnings, 'waive' | 'takeBack'>
}

export function stationRoutes({ state, events, warnings }: Deps): BoundRoute[] {
  return [
    json(contract.getStation, async ({ call }) => {
      return state.of(call.principal)
    }),
    bytes(contract.stationEvents, async (request, call) => {
      // Who does not keep up misses events; each says to ask again, and the next one says it too.
      const id = String(request.headers['last-event-id'] ?? '')
      const after = /^\d{1,15}$/.test(id) ? Number(id) : null
      return eventStream(
        contract.stationEvents.events,
        (send) => events.subscribe(call.actor, send, after),
        request.signal,
      )
    }),
    json(waiveStationWarning, async ({ params, body, call }) => {
      return warnings.waive(call, params.warning, { until: Number(body.UntilUtc.ticks / 10_000n), reason: body.Reason })
    }),
    json(takeBackStationWaiver, async ({ params, call }) => {
      await warnings.takeBack(call, params.warning)
      return undefined
    }),
  ]
}
