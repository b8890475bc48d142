/** Disclosure: what was given to whom, what was withheld, and what may not leave (docs/decisions/0035). */
import { join } from 'node:path'
import type { ReachCase } from '../../kernel/cases/reach-case.ts'
import { createReach } from '../../kernel/evidence/reach.ts'
import type { Feature, Kernel } from '../../kernel/kernel.ts'
import type { Notices } from '../../kernel/events/notices.ts'
import { createDisclosureCommands, type DisclosureCommands } from './commands.ts'
import { createDisclosures } from './disclosure.service.ts'
import { disclosureRoutes } from './disclosure.routes.ts'
import { dueNotices } from './due-notices.ts'
import { createPackageGate } from './package-gate.ts'
import { createPapers } from './papers/papers.service.ts'
import { createRestrictions } from './restrictions.service.ts'
import { rightsOf } from './rights.ts'

type PackageGate = ReturnType<typeof createPackageGate>

interface Needs {
  readonly notices: Notices
  readonly reachCase: ReachCase
}

export function disclosureFeature(
  kernel: Kernel,
  { reachCase, notices }: Needs,
): Feature & { readonly commands: DisclosureCommands; readonly gate: PackageGate } {
  const { settings, access } = kernel
  const disclosures = createDisclosures({ ...kernel, reachCase, notices })
  const papers = createPapers({
    ...kernel,
    stationName: settings.stationName,
    templates: join(settings.data, 'papers'),
  })
  return {
    on: dueNotices({ clock: kernel.clock, access, notices }),
    commands: createDisclosureCommands({ disclosures, papers, ledger: kernel.ledger }),
    gate: createPackageGate({
      ...kernel,
      stationName: settings.stationName,
      defenceKnowsCount: settings.defenceKnowsCount,
    }),
    routes: disclosureRoutes({
      disclosures,
      papers,
      ledger: kernel.ledger,
      restrictions: createRestrictions({ ...kernel, reach: createReach(kernel).reach }),
      rightsOf: (call) => rightsOf({ access, reachCase }, call, call.tenant),
    }),
  }
}
