/** What the station tells people of by itself, and how each of them wants to hear of it. */

const MINUTE = 60_000

/**
 * `withinMs`: what happens to the same thing so soon after the first time is told by one notice with a count. `again`: whoever has seen
 * that notice is told once more; else it only counts on, since what goes wrong every few seconds must not ring every few seconds.
 */
interface Gathering {
  readonly withinMs: number
  readonly again: boolean
}

export const NOTICE_KINDS = [
  'camera.failed',
  'camera.differs',
  'fixity.alarm',
  'cad.unreadable',
  'cad.withoutDepartment',
  'account.controlEnded',
  'case.orphaned',
  'account.locked',
  'account.contained',
  'case.shared',
  'case.changed',
] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]

/** Null: each is a notice of its own. */
export const GATHERED: Readonly<Record<NoticeKind, Gathering | null>> = {
  // The dock tries a camera again every quarter of a minute, for as long as it stands there.
  'camera.failed': { withinMs: 24 * 60 * MINUTE, again: false },
  // Of one docking one notice, which names the first file and counts the others.
  'camera.differs': { withinMs: 24 * 60 * MINUTE, again: false },
  'fixity.alarm': { withinMs: 60 * MINUTE, again: true },
  'cad.unreadable': { withinMs: 60 * MINUTE, again: false },
  'cad.withoutDepartment': null,
  'account.controlEnded': null,
  'case.orphaned': null,
  // Whoever tries passwords all day must not fill everybody's list.
  'account.locked': { withinMs: 60 * MINUTE, again: false },
  'account.contained': null,
  'case.shared': null,
  'case.changed': { withinMs: 10 * MINUTE, again: true },
}

/** `system`: in the app, and as a notification of the system or the browser. */
export const NOTICE_WAYS = ['none', 'app', 'system'] as const
export type NoticeWay = (typeof NOTICE_WAYS)[number]

/** For whoever chose nothing: the system tells of what waits for somebody now. */
export const USUAL_WAY: Readonly<Record<NoticeKind, NoticeWay>> = {
  'camera.failed': 'system',
  'camera.differs': 'app',
  'fixity.alarm': 'system',
  'cad.unreadable': 'system',
  'cad.withoutDepartment': 'app',
  'account.controlEnded': 'app',
  'case.orphaned': 'app',
  'account.locked': 'system',
  'account.contained': 'system',
  'case.shared': 'app',
  'case.changed': 'app',
}

/** What somebody is needed for now, shown over whatever page they are at. */
export const URGENT: ReadonlySet<string> = new Set<NoticeKind>(['camera.failed', 'fixity.alarm'])

export const isNoticeKind = (kind: string): kind is NoticeKind => (NOTICE_KINDS as readonly string[]).includes(kind)
