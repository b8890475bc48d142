/** Ledger entries that the frame writes itself: reads and denials (decisions 12). */
import type { Fault } from '../../shared/kernel/errors.ts'
import type { Audit, RouteDefinition } from '../../shared/kernel/route.ts'
import type { ReadDetails } from './handlers.ts'
import type { HttpLedgerEntry } from './ports.ts'

type Params = Readonly<Record<string, string>>
type ReadAudit = Extract<Audit, { by: 'read' }>

export function readEntry(audit: ReadAudit, params: Params, { id, name, ...rest }: ReadDetails): HttpLedgerEntry {
  return {
    action: audit.action,
    object: { type: audit.objectType, id: id ?? objectId(audit, params), name: name ?? '' },
    outcome: 'ok',
    ...rest,
  }
}

/** Names the refused operation, its object and the true reason, which the caller does not get. */
export function deniedEntry(route: RouteDefinition, params: Params, fault: Fault): HttpLedgerEntry {
  const { audit } = route
  const known = shortened(params)
  const object =
    audit.by === 'read'
      ? { type: audit.objectType, id: objectId(audit, known), name: '' }
      : { type: 'operation', id: route.id, name: '' }
  return {
    action: 'access.denied',
    object,
    outcome: 'denied',
    reason: fault.reason ?? fault.code,
    detail: { operation: route.id, ...known },
  }
}

/** The values come from callers that are not recognised yet, and are not validated. */
const shortened = (params: Params): Params =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, value.slice(0, 200).toWellFormed()]))

function objectId(audit: ReadAudit, params: Params): string {
  return audit.objectParam === undefined ? '' : (params[audit.objectParam] ?? '')
}
