/** What the frame itself writes into the ledger: reads and denials (decisions 12). */
import type { Fault } from '../../shared/kernel/errors.ts'
import type { Audit, RouteDefinition } from '../../shared/kernel/route.ts'
import type { Seen } from './handlers.ts'
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

/** They come from strangers here, and nobody has looked at them yet. */
const shortened = (params: Params): Params =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, value.slice(0, 200).toWellFormed()]))

function objectId(audit: ReadAudit, params: Params): string {
  return audit.objectParam === undefined ? '' : (params[audit.objectParam] ?? '')
}
