/** Forwarding stations: this station as a client of headquarters (docs/operate/forwarding.md). */
import type { Feature, Kernel } from '../../kernel/kernel.ts'
import type { Tx } from '../../kernel/database/database.ts'
import { createLedgerTree } from '../../kernel/ledger/tree.ts'
import type { HoldsOf } from './clearing.ts'
import type { TokenProtocol } from './client.ts'
import { createFetching } from './fetch.ts'
import { createForwarder, type ForwarderDeps } from './forwarding.ts'
import type { Present } from './reachability.ts'
import { deleteForwardedBlob, forgetForwarding } from './forwarding.store.ts'
import { forwardingRoutes } from './routes.ts'
import { createForwardingService, type ForwardingService } from './service.ts'

interface Needs {
  readonly tokens: TokenProtocol
  readonly sealer: ForwarderDeps['sealer']
  /** Presents this station by its newest checkpoint. @returns why it is refused, or null */
  readonly present: Present
  readonly holdsOf: HoldsOf
  /** Whether files of the store may be removed now. */
  readonly mayRemove: () => boolean
}

const DAY = 86_400_000

export function forwardingFeature(kernel: Kernel, needs: Needs): Feature & { readonly service: ForwardingService } {
  const { keys, clock, mode } = kernel
  const signer = keys.signing.current
  const tree = createLedgerTree(kernel.db)
  const forwarder = createForwarder({ ...kernel, ...needs, signer, tree, mayWrite: mode.mayWrite })
  const service = createForwardingService({ ...kernel, signer, sealer: needs.sealer, forwarder })
  /** The bytes came again, by an upload or a derivation: they are here. */
  const bytesCame = async (tx: Tx, sha256: string | undefined): Promise<void> => {
    if (sha256 === undefined) return
    const at = clock.now()
    await deleteForwardedBlob(tx, sha256, { at, dueAt: at + DAY, readBack: null })
  }
  return {
    service,
    routes: forwardingRoutes(service),
    handlers: createFetching({ ...kernel, clientFor: forwarder.clientFor }),
    on: {
      'resource.completed': (tx, _, { sha256 }) => bytesCame(tx, sha256),
      'derivation.added': (tx, _, { sha256 }) => bytesCame(tx, sha256),
      'evidence.destroyed': (tx, _, { object }) => forgetForwarding(tx, Number(object.id)),
    },
    tasks: [{ name: 'forwarding', runsOn: 'one node', everyMs: 1_000, run: forwarder.run }],
    stop: forwarder.stop,
  }
}
