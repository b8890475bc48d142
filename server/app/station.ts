/** The station's state, its warnings and its jobs. */
import { kindOf } from '../kernel/ledger/actions.ts'
import { openAlarms } from '../kernel/ledger/alarms.store.ts'
import { targets } from '../features/integrity/backup/backups.store.ts'
import { copyTargets } from '../features/integrity/verification/copies.store.ts'
import { createJobAccess } from '../features/jobs/job-access.ts'
import { jobRoutes } from '../features/jobs/jobs.routes.ts'
import { createStationEvents } from '../features/station/station.events.ts'
import { stationRoutes } from '../features/station/station.routes.ts'
import { createStationState } from '../features/station/station.service.ts'
import { createStationWarnings } from '../features/station/warnings.service.ts'
import { forgetAnswers } from '../kernel/idempotency.store.ts'
import type { Kernel } from '../kernel/kernel.ts'
import type { Task } from '../kernel/scheduler.ts'
import { floorOf } from '../kernel/mode.ts'
import { createClockSync } from '../platform/clock/sync.ts'
import type { MediaTools } from '../platform/ffmpeg/media-tools.ts'
import { leastSpace } from '../platform/files/space.ts'
import { USUAL_FOLDERS } from '../platform/run/tools.ts'
import { lastVerification } from './identity.store.ts'

export function stationFeature(kernel: Kernel, { tools }: { readonly tools: MediaTools }) {
  const { settings, db, ledger, clock, log, mode, access, jobs, timeZone, isInPolicy } = kernel
  const clockSync = createClockSync({ searchPath: USUAL_FOLDERS, ticks: () => performance.now() })
  const warnings = createStationWarnings({ db, ledger, clock, clockSync, timeZone })
  const disk = async () => {
    const space = await leastSpace(kernel.folders)
    return { ...space, floor: floorOf(settings.minFreeBytes ?? null, space.total) }
  }
  const jobAccess = createJobAccess(access, clock.monotonic)
  const state = createStationState({
    db,
    clock,
    fixed: { name: settings.stationName, version: kernel.version, timeZone, tenant: settings.tenant },
    mode,
    disk,
    clockSync,
    media: tools.state,
    lastVerification: () => lastVerification(db.read),
    openAlarms: () => openAlarms(db.read),
    isInPolicy,
    asker: access.viewer,
    levelsOnJobs: jobAccess.levels,
    copies: async () => {
      const [backups, checkpoints] = await Promise.all([targets(db.read), copyTargets(db.read)])
      return { backups: backups.length, checkpoints: checkpoints.length }
    },
    warnings,
  })
  const events = createStationEvents({ db, jobs, state, isChange: (action) => kindOf(action) === 'change', clock, log })
  return {
    clockSync,
    warnings,
    disk,
    levelsOnJobs: jobAccess.levels,
    routes: [
      ...stationRoutes({ state, events, warnings }),
      ...jobRoutes({ db, jobs, ledger, access: jobAccess, evidenceAccess: access }),
    ],
    tasks: [
      // So that a jump is noticed when it happens, and not when somebody asks.
      {
        name: 'jumps of the clock',
        runsOn: 'every node',
        everyMs: 60_000,
        run: async () => void kernel.clockIsSteady(),
      },
      { name: 'free space', runsOn: 'every node', everyMs: 5_000, run: () => mode.checkSpace() },
      {
        name: 'old answers',
        runsOn: 'one node',
        everyMs: 3_600_000,
        run: () => db.transaction((tx) => forgetAnswers(tx, clock.now())),
      },
    ] satisfies Task[],
  }
}
