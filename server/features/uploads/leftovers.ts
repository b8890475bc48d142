/** What interrupted uploads left in an object store. */
import { clockBelief } from '../../platform/clock/clock-trust.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { BlobStore } from '../../storage/store.ts'
import type { Uploads } from './blobs/uploads.ts'

interface Ports {
  readonly store: Pick<BlobStore, 'removeLeftovers'>
  readonly uploads: Pick<Uploads, 'removeLeftovers'>
  readonly clock: Clock
}

/**
 * A task that removes what is older than a day and needed by no upload (docs/decisions/0026). By a clock that jumped a block that is being
 * sent right now would be as old, so nothing is removed while the clock is not believed.
 */
export function leftoversRemoval({ store, uploads, clock }: Ports): () => Promise<void> {
  const believed = clockBelief(clock)
  return async () => {
    if (!believed()) return
    await store.removeLeftovers()
    await uploads.removeLeftovers()
  }
}
