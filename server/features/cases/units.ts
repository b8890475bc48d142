/** The units of work of cases, for the list that the database's thread loads. */
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Versions } from '../../kernel/versions/versions.ts'
import type { Access } from '../../kernel/access/access.ts'
import type { Records } from '../../kernel/evidence/records.ts'
import { doesCall } from '../../kernel/unit-calls.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { createCaseCore } from './case-aggregate.ts'
import * as changing from './case-changes.ts'
import { confirmLinkUnit, createCaseLinking, linkEvidencesUnit } from './case-linking.ts'

interface Needs {
  readonly clock: Clock
  readonly ledger: Pick<Ledger, 'append'>
  readonly versions: Pick<Versions, 'add'>
  readonly access: Access
  readonly records: Pick<Records, 'relinked' | 'relinkedAll'>
  readonly customFields: Parameters<typeof changing.createCaseChanges>[0]['customFields']
}

export function caseUnits(needs: Needs) {
  const { clock } = needs
  const core = createCaseCore(needs)
  const linking = createCaseLinking({ ...needs, core })
  const changes = changing.createCaseChanges({ ...needs, core, linking })
  return [
    doesCall(changing.createCaseUnit, clock, changes.create),
    doesCall(changing.updateCaseUnit, clock, changes.update),
    doesCall(changing.patchCaseUnit, clock, changes.patch),
    doesCall(changing.moveCaseUnit, clock, changes.move),
    doesCall(changing.followCaseUnit, clock, changes.follow),
    doesCall(linkEvidencesUnit, clock, linking.link),
    doesCall(confirmLinkUnit, clock, linking.confirm),
  ]
}
