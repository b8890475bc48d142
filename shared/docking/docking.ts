/** The states of a camera in its bay, and what became of each of its files. Their order is the order in which a session goes through them. */
export const DOCK_STATES = [
  'detected',
  'identified',
  'negotiated',
  'listed',
  'copying',
  'verifying',
  'committed',
  'cleared',
  'released',
  'failed',
  'pulled',
  'resumed',
  'refused',
] as const
export type DockState = (typeof DOCK_STATES)[number]

/**
 * `taken`: copied now. `here`: the station has it of this camera from an earlier session. `foreign`: no file of a camera; it
 * is listed and left where it is. `gone`: it was listed and is not there any more.
 */
export const FILE_OUTCOMES = ['listed', 'taken', 'here', 'foreign', 'failed', 'gone'] as const
export type FileOutcome = (typeof FILE_OUTCOMES)[number]

/** What sessions of a folder that is watched say instead of a camera's profile. */
export const WATCHED_PROFILE = 'watched-folder'

/** With what the key begins by which sessions of a folder that is watched are known. */
export const WATCHED_KEY = 'filesystem:watched:'

/** When a camera is cleared of what the station has. */
export type ClearRule =
  | { readonly kind: 'never' }
  | { readonly kind: 'at-once' }
  /** Of a folder that is watched: what the station has is put aside in it, and nothing is removed. */
  | { readonly kind: 'move' }
  /** So many days after a file was taken in, at the next docking. */
  | { readonly kind: 'after'; readonly days: number }

/** `never`, `at-once`, `move`, or a number of days from 1 to 9999. @returns null for anything else */
export function readClearRule(text: string): ClearRule | null {
  if (text === 'never' || text === 'at-once' || text === 'move') return { kind: text }
  if (!/^[1-9]\d{0,3}$/.test(text)) return null
  return { kind: 'after', days: Number(text) }
}

export const clearRuleText = (rule: ClearRule): string => (rule.kind === 'after' ? String(rule.days) : rule.kind)

/** What becomes of a recording by itself: its category, and the department whose people may see it. The first rule that fits decides. */
export interface DockRule {
  readonly when: {
    readonly profile?: string | undefined
    readonly deviceType?: string | undefined
    /** One whose policies name the officer who had the camera when it recorded, or a group of theirs. */
    readonly officerDepartment?: string | undefined
    /** A folder that is watched, by its whole path. */
    readonly folder?: string | undefined
  }
  /** By name, as are departments. */
  readonly category?: string | undefined
  readonly department?: string | undefined
}
