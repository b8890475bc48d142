/** What forwarding is given by the kernel. */
import type { Access } from '../../kernel/access/access.ts'
import type { Database } from '../../kernel/database/database.ts'
import type { Records } from '../../kernel/evidence/records.ts'
import type { JobQueue } from '../../kernel/jobs/queue.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Signer } from '../../kernel/ledger/signed-note.ts'
import type { BlobStore } from '../../storage/store.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Forwarder } from './forwarding.ts'

export interface ForwardingDeps {
  readonly db: Database
  readonly ledger: Ledger
  readonly access: Access
  readonly records: Pick<Records, 'changeEvidence'>
  readonly jobs: Pick<JobQueue, 'enqueue' | 'kick' | 'ofSubjects'>
  readonly store: Pick<BlobStore, 'open'>
  readonly clock: Clock
  readonly timeZone: string
  readonly origin: string
  readonly signer: () => Signer
  readonly sealer: { seal(secret: Uint8Array, about: string): string }
  readonly forwarder: Forwarder
}
