import { quarantineReason } from '../../../../shared/messages/quarantine-reasons.ts'
import { fault } from '../../../../shared/kernel/errors.ts'
import { INTERNAL } from '../../../../shared/kernel/principal.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Database, Tx } from '../../../kernel/database/database.ts'
import type { JobQueue } from '../../../kernel/jobs/queue.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { CompletedWith, Records } from '../../../kernel/evidence/records.ts'
import {
  evidenceOf,
  type ResourceRow,
  resourceById,
  unfinishedEvidence,
} from '../../../kernel/evidence/records.store.ts'
import { placeAndCommit } from '../../../kernel/evidence/place-and-commit.ts'
import type { BlobStore, StagedBlob } from '../../../storage/store.ts'
import type { Decrypt } from './decryption.ts'

/** What completion needs of the upload protocol; app.ts supplies it. */
export interface UploadedBytes {
  /**
   * The upload as one file, durable, read back and hashed; null when nothing was committed. Writers are refused until `release` or
   * `discard`. `encryption` is the unparsed header of an encrypted upload; null when it is not encrypted.
   */
  assemble(resourceId: number): Promise<{ readonly staged: StagedBlob; readonly encryption: string | null } | null>
  /** Reopens the upload, if it still exists, after a failed completion. Safe after `discard`. */
  release(resourceId: number): Promise<void>
  /** Deletes its rows in the transaction that ends the resource, so that a crash right after leaves no open upload. */
  forget(tx: Tx, resourceId: number): Promise<void>
  /** Deletes its files; the bytes are in the store by now. */
  discard(resourceId: number): Promise<void>
}

export interface Completion {
  /**
   * Completes an open resource from its uploaded bytes (decisions 6). Idempotent: a complete resource is returned.
   * @throws Fault HashMismatch, DecryptionFailed, NothingUploaded, ResourceNotOpen, Forbidden (the right to upload has ended; the bytes are quarantined)
   */
  complete(call: Call, resource: ResourceRow, expected: Expected): Promise<ResourceRow>
  /** Completes, as `internal`, evidence that was opened before `openBefore` and whose resources are all complete. @returns how many. */
  completeUnfinished(openBefore: string): Promise<number>
}

interface Arrived {
  readonly staged: StagedBlob
  readonly more: CompletedWith
}

export interface Expected {
  readonly sha256: string | null
  readonly length: number | null
}

interface Deps {
  db: Database
  store: BlobStore
  records: Records
  jobs: JobQueue
  uploads: UploadedBytes
  decrypt: Decrypt
  log: Log
  /** Whether the caller may still upload. Checked again when the bytes have arrived, which may be hours later. */
  stillAllowed: (call: Call, resource: ResourceRow) => Promise<boolean>
  requireWrites: () => void
}

export function createCompletion({
  db,
  store,
  records,
  jobs,
  uploads,
  decrypt,
  log,
  stillAllowed,
  requireWrites,
}: Deps): Completion {
  const underway = new Map<number, Promise<ResourceRow>>()

  /** A failure here does not change the answer, because the completion is committed. The next start removes files that are left. */
  const tidy = async (resourceId: number, work: (resourceId: number) => Promise<void>): Promise<void> => {
    try {
      await work(resourceId)
    } catch (error) {
      log.warn({ err: error, resourceId }, 'the staging of an upload could not be cleared')
    }
  }

  const refuse = async (call: Call, resource: ResourceRow, staged: StagedBlob, reason: string): Promise<void> => {
    const { path } = await store.quarantine(staged, reason)
    const failure = { reason, quarantinePath: path, sha256: staged.sha256, length: staged.length }
    await db.transaction(async (tx) => {
      await records.failResource(tx, call, resource, failure)
      await uploads.forget(tx, resource.resource_id)
    })
    await tidy(resource.resource_id, uploads.discard)
  }

  /** The decrypted file, and the details for the ledger. @throws Fault DecryptionFailed */
  const opened = async (
    call: Call,
    resource: ResourceRow,
    cipher: StagedBlob,
    encryption: string,
  ): Promise<Arrived> => {
    const found = await decrypt(cipher, encryption).catch(async (error: unknown) => {
      await store.discard(cipher)
      throw error
    })
    if ('refused' in found) {
      await refuse(call, resource, cipher, found.refused)
      throw fault(
        'DecryptionFailed',
        'What arrived cannot be decrypted. The bytes are kept in quarantine and the resource is refused; create a new one, encrypt the file with a fresh key and upload it again.',
      )
    }
    await store.discard(cipher)
    const { keyId } = found
    const detail = { ciphertextSha256: cipher.sha256, ciphertextBytes: cipher.length, keyId }
    return { staged: found.plain, more: { detail, certificateThumbprint: keyId } }
  }

  const fromUpload = async (call: Call, resource: ResourceRow, expected: Expected): Promise<ResourceRow> => {
    requireWrites()
    const uploaded = await uploads.assemble(resource.resource_id)
    if (uploaded === null) {
      // Another node may have completed it while this call waited.
      const now = await resourceById(db.read, resource.resource_id)
      if (now?.state === 'UserCompleted') return sameBytes(now, expected)
      throw fault('NothingUploaded', 'No bytes were committed to the upload address of this resource.')
    }
    const { staged, more } =
      uploaded.encryption === null
        ? { staged: uploaded.staged, more: {} }
        : await opened(call, resource, uploaded.staged, uploaded.encryption)
    const mismatch = whatDiffers(staged, [
      expected,
      { sha256: resource.expected_sha256, length: resource.expected_length },
    ])
    if (mismatch !== null) {
      await refuse(call, resource, staged, mismatch)
      throw fault(
        'HashMismatch',
        `${mismatch} The bytes are kept in quarantine and the resource is refused; create a new one and upload again.`,
      )
    }
    if (!(await stillAllowed(call, resource))) {
      await refuse(call, resource, staged, quarantineReason('authorityEnded'))
      throw fault('Forbidden', 'You may no longer upload to this evidence. The bytes are kept in quarantine.')
    }
    const completed = await placeAndCommit({ db, store }, staged, async (tx, placed) => {
      await uploads.forget(tx, resource.resource_id)
      return records.completeResource(tx, call, resource, placed, more)
    })
    jobs.kick()
    await tidy(resource.resource_id, uploads.discard)
    return completed
  }

  return {
    complete: async (call, resource, expected) => {
      const running = underway.get(resource.resource_id)
      if (running !== undefined) return sameBytes(await running, expected)
      const current = await resourceById(db.read, resource.resource_id)
      if (current?.state === 'UserCompleted') return sameBytes(current, expected)
      if (current === undefined || current.state !== 'None')
        throw fault('ResourceNotOpen', 'This resource was refused and takes no more bytes.')
      const work = fromUpload(call, current, expected).finally(async () => {
        underway.delete(resource.resource_id)
        await tidy(resource.resource_id, uploads.release)
      })
      underway.set(resource.resource_id, work)
      return work
    },

    completeUnfinished: async (openBefore) => {
      const left = await unfinishedEvidence(db.read, { openBefore })
      for (const row of left) {
        await db.transaction(async (tx) => {
          const call = { actor: INTERNAL, source: 'station', correlationId: `unfinished-${row.evidence_id}` }
          const now = await evidenceOf(tx, row.evidence_id)
          if (now.state === 'None') await records.completeEvidence(tx, call, now, true)
        })
      }
      return left.length
    },
  }
}

/** Completing a resource again returns it, unless the request names other bytes. */
function sameBytes(resource: ResourceRow, expected: Expected): ResourceRow {
  const mismatch = whatDiffers({ sha256: resource.sha256 as string, length: resource.length as number }, [expected])
  if (mismatch !== null) throw fault('HashMismatch', `${mismatch} The resource is complete and keeps the bytes it has.`)
  return resource
}

function whatDiffers(found: { sha256: string; length: number }, claims: readonly Expected[]): string | null {
  for (const { sha256, length } of claims) {
    if (length !== null && length !== found.length)
      return quarantineReason('otherLength', { found: found.length, expected: length })
    if (sha256 !== null && sha256.toLowerCase() !== found.sha256)
      return quarantineReason('otherHash', { found: found.sha256, expected: sha256 })
  }
  return null
}
