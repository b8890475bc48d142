import { dockReason } from '../../../../shared/messages/dock-reasons.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Tx } from '../../../kernel/database/database.ts'
import { evidenceOf } from '../../../kernel/evidence/records.store.ts'
import { type LocalCopy, StorageFault } from '../../../storage/store.ts'
import { SecondCopyAway } from '../transfer/second-copy.ts'
import { isDurable } from '../session/durable.ts'
import { annotateRecordingJob } from '../session/recordings.jobs.ts'
import { type Context, dockCall, type DockParts, rowOf, type StepResult } from '../session/context.ts'
import {
  type FileRow,
  filesTaken,
  type RecordingRow,
  recordingsToComplete,
  recordingsToAnnotate,
  totalsOf,
  updateFile,
  verifiedAll,
} from '../session/sessions.store.ts'

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
  if (lost.some(({ attempts }) => attempts < MOST_ATTEMPTS))
    return {
      event: 'copyAgain',
      reason: `${lost.length} files were not in the store as they were taken.`,
      within: async (tx) => {
        for (const file of lost) await updateFile(tx, file.file_id, notTaken(file))
      },
    }
  const waits = await secondCopies(context, new Set(lost.map((file) => file.file_id)))
  if (waits !== null) return { event: 'waits', reason: waits }
  await completeMost(context)
  const now = parts.clock.now()
  const row = await rowOf(context)
  const waiting = await recordingsToAnnotate(parts.db.read, id)
  return {
    event: 'done',
    set: {
      committed_at: now,
      last_byte_at: row.last_byte_at ?? now,
      second_copy: parts.secondCopy?.folder ?? null,
    },
    within: async (tx) => {
      for (const file of lost)
        await updateFile(tx, file.file_id, {
          ...notTaken(file),
          outcome: 'failed',
          reason: dockReason('notKept'),
        })
      await verifiedAll(tx, id, now)
      const call = dockCall(id)
      await completeAll(parts, tx, call, await recordingsToComplete(tx, id))
      for (const recording of waiting) await parts.jobs.enqueue(tx, annotateRecordingJob(recording))
    },
    detail: { ...(await totalsOf(parts.db.read, id)) },
  }
}

/** Evidences that are completed in one transaction. Requests of people wait for such a transaction. */
const COMPLETED_AT_ONCE = 16

/** None of them waits for another: their statements go to the database together. */
async function completeAll(parts: DockParts, tx: Tx, call: Call, recordings: readonly RecordingRow[]): Promise<void> {
  await Promise.all(
    recordings.map(async ({ evidence_id: evidenceId }) => {
      const evidence = await evidenceOf(tx, evidenceId as number)
      if (evidence.state === 'None') await parts.records.completeEvidence(tx, call, evidence)
    }),
  )
}

/** Completes most evidences ahead of the last transaction: a folder of ten thousand files makes as many of them. */
async function completeMost({ parts, id, signal }: Context): Promise<void> {
  const recordings = await recordingsToComplete(parts.db.read, id)
  if (recordings.length <= COMPLETED_AT_ONCE) return
  for (let at = 0; at < recordings.length; at += COMPLETED_AT_ONCE) {
    signal.throwIfAborted()
    const some = recordings.slice(at, at + COMPLETED_AT_ONCE)
    await parts.db.transaction((tx) => completeAll(parts, tx, dockCall(id), some))
  }
}

/** @returns why it has to wait, for a person; null where every file has its second copy, or none is wanted */
async function secondCopies({ parts, id, signal }: Context, except: ReadonlySet<number>): Promise<string | null> {
  const { secondCopy, store, clock, db } = parts
  if (secondCopy === null) return null
  for (const file of await filesTaken(db.read, id)) {
    if (file.second_at !== null || except.has(file.file_id)) continue
    signal.throwIfAborted()
    const sha256 = file.sha256 as string
    let local: LocalCopy | null = null
    try {
      local = await store.localCopy(sha256, { signal })
      const readBack = await secondCopy.keep({ path: local.path, sha256, length: file.length }, signal)
      await db.transaction((tx) => updateFile(tx, file.file_id, { second_at: clock.now(), second_read_back: readBack }))
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof SecondCopyAway || error instanceof StorageFault) return error.message
      throw error
    } finally {
      await local?.release()
    }
  }
  return null
}

const notTaken = (file: FileRow) => ({
  outcome: 'listed' as const,
  attempts: file.attempts + 1,
  resource_id: null,
  sha256: null,
  read_back: null,
  ledger_seq: null,
  second_at: null,
  second_read_back: null,
  differs_from: null,
})
