/** What the frame itself writes into the ledger: reads and denials (decisions 12). */
import type { Fault } from '../../shared/contract/errors.ts'
import type { Audit, RouteDefinition } from '../../shared/contract/route.ts'
import type { Seen } from '../interfaces/handlers.ts'
import type { HttpLedgerEntry } from './ports.ts'

type Params = Readonly<Record<string, string>>
type ReadAudit = Extract<Audit, { by: 'read' }>

export function readEntry(audit: ReadAudit, params: Params, { id, name, ...rest }: Seen): HttpLedgerEntry {
  return {
    action: audit.action,
    object: { type: audit.objectType, id: id ?? objectId(audit, params), name: name ?? '' },
    outcome: 'ok',
    ...rest,
  }
}

/** Says which operation on which object was refused, and why in the words that the caller is not told. */
export function deniedEntry(route: RouteDefinition, params: Params, fault: Fault): HttpLedgerEntry {
  const { audit } = route
  const action = audit.by === 'read' ? audit.action : audit.by === 'own' ? (audit.actions[0] ?? route.id) : route.id
  const object =
    audit.by === 'read'
      ? { type: audit.objectType, id: objectId(audit, params), name: '' }
      : { type: 'operation', id: route.id, name: '' }
  return {
    action,
    object,
    outcome: 'denied',
    reason: fault.reason ?? fault.code,
    detail: { operation: route.id, ...params },
  }
}

function objectId(audit: ReadAudit, params: Params): string {
  return audit.objectParam === undefined ? '' : (params[audit.objectParam] ?? '')
}
