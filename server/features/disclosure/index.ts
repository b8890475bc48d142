/** Disclosure: what was given to whom, what was withheld, and what may not leave (docs/decisions/0035). */
import { join } from 'node:path'
import type { ReachCase } from '../../kernel/cases/reach-case.ts'
import { createReach } from '../../kernel/evidence/reach.ts'
import type { Feature, Kernel } from '../../kernel/kernel.ts'
import type { Notices } from '../../kernel/events/notices.ts'
import { createDisclosureCommands, type DisclosureCommands } from './commands.ts'
import { createDisclosures } from './disclosure.service.ts'
import { disclosureRoutes } from './disclosure.routes.ts'
import { createProposals, type Proposals, type WhyNotSecondPerson } from './proposals.service.ts'
import { createRequests } from './requests.service.ts'
import { dueNotices } from './due-notices.ts'
import { createPackageGate } from './package-gate.ts'
import { createPapers } from './papers/papers.service.ts'
import { createRestrictions } from './restrictions.service.ts'
import { rightsOf } from './rights.ts'

type PackageGate = ReturnType<typeof createPackageGate>

const REMIND_EVERY_MS = 15 * 60_000

interface Needs {
  readonly notices: Notices
  readonly reachCase: ReachCase
  readonly whyNotSecondPerson: WhyNotSecondPerson
}

export function disclosureFeature(
  kernel: Kernel,
  { reachCase, notices, whyNotSecondPerson }: Needs,
): Feature & {
  readonly commands: DisclosureCommands
  readonly gate: PackageGate
  readonly countToApprove: Proposals['countToApprove']
} {
  const { settings, access } = kernel
  const disclosures = createDisclosures({ ...kernel, reachCase, notices, approvalFor: settings.disclosureApproval })
  const proposals = createProposals({ ...kernel, notices, whyNotSecondPerson })
  const requests = createRequests({ ...kernel, notices })
  const papers = createPapers({
    ...kernel,
    stationName: settings.stationName,
    templates: join(settings.data, 'papers'),
  })
  return {
    on: dueNotices({ clock: kernel.clock, access, notices }),
    countToApprove: proposals.countToApprove,
    commands: createDisclosureCommands({ disclosures, papers, ledger: kernel.ledger }),
    gate: createPackageGate({
      ...kernel,
      stationName: settings.stationName,
      defenceKnowsCount: settings.defenceKnowsCount,
    }),
    tasks: [{ name: 'requests for disclosure', runsOn: 'one node', everyMs: REMIND_EVERY_MS, run: requests.remind }],
    routes: disclosureRoutes({
      db: kernel.db,
      disclosures,
      proposals,
      requests,
      approvalFor: settings.disclosureApproval,
      papers,
      ledger: kernel.ledger,
      restrictions: createRestrictions({ ...kernel, reach: createReach(kernel).reach }),
      rightsOf: (call) => rightsOf({ access, reachCase }, call, call.tenant),
    }),
  }
}
