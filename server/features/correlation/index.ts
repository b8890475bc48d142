/** Which recordings belong to which calls. */
import type { Feature, Kernel } from '../../kernel/kernel.ts'
import { createCorrelation } from './correlation.ts'

interface Needs {
  readonly caseChanged: Parameters<typeof createCorrelation>[0]['caseChanged']
}

export function correlationFeature(kernel: Kernel, { caseChanged }: Needs): Feature {
  const { run } = createCorrelation({
    ...kernel,
    db: kernel.db.inBackground,
    mayWrite: kernel.mode.mayWrite,
    caseChanged,
  })
  return { tasks: [{ name: 'which recordings belong to which calls', everyMs: 500, afterChanges: true, run }] }
}
