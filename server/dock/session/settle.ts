import { evidenceOf } from '../../evidence/records/records.repository.ts'
import { isoMillis } from '../../platform/clock/clock.ts'
import { isDurable } from './durable.ts'
import { settleJob } from './recordings.jobs.ts'
import { receiptOf, signReceipt } from './receipt.ts'
import { type Context, dockCall, rowOf, type StepResult } from './context.ts'
import {
  type FileRow,
  filesOf,
  filesTaken,
  recordingsOf,
  recordingsToComplete,
  recordingsToSettle,
  totalsOf,
  updateFile,
} from './sessions.repository.ts'

/** The second half of a session: is it really there, and what is said about it for ever. */

const MOST_ATTEMPTS = 3

/**
 * Every file that counts as taken has its row, its blob that was read back, and its entry in the ledger; else it is copied again. The
 * camera is not asked for anything here, and may be gone.
 */
export async function verify(context: Context): Promise<StepResult> {
  const { parts, id } = context
  const lost: FileRow[] = []
  for (const file of await filesTaken(parts.db.read, id)) {
    if (!(await isDurable(parts.db.read, file))) lost.push(file)
  }
  const now = parts.clock.now()
  if (lost.some(({ attempts }) => attempts < MOST_ATTEMPTS))
    return {
      event: 'copyAgain',
      reason: `${lost.length} files were not in the store as they were taken.`,
      within: async (tx) => {
        for (const file of lost) await updateFile(tx, file.file_id, notTaken(file))
      },
    }
  const row = await rowOf(context)
  const waiting = await recordingsToSettle(parts.db.read, id)
  return {
    event: 'done',
    set: { committed_at: now, last_byte_at: row.last_byte_at ?? now },
    within: async (tx) => {
      for (const file of lost)
        await updateFile(tx, file.file_id, {
          ...notTaken(file),
          outcome: 'failed',
          reason: 'The store did not keep it.',
        })
      for (const file of await filesTaken(tx, id)) await updateFile(tx, file.file_id, { verified_at: now })
      const call = dockCall(id)
      for (const recording of await recordingsToComplete(tx, id))
        await parts.records.completeEvidence(tx, call, await evidenceOf(tx, recording.evidence_id as number))
      for (const recording of waiting) await parts.jobs.enqueue(tx, settleJob(recording))
    },
    detail: { ...(await totalsOf(parts.db.read, id)) },
  }
}

const notTaken = (file: FileRow) => ({
  outcome: 'listed' as const,
  attempts: file.attempts + 1,
  resource_id: null,
  sha256: null,
  read_back: null,
  ledger_seq: null,
})

/** The receipt: signed, kept, and its hash in the ledger. From here on nothing happens to this session. */
export async function release(context: Context): Promise<StepResult> {
  const { parts, id } = context
  // What was enqueued when it was committed.
  parts.jobs.kick()
  // Copies that were begun and are not needed any more.
  await parts.store.forgetCarried((key) => !key.startsWith(`${id}-`))
  const now = parts.clock.now()
  const body = receiptOf({
    station: parts.origin,
    row: await rowOf(context),
    recordings: await recordingsOf(parts.db.read, id),
    files: await filesOf(parts.db.read, id),
    readBack: parts.store.readBack,
    head: await parts.ledger.head(),
    releasedUtc: isoMillis(now),
  })
  const signed = signReceipt(body, parts.signer())
  return {
    event: 'done',
    set: {
      released_at: now,
      ended: 1,
      receipt: signed.body,
      receipt_sha256: signed.sha256,
      receipt_signature: signed.signature,
      receipt_key: signed.publicKey,
    },
    sha256: signed.sha256,
    detail: { ...body.totals },
  }
}
