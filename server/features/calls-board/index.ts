/** Calls beside the footage that was recorded of them. */
import { instantOf } from '../../../shared/kernel/time-zones.ts'
import type { Feature, Kernel } from '../../kernel/kernel.ts'
import { callsBoardRoutes } from './calls-board.routes.ts'
import { createCallsBoard } from './calls-board.service.ts'
import type { Calendar } from './shifts.ts'

type BoardDeps = Parameters<typeof createCallsBoard>[0]

interface Needs {
  readonly reachCase: BoardDeps['reachCase']
  readonly explainCase: BoardDeps['explainCase']
}

export function callsBoardFeature(kernel: Kernel, needs: Needs): Feature {
  const { timeZone, exporting } = kernel
  const service = createCallsBoard({ ...kernel, ...needs, calendar: calendarIn(timeZone) })
  return { routes: callsBoardRoutes({ service, exporting }) }
}

/** The wall of the station. */
function calendarIn(timeZone: string): Calendar {
  const dates = new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  return {
    at: (date, minute) => {
      const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
      return instantOf({ year, month, day, hour: Math.floor(minute / 60), minute: minute % 60, second: 0 }, timeZone).ms
    },
    dateOf: (millis) => dates.format(millis),
  }
}
