import { hash } from 'node:crypto'
import { canonicalJson } from '../../../kernel/ledger/canonical.ts'
import type { Signer } from '../../../kernel/ledger/signed-note.ts'
import { isoMillis } from '../../../platform/clock/clock.ts'
import type { PrincipalThen } from '../../../kernel/evidence/model.ts'
import { type Judged, ruleOf } from './items.ts'
import type { ApprovalRow, ItemRow } from './queue.store.ts'
import type { SnapshotsThen } from './snapshots.ts'
import type { NamedBytes } from './tombstone.store.ts'

/** The permanent statement about a destruction. Plain JSON with all members; format 1 has no member about snapshots. */
export interface CertificateBody {
  readonly format: 2
  readonly kind: 'certificate of destruction'
  readonly station: string
  readonly tenant: string
  readonly certificateId: string
  readonly evidence: {
    readonly id: string
    readonly name: string
    readonly createdUtc: string
    readonly version: string
  }
  readonly cases: readonly { readonly id: string; readonly ordinal: string; readonly closedUtc: string | null }[]
  readonly rule: {
    readonly kind: string
    readonly id: string | null
    readonly name: string
    readonly days: number
    readonly caseId: string | null
    readonly dueUtc: string
  }
  readonly requestedBy: PrincipalThen
  readonly queuedUtc: string
  readonly approvals: readonly { readonly by: PrincipalThen; readonly reason: string; readonly utc: string }[]
  readonly destroyedUtc: string
  /** `kept`: other evidence has the same bytes, so the store still holds them. */
  readonly files: readonly {
    readonly resourceId: string
    readonly name: string
    readonly role: string
    readonly type: string
    readonly sha256: string
    readonly bytes: number
    readonly kept: boolean
  }[]
  readonly snapshots: SnapshotsThen
}

/** A certificate as it is read, also in older formats. */
export type ReadCertificate = Omit<CertificateBody, 'format' | 'snapshots'> & {
  readonly format: 1 | 2
  readonly snapshots?: SnapshotsThen
}

export interface SignedCertificate {
  readonly body: Uint8Array
  readonly sha256: string
  /** Ed25519 over `body`, by the key that signs the station's checkpoints. */
  readonly signature: Uint8Array
  readonly publicKey: Uint8Array
}

export interface CertificateFacts {
  readonly station: string
  readonly id: number
  readonly item: ItemRow
  readonly approvals: readonly ApprovalRow[]
  readonly one: Judged
  readonly head: { readonly created_utc: string; readonly concurrency_id: string }
  readonly bytes: readonly NamedBytes[]
  /** Hashes of bytes that other evidence has too. */
  readonly kept: ReadonlySet<string>
  readonly destroyedUtc: string
  readonly snapshots: SnapshotsThen
}

/** Pure. */
export const certificateBody = (facts: CertificateFacts): CertificateBody => ({
  format: 2,
  kind: 'certificate of destruction',
  station: facts.station,
  tenant: facts.one.tenant,
  certificateId: String(facts.id),
  evidence: {
    id: String(facts.one.id),
    name: facts.one.name.toWellFormed(),
    createdUtc: facts.head.created_utc,
    version: facts.head.concurrency_id,
  },
  cases: facts.one.facts.cases.map(({ caseId, ordinal, closedAt }) => ({
    id: caseId,
    ordinal,
    closedUtc: closedAt === null ? null : isoMillis(closedAt),
  })),
  rule: { ...ruleOf(facts.item), dueUtc: dueOf(facts) },
  requestedBy: JSON.parse(facts.item.requested_by) as PrincipalThen,
  queuedUtc: facts.item.created_utc,
  approvals: facts.approvals.map((row) => ({
    by: JSON.parse(row.approved_by) as PrincipalThen,
    reason: row.reason,
    utc: row.approved_utc,
  })),
  destroyedUtc: facts.destroyedUtc,
  files: facts.bytes.map(({ resourceId, name, role, type, sha256, length }) => ({
    resourceId: String(resourceId),
    name: name.toWellFormed(),
    role,
    type,
    sha256,
    bytes: length,
    kept: facts.kept.has(sha256),
  })),
  snapshots: facts.snapshots,
})

/** Sample data is due when it is removed. */
const dueOf = ({ item, one }: CertificateFacts): string =>
  isoMillis(ruleOf(item).kind === 'Sample' ? item.due_at : (one.judgement.due as number))

export function signCertificate(body: CertificateBody, signer: Signer): SignedCertificate {
  const bytes = Buffer.from(canonicalJson(body))
  return {
    body: bytes,
    sha256: hash('sha256', bytes),
    signature: signer.sign(bytes),
    publicKey: signer.publicKey,
  }
}
