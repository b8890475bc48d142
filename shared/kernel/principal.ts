/**
 * Who acts. Kinds and the shape of KId are decisions 3; `cli` and `anonymous` never hold rights, they only appear in the ledger. `share-link` is whoever
 * opened a link for somebody without an account (decisions 37): it holds no rights either, and its id is not that of a principal.
 */
export type PrincipalKind = 'user' | 'group' | 'service' | 'internal' | 'cli' | 'anonymous' | 'share-link'

export interface Principal {
  readonly kind: PrincipalKind
  /** Decimal string; `0` is the platform itself. */
  readonly id: string
  /** The name as it is at this moment; the ledger keeps it "as then". */
  readonly name: string
  readonly kId: string
}

/** The platform itself (decisions 3). */
export const INTERNAL: Principal = { kind: 'internal', id: '0', name: 'internal', kId: '' }

/** `urn:{kind}:{tenant}:{name}:{principalId}` (decisions 3). */
export function kIdOf(kind: PrincipalKind, tenant: string, name: string, id: string): string {
  return `urn:${kind}:${tenant}:${name}:${id}`
}
