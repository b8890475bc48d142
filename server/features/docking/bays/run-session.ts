import type { DockState } from '../../../../shared/docking/docking.ts'
import type { Action } from '../../../kernel/ledger/actions.ts'
import { type Context, dockCall, Pulled, rowOf, sessionObject, type StepResult } from '../session/context.ts'
import { isOver, next, type Step, TABLE } from '../session/machine.ts'
import { type SessionRow, updateSession, waitingSession } from '../session/sessions.store.ts'
import { admit } from '../steps/admit.ts'
import { clear } from '../steps/clear.ts'
import { copy } from '../steps/copy.ts'
import { identify } from '../steps/identify.ts'
import { list } from '../steps/list.ts'
import { negotiate } from '../steps/negotiate.ts'
import { release } from '../steps/release.ts'
import { verify } from '../steps/verify.ts'

const STEPS: Readonly<Record<Step, (context: Context) => Promise<StepResult>>> = {
  identify,
  negotiate,
  list,
  admit,
  copy,
  verify,
  clear,
  release,
}

/** How often a session checks for what it waits for. */
const WAITS_MS = 3_000

/** What each state is called in the ledger when a session comes into it. */
const ACTS: Readonly<Partial<Record<DockState, Action>>> = {
  committed: 'dock.committed',
  released: 'dock.released',
  refused: 'dock.refused',
  failed: 'dock.failed',
  pulled: 'dock.pulled',
  resumed: 'dock.resumed',
}

export type RunResult =
  /** Nothing to do now: the session is over, or waits for a person. */
  | { readonly kind: 'rests' }
  /** The station does something else with its time and comes back. */
  | { readonly kind: 'later'; readonly afterMs?: number }
  /** The camera has a session that was waiting for it. */
  | { readonly kind: 'belongsTo'; readonly sessionId: number }

/**
 * Takes a session from the state of its row as far as it goes, one step and one transaction after the other. Returns when it is over, when
 * it waits (pulled, failed), or when the station takes no writes. @throws only what leaves the database in doubt
 */
export async function runSession(context: Context): Promise<RunResult> {
  for (;;) {
    const row = await rowOf(context)
    const { step } = TABLE[row.state]
    if (step === null) return { kind: row.state === 'failed' ? 'later' : 'rests' }
    if (!context.parts.mayWrite() || stops(context)) return { kind: 'later' }
    const result = await attempt(context, row, STEPS[step])
    if (result === null) return { kind: 'later' }
    const other = await waitingSessionOf(context, row, result)
    if (other !== null) return { kind: 'belongsTo', sessionId: other }
    await advance(context, row, result)
    if (result.event === 'failed') return { kind: 'later' }
    if (result.event === 'waits') return { kind: 'later', afterMs: WAITS_MS }
  }
}

/** The station ends, and the session stays as it is. */
const stops = ({ signal }: Context): boolean => signal.aborted && !(signal.reason instanceof Pulled)

async function attempt(
  context: Context,
  row: SessionRow,
  step: (context: Context) => Promise<StepResult>,
): Promise<StepResult | null> {
  try {
    return await step(context)
  } catch (error) {
    if (stops(context) || !context.parts.mayWrite()) return null
    if (context.signal.aborted || error instanceof Pulled || !(await isThere(context)))
      return { event: 'pulled', reason: 'The camera was taken out.' }
    context.parts.log.warn({ err: error, session: context.id, state: row.state }, 'a session of the dock failed')
    return { event: 'failed', reason: (error as Error).message.toWellFormed().slice(0, 1000) }
  }
}

const isThere = async ({ volume, isPresent }: Context): Promise<boolean> => volume === null || isPresent(volume)

/** A camera that was pulled early and stands in another bay now, or came back as another volume. */
async function waitingSessionOf(
  { parts, id }: Context,
  row: SessionRow,
  { event, set }: StepResult,
): Promise<number | null> {
  // Only one that did not know its camera until now: it knows no file either.
  if (event !== 'done' || set?.camera_key === undefined || set.camera_key === row.camera_key) return null
  const waiting = await waitingSession(parts.db.read, parts.nodeId, row.tenant_id, set.camera_key)
  return waiting === undefined || waiting.session_id === id ? null : waiting.session_id
}

/** One transition: rows, the state, and the entry that says so, together. An event that has no meaning here changes nothing. */
export async function advance(
  { parts, id }: Pick<Context, 'parts' | 'id'>,
  row: SessionRow,
  { event, reason, set = {}, detail = {}, sha256, within }: StepResult,
): Promise<void> {
  const to = next(row.state, event)
  if (to === null) throw new Error(`${event} has no meaning for a session that is ${row.state}`)
  const left = to === 'failed' || to === 'pulled'
  await parts.db.transaction(async (tx) => {
    await within?.(tx)
    await updateSession(tx, id, {
      ...set,
      state: to,
      before: left ? row.state : null,
      reason: reason ?? null,
      ...(isOver(to) ? { ended: 1 } : {}),
    })
    if (to === row.state) return
    await parts.ledger.append(tx, dockCall(id), {
      action: ACTS[to] ?? 'dock.moved',
      object: sessionObject(row),
      ...(to === 'failed' ? { outcome: 'failed' as const } : {}),
      ...(reason === undefined ? {} : { reason }),
      ...(sha256 === undefined ? {} : { sha256 }),
      detail: { from: row.state, to, round: row.round, ...detail },
    })
  })
}
