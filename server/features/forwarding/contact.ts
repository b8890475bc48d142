/** A contact with headquarters, as the parts that send something share it. */
import type { Database } from '../../kernel/database/database.ts'
import type { Alarms } from '../../kernel/ledger/alarms.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Signer } from '../../kernel/ledger/signed-note.ts'
import type { LedgerTree } from '../../kernel/ledger/tree.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { BlobStore } from '../../storage/store.ts'
import { type HeadquartersClient, HeadquartersRefusal, type RemoteResource } from './client.ts'
import type { RemoteCategory } from './fields.ts'
import type { Rules } from './rules.ts'

export interface ForwardDeps {
  readonly db: Database
  readonly ledger: Pick<Ledger, 'append'>
  readonly alarms: Pick<Alarms, 'raise'>
  readonly store: Pick<BlobStore, 'open'>
  readonly clock: Clock
  readonly origin: string
  readonly signer: () => Signer
  readonly tree: LedgerTree
}

/** A contact with headquarters. */
export interface Contact {
  readonly tenant: string
  readonly rules: Rules
  readonly client: HeadquartersClient
  readonly categories: readonly RemoteCategory[]
  readonly call: Call
  /** @throws Interrupted when the window closed, the rules changed, or the station stops */
  readonly goOn: () => void
  /** Tells how much was sent, for the backlog and the measured pace. */
  readonly onSent: (bytes: number) => void
}

/** Forwarding pauses; the item goes on later where it is. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

/** A person has to look; trying again does not help. */
export class NeedsPerson extends Error {
  override readonly name = 'NeedsPerson'
}

/** Null when headquarters does not have it. */
export async function readResource(
  client: HeadquartersClient,
  remoteId: string,
  id: string,
): Promise<RemoteResource | null> {
  try {
    return await client.readResource(remoteId, id)
  } catch (error) {
    if (error instanceof HeadquartersRefusal && error.code === 'ResourceNotFound') return null
    throw error
  }
}

/** Null when headquarters has removed it. */
export async function renewUpload(
  client: HeadquartersClient,
  remoteId: string,
  remote: RemoteResource,
): Promise<RemoteResource | null> {
  try {
    return await client.renewUploadUri(remoteId, remote.ResourceId)
  } catch (error) {
    if (!(error instanceof HeadquartersRefusal)) throw error
    if (error.code === 'ResourceNotOpen') return readResource(client, remoteId, remote.ResourceId)
    if (error.code === 'ResourceNotFound') return null
    throw error
  }
}
