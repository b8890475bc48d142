import { isoMillis } from '../../../platform/clock/clock.ts'
import { type Context, rowOf, type StepResult } from '../session/context.ts'
import { receiptOf, signReceipt } from '../session/receipt.ts'
import { filesOf, recordingsOf } from '../session/sessions.store.ts'

/** Signs and stores the receipt, with its hash in the ledger. After this the session does not change. */
export async function release(context: Context): Promise<StepResult> {
  const { parts, id } = context
  // The jobs that the commit enqueued.
  parts.jobs.kick()
  // Partial copies of this session, which are not needed any more.
  await parts.store.discardPartialCopies((key) => !key.startsWith(`${id}-`))
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
