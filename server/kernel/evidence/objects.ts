import type { Principal } from '../../../shared/kernel/principal.ts'
import type { PrincipalThen } from './model.ts'

/** How principals, evidence and resources are named in rows and in the ledger. */

export const principalThen = (who: Principal): PrincipalThen => ({
  KId: who.kId,
  Username: who.name,
  PrincipalId: who.id,
  PrincipalType: who.kind,
})

export const evidenceObject = (row: { evidence_id: number; name: string }) => ({
  type: 'evidence',
  id: String(row.evidence_id),
  name: row.name,
})
export const resourceObject = (row: { resource_id: number; name: string }) => ({
  type: 'resource',
  id: String(row.resource_id),
  name: row.name,
})

/** The author of a change, with the name of that time: of cases and what belongs to one, devices and retention. */
export const authorOf = (who: Principal) => ({
  PrincipalId: who.id,
  KId: who.kId,
  Name: who.name,
  Username: who.name,
  PrincipalType: who.kind,
})
