/** What the station tells people of by itself, one entry a kind, and how each of them wants to hear of it. */

const MINUTE = 60_000

/** `system`: in the app, and as a notification of the system or the browser. */
export const NOTICE_WAYS = ['none', 'app', 'system'] as const
export type NoticeWay = (typeof NOTICE_WAYS)[number]

/**
 * `withinMs`: what happens to the same thing so soon after the first time is told by one notice with a count. `again`: whoever has seen
 * that notice is told once more; else it only counts on, since what goes wrong every few seconds must not ring every few seconds.
 */
interface Gathering {
  readonly withinMs: number
  readonly again: boolean
}

interface NoticeRule {
  /** Null: each is a notice of its own. */
  readonly gathered: Gathering | null
  /** For whoever chose nothing: the system tells of what waits for somebody now. */
  readonly usualWay: NoticeWay
  /** Somebody is needed for it now: it is shown over whatever page they are at. */
  readonly urgent?: true
  /** Who alone can be told of it. */
  readonly only?: 'administrators' | 'configuration'
  /** Of the catalogue: `notice…` and `notice…Gone`, for who cannot view the object, say it; `alert…` tells it without names; `kind…` and `kind…What` stand at the choice. */
  readonly words: string
  /** One of `renderer/ui/icon`. */
  readonly icon: string
}

export const NOTICES = {
  // The dock tries a camera again every quarter of a minute, for as long as it stands there.
  'camera.failed': {
    gathered: { withinMs: 24 * 60 * MINUTE, again: false },
    usualWay: 'system',
    urgent: true,
    words: 'Camera',
    icon: 'danger',
  },
  // Of one docking one notice, which names the first file and counts the others.
  'camera.differs': {
    gathered: { withinMs: 24 * 60 * MINUTE, again: false },
    usualWay: 'app',
    words: 'Differs',
    icon: 'attention',
  },
  'fixity.alarm': {
    gathered: { withinMs: 60 * MINUTE, again: true },
    usualWay: 'system',
    urgent: true,
    only: 'administrators',
    words: 'Alarm',
    icon: 'danger',
  },
  'cad.unreadable': {
    gathered: { withinMs: 60 * MINUTE, again: false },
    usualWay: 'system',
    only: 'configuration',
    words: 'Unreadable',
    icon: 'attention',
  },
  'cad.withoutDepartment': {
    gathered: null,
    usualWay: 'app',
    only: 'administrators',
    words: 'WithoutDepartment',
    icon: 'attention',
  },
  'account.controlEnded': {
    gathered: null,
    usualWay: 'app',
    only: 'administrators',
    words: 'ControlEnded',
    icon: 'key',
  },
  'case.orphaned': {
    gathered: null,
    usualWay: 'app',
    only: 'administrators',
    words: 'Orphaned',
    icon: 'attention',
  },
  // Whoever tries passwords all day must not fill everybody's list.
  'account.locked': {
    gathered: { withinMs: 60 * MINUTE, again: false },
    usualWay: 'system',
    only: 'administrators',
    words: 'AccountLocked',
    icon: 'lock',
  },
  'account.contained': {
    gathered: null,
    usualWay: 'system',
    only: 'administrators',
    words: 'AccountContained',
    icon: 'barred',
  },
  'case.shared': { gathered: null, usualWay: 'app', words: 'Shared', icon: 'share' },
  'case.changed': {
    gathered: { withinMs: 10 * MINUTE, again: true },
    usualWay: 'app',
    words: 'Changed',
    icon: 'flag',
  },
} as const satisfies Readonly<Record<string, NoticeRule>>

export type NoticeKind = keyof typeof NOTICES
export const NOTICE_KINDS = Object.keys(NOTICES) as NoticeKind[]
export const isNoticeKind = (kind: string): kind is NoticeKind => Object.hasOwn(NOTICES, kind)
export const ruleOf = (kind: NoticeKind): NoticeRule => NOTICES[kind]
