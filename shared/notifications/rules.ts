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
  /** What happened, in the OpenAPI document. */
  readonly description: string
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
    description: 'the dock could not go on with a camera',
    gathered: { withinMs: 24 * 60 * MINUTE, again: false },
    usualWay: 'system',
    urgent: true,
    words: 'Camera',
    icon: 'danger',
  },
  // Of one docking one notice, which names the first file and counts the others.
  'camera.differs': {
    description: 'a file of a camera differs from the camera’s own list',
    gathered: { withinMs: 24 * 60 * MINUTE, again: false },
    usualWay: 'app',
    words: 'Differs',
    icon: 'attention',
  },
  'fixity.alarm': {
    description: 'the station raised an alarm about what it keeps',
    gathered: { withinMs: 60 * MINUTE, again: true },
    usualWay: 'system',
    urgent: true,
    only: 'administrators',
    words: 'Alarm',
    icon: 'danger',
  },
  'cad.unreadable': {
    description: 'messages of dispatch could not be taken',
    gathered: { withinMs: 60 * MINUTE, again: false },
    usualWay: 'system',
    only: 'configuration',
    words: 'Unreadable',
    icon: 'attention',
  },
  'cad.withoutDepartment': {
    description: 'a case of dispatch got no department',
    gathered: null,
    usualWay: 'app',
    only: 'administrators',
    words: 'WithoutDepartment',
    icon: 'attention',
  },
  'account.controlEnded': {
    description: 'whoever created or reset an account controls it no longer',
    gathered: null,
    usualWay: 'app',
    only: 'administrators',
    words: 'ControlEnded',
    icon: 'key',
  },
  'case.orphaned': {
    description: 'a case went to Account Administrators, since the last person with Manage was disabled',
    gathered: null,
    usualWay: 'app',
    only: 'administrators',
    words: 'Orphaned',
    icon: 'attention',
  },
  // Whoever tries passwords all day must not fill everybody's list.
  'account.locked': {
    description:
      'wrong passwords locked an account for the second time within 24 hours, or until an administrator releases it',
    gathered: { withinMs: 60 * MINUTE, again: false },
    usualWay: 'system',
    only: 'administrators',
    words: 'AccountLocked',
    icon: 'lock',
  },
  'account.contained': {
    description: 'an administrator ended everything by which an account is used',
    gathered: null,
    usualWay: 'system',
    only: 'administrators',
    words: 'AccountContained',
    icon: 'barred',
  },
  'case.shared': {
    description: 'somebody shared a case with the person',
    gathered: null,
    usualWay: 'app',
    words: 'Shared',
    icon: 'share',
  },
  'note.mentioned': {
    description: 'somebody named the person in a note on a case or an evidence',
    gathered: null,
    usualWay: 'app',
    words: 'Mentioned',
    icon: 'note',
  },
  'task.assigned': {
    description: 'somebody gave the person a task on a case',
    gathered: null,
    usualWay: 'app',
    words: 'TaskAssigned',
    icon: 'check',
  },
  'task.due': {
    description: 'a task of the person is due today, or was before',
    gathered: null,
    usualWay: 'app',
    words: 'TaskDue',
    icon: 'clock',
  },
  'task.done': {
    description: 'somebody did a task that the person added',
    gathered: null,
    usualWay: 'app',
    words: 'TaskDone',
    icon: 'check',
  },
  'shareLink.locked': {
    description: 'wrong codes locked a link that the person made',
    gathered: null,
    usualWay: 'system',
    words: 'LinkLocked',
    icon: 'lock',
  },
  'search.found': {
    description: 'something new is in a saved search of the person that tells of it',
    gathered: { withinMs: 60 * MINUTE, again: true },
    usualWay: 'app',
    words: 'Found',
    icon: 'search',
  },
  'access.requested': {
    description: 'somebody asks for access to a case that the person manages',
    gathered: null,
    usualWay: 'app',
    words: 'AccessRequested',
    icon: 'key',
  },
  'access.declined': {
    description: 'a request of the person for access to a case was declined',
    gathered: null,
    usualWay: 'app',
    words: 'AccessDeclined',
    icon: 'barred',
  },
  // A handover goes on in steps of fifty cases: of one person it is told once.
  'case.received': {
    description: 'cases of another person were handed over to the person',
    gathered: { withinMs: 60 * MINUTE, again: false },
    usualWay: 'app',
    words: 'Received',
    icon: 'share',
  },
  'case.handedOver': {
    description: 'the cases of the person were handed over to another',
    gathered: { withinMs: 60 * MINUTE, again: false },
    usualWay: 'app',
    words: 'HandedOver',
    icon: 'share',
  },
  'case.changed': {
    description: 'somebody changed a case that the person follows',
    gathered: { withinMs: 10 * MINUTE, again: true },
    usualWay: 'app',
    words: 'Changed',
    icon: 'flag',
  },
  // Evidence comes into a case one after the other: of a case it is told once a day.
  'disclosure.due': {
    description: 'a supplement is due to a recipient to whom the person disclosed',
    gathered: { withinMs: 24 * 60 * MINUTE, again: false },
    usualWay: 'app',
    words: 'DisclosureDue',
    icon: 'attention',
  },
  'disclosure.acknowledged': {
    description: 'somebody recorded that a disclosure of the person was acknowledged',
    gathered: null,
    usualWay: 'app',
    words: 'DisclosureAcknowledged',
    icon: 'check',
  },
  'disclosure.proposed': {
    description: 'a disclosure of a case that the person manages waits for a second person',
    gathered: null,
    usualWay: 'app',
    words: 'DisclosureProposed',
    icon: 'clock',
  },
  'disclosure.approved': {
    description: 'a second person approved a disclosure that the person proposed',
    gathered: null,
    usualWay: 'app',
    words: 'DisclosureApproved',
    icon: 'check',
  },
  'disclosure.refused': {
    description: 'a second person refused a disclosure that the person proposed',
    gathered: null,
    usualWay: 'app',
    words: 'DisclosureRefused',
    icon: 'barred',
  },
  'disclosure.requestDue': {
    description: 'the day of a request for disclosure that the person recorded is near',
    gathered: null,
    usualWay: 'app',
    words: 'DisclosureRequestDue',
    icon: 'clock',
  },
} as const satisfies Readonly<Record<string, NoticeRule>>

export type NoticeKind = keyof typeof NOTICES
export const NOTICE_KINDS = Object.keys(NOTICES) as NoticeKind[]
export const isNoticeKind = (kind: string): kind is NoticeKind => Object.hasOwn(NOTICES, kind)
export const ruleOf = (kind: NoticeKind): NoticeRule => NOTICES[kind]
