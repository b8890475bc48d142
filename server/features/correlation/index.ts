/** Which recordings belong to which calls. */
import type { Feature, Kernel } from '../../kernel/kernel.ts'
import { createCorrelation } from './correlation.ts'
import { correlationRoutes } from './correlation-review.routes.ts'
import { type CasesOfCorrelation, createCorrelationActs } from './correlation-review.service.ts'

export function correlationFeature(kernel: Kernel, needs: CasesOfCorrelation): Feature {
  const { db, mode } = kernel
  const { run } = createCorrelation({
    ...kernel,
    db: db.inBackground,
    mayWrite: mode.mayWrite,
    caseChanged: (tx, call, caseId, changed) => needs.linksChanged(tx, call, caseId, { ...changed, automatic: true }),
  })
  return {
    routes: correlationRoutes({ service: createCorrelationActs({ ...kernel, ...needs }) }),
    tasks: [
      { name: 'which recordings belong to which calls', runsOn: 'one node', everyMs: 500, afterChanges: true, run },
    ],
  }
}
