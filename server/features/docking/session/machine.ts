import type { DockState } from '../../../../shared/docking/docking.ts'

/** The step of a state. Every step can be repeated: it works on rows and finds there what was done before. */
export type Step = 'identify' | 'negotiate' | 'list' | 'admit' | 'copy' | 'verify' | 'clear' | 'release'

export type DockEvent =
  /** The step is complete. */
  | 'done'
  /** A volume without a camera on it. */
  | 'notACamera'
  /** Another camera stands in the place of the one that was pulled. */
  | 'otherCamera'
  /** Some files are not in the store as they were taken. They are copied again. */
  | 'copyAgain'
  /** It waits for something else than the camera, such as the volume of the second copies. It is tried again. */
  | 'waits'
  /** The step failed while the camera was there. It is tried again. */
  | 'failed'
  | 'tryAgain'
  /** The volume is not there any more. */
  | 'pulled'
  | 'reinserted'
  /** The station came up and finds the session as an earlier run left it. */
  | 'restarted'

export interface StateRow {
  readonly step: Step | null
  readonly on: Readonly<Partial<Record<DockEvent, DockState>>>
}

/** From every state in which the camera still holds something that the station does not. */
const WAYS_OUT = { failed: 'failed', pulled: 'pulled', restarted: 'pulled' } as const

/**
 * A session from the plug to *safe to take*. Files leave the camera in one place alone, the step `clear`, and the only way there leads
 * through `verifying` (promise I6). Once it is committed everything is safe: the camera may go, and the session ends without it.
 */
export const TABLE: Readonly<Record<DockState, StateRow>> = {
  detected: { step: 'identify', on: { done: 'identified', notACamera: 'refused', ...WAYS_OUT } },
  identified: { step: 'negotiate', on: { done: 'negotiated', ...WAYS_OUT } },
  negotiated: { step: 'list', on: { done: 'listed', ...WAYS_OUT } },
  listed: { step: 'admit', on: { done: 'copying', ...WAYS_OUT } },
  copying: { step: 'copy', on: { done: 'verifying', ...WAYS_OUT } },
  verifying: { step: 'verify', on: { done: 'committed', copyAgain: 'copying', waits: 'verifying', ...WAYS_OUT } },
  committed: { step: 'clear', on: { done: 'cleared', pulled: 'committed', restarted: 'committed', failed: 'cleared' } },
  cleared: { step: 'release', on: { done: 'released', pulled: 'cleared', restarted: 'cleared', failed: 'cleared' } },
  released: { step: null, on: {} },
  failed: { step: null, on: { tryAgain: 'resumed', pulled: 'pulled', restarted: 'pulled' } },
  pulled: { step: null, on: { reinserted: 'resumed', restarted: 'pulled' } },
  resumed: { step: 'identify', on: { done: 'identified', notACamera: 'pulled', otherCamera: 'pulled', ...WAYS_OUT } },
  refused: { step: null, on: {} },
}

/** @returns null where the event has no meaning in this state: then nothing happens */
export const next = (state: DockState, event: DockEvent): DockState | null => TABLE[state].on[event] ?? null

/** Nothing more happens to it. */
export const isOver = (state: DockState): boolean => Object.keys(TABLE[state].on).length === 0

/** Everything that the station could take is durable, read back and in the ledger: the camera may go. */
export const isSafe = (state: DockState): boolean =>
  state === 'committed' || state === 'cleared' || state === 'released'
