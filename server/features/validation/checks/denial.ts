import type { Principal } from '../../../../shared/kernel/principal.ts'
import type { Access } from '../../../kernel/access/access.ts'
import { refusalOfLevel } from '../../../kernel/access/evidence-level.ts'
import type { Tx } from '../../../kernel/database/database.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Log } from '../../../platform/log/log.ts'
import { openScratchStation } from '../scratch-station.ts'
import { type Finding, judged, type ScratchArea } from './check.ts'
import { validationReason } from '../../../../shared/messages/validation-reasons.ts'

export interface DenialDeps {
  /** Judges as the station does. */
  readonly access: Pick<Access, 'onEvidence'>
  readonly clock: Clock
  readonly log: Log
}

/** Asks the access check of the station about an evidence of a scratch database: for who brought it in, for a stranger, and for nobody. */
export async function checkDenial(deps: DenialDeps, area: ScratchArea): Promise<Finding> {
  const station = await openScratchStation(deps, area, 'denial', Buffer.from('scratch'))
  try {
    const { db, evidenceId, owner, stranger } = station
    const refused = (who: Principal | null) => refusalOf(deps.access, db.read, who, evidenceId)
    const problems: string[] = []
    const toStranger = await refused(stranger)
    if (toStranger === null) problems.push(validationReason('strangerLetIn'))
    else if (toStranger !== 'EvidenceNotFound') problems.push(validationReason('strangerTold', { refusal: toStranger }))
    if ((await refused(null)) === null) problems.push(validationReason('nobodyLetIn'))
    if ((await refused(owner)) !== null) problems.push(validationReason('ownerRefused'))
    return judged(validationReason('didDenial'), { asked: 3, refusal: toStranger ?? '' }, problems)
  } finally {
    await station.close()
  }
}

async function refusalOf(
  access: DenialDeps['access'],
  from: Tx,
  who: Principal | null,
  evidenceId: number,
): Promise<string | null> {
  const level = await access.onEvidence(from, who, evidenceId)
  return refusalOfLevel(String(evidenceId), { level, deleted: false }, 'View')?.code ?? null
}
