/** Calls: CAD push, the engine that finds their recordings, and calls beside footage. */
import type { Kernel } from '../kernel/kernel.ts'
import type { Calendar } from '../features/calls-board/shifts.ts'
import { createCorrelation } from '../features/correlation/correlation.ts'
import { metresBetween } from '../features/correlation/engine.ts'
import { instantOf } from '../../shared/kernel/time-zones.ts'
import { parseJson } from '../http/json.ts'
import { createApiKeys } from '../features/dispatch/api-keys.ts'
import { cadRoutes } from '../features/dispatch/cad.routes.ts'
import { createCadQuestions } from '../features/dispatch/cad.questions.ts'
import { createCadPush } from '../features/dispatch/cad.service.ts'
import { createCadWatch } from '../features/dispatch/cad.watch.ts'
import { callsBoardRoutes } from '../features/calls-board/calls-board.routes.ts'
import { createCallsBoard } from '../features/calls-board/calls-board.service.ts'
import type { CaseService } from '../features/cases/case-service.ts'

interface Needs {
  readonly cases: Pick<CaseService, 'cad' | 'core' | 'linksChanged'>
  /** Where the station answers. */
  readonly origins: () => readonly string[]
}

export function dispatchFeature(kernel: Kernel, { cases, origins }: Needs) {
  const { db, ledger, records, access, clock, log, mode, isInPolicy, exporting, timeZone, tenant } = kernel
  const push = createCadPush({ db, ledger, clock, log, writeCase: cases.cad.write, parseJson })
  const questions = createCadQuestions({ db, ledger, clock, access, push, isInPolicy, parseJson, metresBetween })
  const apiKeys = createApiKeys({ db, clock, mayWrite: mode.mayWrite })
  const correlation = createCorrelation({
    db: db.inBackground,
    ledger,
    records,
    clock,
    mayWrite: mode.mayWrite,
    caseChanged: cases.linksChanged,
  })
  const board = createCallsBoard({
    db,
    core: cases.core,
    ledger,
    access,
    clock,
    calendar: calendarIn(timeZone),
    timeZone,
    isInPolicy,
  })
  return {
    routes: [
      ...cadRoutes({
        push,
        questions,
        watch: createCadWatch({ db, clock, log, push, isInPolicy, origins }),
        tenant,
      }),
      ...callsBoardRoutes({ service: board, exporting, tenant }),
    ],
    tasks: [
      { name: 'which recordings belong to which calls', everyMs: 500, run: correlation.run },
      { name: 'when API keys were used', everyMs: 2_000, run: apiKeys.noteUse },
    ],
    apiKeys,
    /** Reads the messages that an end left unread. */
    catchUp: async () => {
      if (mode.mayWrite()) await push.catchUp()
    },
  }
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
