/** Links by which somebody without an account looks at evidence (docs/decisions/0037). */

/** `view`: marked copies alone. `download`: the originals too. */
export const SHARE_LINK_MODES = ['view', 'download'] as const
export type ShareLinkMode = (typeof SHARE_LINK_MODES)[number]

/** `locked`: too many wrong codes, until another code is given. Expired and recalled links stay so. */
export const SHARE_LINK_STATES = ['open', 'expired', 'locked', 'recalled'] as const
export type ShareLinkState = (typeof SHARE_LINK_STATES)[number]

/** Of the marked copy of an item. `none`: there is none of files of this kind. */
export const COPY_STATES = ['none', 'making', 'ready', 'failed'] as const
export type CopyState = (typeof COPY_STATES)[number]

/** What keeps an evidence out of a new link. */
export const NOT_SHARED = ['not-found', 'no-right', 'deleted', 'restricted', 'no-file', 'at-headquarters'] as const
export type NotShared = (typeof NOT_SHARED)[number]

export const MOST_SHARED = 100
export const MOST_DAYS = 90
export const USUAL_DAYS = 7
export const CODE_DIGITS = 8
export const WRONG_CODES = 5
/** Of a guest, from the code on. */
export const SESSION_MS = 2 * 3_600_000

/** The page of guests. The token stands behind it, in the fragment, which browsers send to nobody. */
export const GUEST_PAGE = '/link'

export const DAY_MS = 86_400_000

interface LinkTimes {
  readonly expires_utc: string
  readonly locked_utc: string | null
  readonly recalled_utc: string | null
}

/** What ended it first counts: a recalled link is not expired later. */
export function stateOf({ expires_utc, locked_utc, recalled_utc }: LinkTimes, now: number): ShareLinkState {
  if (recalled_utc !== null) return 'recalled'
  if (locked_utc !== null) return 'locked'
  return Date.parse(expires_utc) <= now ? 'expired' : 'open'
}
