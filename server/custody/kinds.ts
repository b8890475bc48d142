import { type Action, ACTIONS } from './actions.ts'

/** For the custody of an evidence: did it change something, or was something looked at? Refusals count with what was tried: a look. */
export type CustodyKind = 'change' | 'view'

const KINDS: Readonly<Record<Action, CustodyKind>> = {
  'evidence.created': 'change',
  'evidence.read': 'view',
  'evidence.changed': 'change',
  'evidence.filled': 'change',
  'evidence.completed': 'change',
  'resource.created': 'change',
  'resource.read': 'view',
  'resource.listed': 'view',
  'resource.completed': 'change',
  'resource.refused': 'change',
  'resource.inspected': 'change',
  'resource.downloaded': 'view',
  'resource.played.started': 'view',
  'resource.played.ended': 'view',
  'resource.previewed': 'view',
  'resource.thumbnail': 'view',
  'still.taken': 'change',
  'check.requested': 'view',
  // What was found out about the bytes belongs to what happened with them.
  'resource.checked': 'change',
  'derivation.added': 'change',
  'derivation.failed': 'change',
  'upload.renewed': 'change',
  'upload.committed': 'change',
  'upload.refused': 'view',
  'upload.purged': 'change',
  'quarantine.added': 'change',
  'tenant.created': 'change',
  'user.created': 'change',
  'group.created': 'change',
  'service.created': 'change',
  'token.issued': 'view',
  'token.refused': 'view',
  'user.read': 'view',
  'user.locked': 'change',
  'setup.refused': 'view',
  'session.opened': 'view',
  'session.refused': 'view',
  'session.locked': 'view',
  'session.unlocked': 'view',
  'session.closed': 'view',
  'session.ended': 'view',
  'job.read': 'view',
  'job.cancelled': 'change',
  'job.retried': 'change',
  'list.read': 'view',
  'metrics.read': 'view',
  'access.denied': 'view',
  'answer.repeated': 'view',
  'station.started': 'change',
  'station.stopped': 'change',
  'station.readOnly': 'change',
  'system.recovered': 'change',
  'clock.jumped': 'change',
  'ledger.read': 'view',
  'ledger.verified': 'view',
  'custody.verified': 'view',
  'fixity.checked': 'change',
  'checkpoint.signed': 'change',
  'key.created': 'change',
  'key.rotated': 'change',
}

/** What the ledger does not know cannot be called a mere look. */
export const kindOf = (action: string): CustodyKind =>
  Object.hasOwn(KINDS, action) ? KINDS[action as Action] : 'change'

export const ACTIONS_VIEWED: readonly Action[] = ACTIONS.filter((action) => KINDS[action] === 'view')
