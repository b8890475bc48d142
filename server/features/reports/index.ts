/** Reports, and evidence and cases on paper. */
import type { Feature, Kernel } from '../../kernel/kernel.ts'
import type { ReachCase } from '../../kernel/cases/reach-case.ts'
import { createReach } from '../../kernel/evidence/reach.ts'
import { documentRoutes } from './documents/documents.routes.ts'
import { createPrint } from './documents/printing.ts'
import { figureRoutes } from './figures/figures.routes.ts'
import type { FigureDeps } from './figures/asking.ts'

/** What reports ask of other features. */
interface Needs extends Pick<FigureDeps, 'callLines' | 'upcoming' | 'levelsOnJobs' | 'disk'> {
  readonly reachCase: ReachCase
}

export function reportsFeature(kernel: Kernel, needs: Needs): Feature {
  const { settings, keys, origin, timeZone } = kernel
  const station = { name: settings.stationName, timeZone, origin }
  const print = createPrint({ ...kernel, stationName: settings.stationName })
  return {
    routes: [
      ...documentRoutes({
        ...kernel,
        ...needs,
        print,
        station,
        reachRows: createReach(kernel).reachRows,
        publicKey: () => keys.signing.current().publicKey,
      }),
      ...figureRoutes({
        ...kernel,
        ...needs,
        print,
        stationName: settings.stationName,
        hasObjectStore: settings.blobUrl !== undefined,
      }),
    ],
  }
}
