import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { INTERNAL } from '../../../../shared/kernel/principal.ts'
import { openDatabase } from '../../../kernel/database/database.ts'
import { createLedger } from '../../../kernel/ledger/ledger.ts'
import { signCheckpoint } from '../../../kernel/ledger/signed-note.ts'
import { createLedgerTree } from '../../../kernel/ledger/tree.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { copyFileDurably } from '../../../platform/files/trees.ts'
import type { Log } from '../../../platform/log/log.ts'
import { throwawayKey } from '../throwaway-key.ts'
import { type Finding, judged, type ScratchArea } from './check.ts'
import { TAMPERINGS, tamperWith } from './tamper.store.ts'
import { validationReason } from '../../../../shared/messages/validation-reasons.ts'

/** As `verify` reads the ledger of the station. */
export type VerifyLedger = (options: {
  readonly file: string
  readonly publicKeys: readonly Uint8Array[]
  readonly outside: readonly string[]
  readonly signal: AbortSignal
}) => Promise<{
  readonly entries: number
  readonly problems: readonly { readonly what: string; readonly message: string }[]
}>

export interface LedgerDeps {
  readonly verifyLedger: VerifyLedger
  readonly clock: Clock
  readonly log: Log
}

const ENTRIES = 40
/** No station's: a checkpoint of the scratch ledger must never be taken for one of the station. */
const ORIGIN = 'validation.invalid/scratch'

/** Writes a ledger, and tampers with copies of it. Its key is made for it and thrown away. */
export async function checkLedger(deps: LedgerDeps, { data }: ScratchArea, signal: AbortSignal): Promise<Finding> {
  const file = join(data, 'ledger.db')
  const key = throwawayKey()
  const note = await writeLedger(deps, file, key)
  const verify = (copy: string) =>
    deps.verifyLedger({ file: copy, publicKeys: [key.publicKey], outside: [note], signal })
  const problems: string[] = []
  const whole = await verify(file)
  if (whole.entries !== ENTRIES)
    problems.push(validationReason('notAllVerified', { entries: ENTRIES, found: whole.entries }))
  if (whole.problems[0] !== undefined) problems.push(validationReason('wholeRefused', whole.problems[0]))
  let found = 0
  for (const [index, tampering] of TAMPERINGS.entries()) {
    signal.throwIfAborted()
    const copy = join(data, `ledger-${index}.db`)
    await copyFileDurably(file, copy)
    tamperWith(copy, tampering, ENTRIES)
    if ((await verify(copy)).problems.length > 0) found += 1
    else problems.push(validationReason('notFound', { tampering: tampering.name }))
  }
  return judged(
    validationReason('didLedger', { entries: ENTRIES }),
    { entries: ENTRIES, tamperings: TAMPERINGS.length, found },
    problems,
  )
}

/** @returns the signed head over all its entries, which lies outside it */
async function writeLedger(
  { clock, log }: LedgerDeps,
  file: string,
  key: ReturnType<typeof throwawayKey>,
): Promise<string> {
  const db = await openDatabase({ file })
  try {
    const ledger = createLedger({ db, clock, log })
    const call = { actor: INTERNAL, source: 'validation', correlationId: randomUUID() }
    for (let index = 0; index < ENTRIES; index++)
      await ledger.record(call, {
        action: 'evidence.read',
        object: { type: 'evidence', id: String(index + 1), name: `scratch ${index + 1}` },
      })
    const { root } = await createLedgerTree(db).at(ENTRIES)
    await ledger.stop()
    return signCheckpoint({ origin: ORIGIN, size: ENTRIES, root }, key)
  } finally {
    await db.close()
  }
}
