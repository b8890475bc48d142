/** What the ledger says that happened, in words for people. */
import type { Action } from '../../../../../shared/kernel/ledger-actions.ts'
import { kindOfRole, labelOf } from '../../../../../shared/media/derivations.ts'
import { person } from '../../../../ui/format/format.ts'
import type { Format } from '../../../../ui/format/use-format.tsx'
import type { IconName } from '../../../../ui/icon/icon.tsx'
import type { Entry } from '../queries.ts'
import type { Words } from '../stage/work.ts'
import { visible } from '../text/visible.ts'

/** Every action of the ledger and the key of its words: the part behind `act` is its name without dots. */
export const ACT_ICONS = {
  'evidence.created': 'plus',
  'evidence.read': 'eye',
  'evidence.changed': 'edit',
  'evidence.filled': 'edit',
  'evidence.completed': 'check',
  'resource.created': 'upload',
  'resource.read': 'eye',
  'resource.listed': 'eye',
  'resource.completed': 'fixity',
  'resource.refused': 'attention',
  'resource.inspected': 'search',
  'resource.timed': 'clock',
  'resource.differs': 'attention',
  'resource.downloaded': 'download',
  'resource.played.started': 'play',
  'resource.played.ended': 'play',
  'resource.previewed': 'eye',
  'resource.thumbnail': 'eye',
  'still.taken': 'still',
  'clip.requested': 'clip',
  'clip.created': 'clip',
  'clip.failed': 'attention',
  'picture.cropped': 'crop',
  'bookmark.read': 'eye',
  'bookmark.added': 'flag',
  'bookmark.changed': 'edit',
  'bookmark.deleted': 'trash',
  'note.read': 'eye',
  'note.added': 'note',
  'note.changed': 'edit',
  'note.deleted': 'trash',
  'captions.added': 'captions',
  'captions.removed': 'captions',
  'captions.restored': 'captions',
  'captions.read': 'eye',
  'list.exportStarted': 'download',
  'list.exported': 'download',
  'notice.listed': 'eye',
  'notice.seen': 'check',
  'notice.chosen': 'bell',
  'check.requested': 'fixity',
  'resource.checked': 'ok',
  'derivation.added': 'plus',
  'derivation.failed': 'attention',
  'upload.renewed': 'refresh',
  'upload.committed': 'upload',
  'upload.refused': 'attention',
  'upload.purged': 'trash',
  'quarantine.approved': 'barred',
  'quarantine.kept': 'barred',
  'quarantine.returned': 'barred',
  'quarantine.destroyed': 'barred',
  'quarantine.added': 'barred',
  'tenant.created': 'plus',
  'user.created': 'user',
  'group.created': 'user',
  'service.created': 'key',
  'token.issued': 'key',
  'token.refused': 'barred',
  'user.read': 'eye',
  'user.locked': 'lock',
  'setup.refused': 'barred',
  'session.opened': 'unlock',
  'session.refused': 'barred',
  'session.locked': 'lock',
  'session.unlocked': 'unlock',
  'session.closed': 'sign-out',
  'session.ended': 'sign-out',
  'dock.detected': 'plus',
  'dock.moved': 'refresh',
  'dock.fileHere': 'fixity',
  'dock.fileFailed': 'attention',
  'dock.committed': 'check',
  'dock.fileCleared': 'trash',
  'dock.released': 'ok',
  'dock.failed': 'attention',
  'dock.pulled': 'attention',
  'dock.resumed': 'retry',
  'dock.refused': 'barred',
  'dock.read': 'eye',
  'dock.receiptRead': 'eye',
  'job.read': 'eye',
  'job.cancelled': 'x',
  'job.retried': 'retry',
  'list.read': 'eye',
  'search.made': 'search',
  'savedSearch.created': 'plus',
  'savedSearch.changed': 'edit',
  'savedSearch.deleted': 'trash',
  'metrics.read': 'eye',
  'access.denied': 'barred',
  'answer.repeated': 'retry',
  'station.started': 'disk',
  'station.stopped': 'disk',
  'station.readOnly': 'lock',
  'station.moved': 'disk',
  'station.warningWaived': 'attention',
  'station.waiverTakenBack': 'undo',
  'station.checklistChanged': 'list',
  'system.recovered': 'refresh',
  'rows.changed': 'refresh',
  'system.rowsRecorded': 'fixity',
  'clock.jumped': 'clock',
  'ledger.accepted': 'attention',
  'ledger.read': 'eye',
  'ledger.verified': 'fixity',
  'custody.verified': 'fixity',
  'fixity.checked': 'fixity',
  'checkpoint.signed': 'sealed',
  'key.created': 'key',
  'key.rotated': 'key',
  'evidence.history': 'eye',
  'evidence.extended': 'plus',
  'evidence.protected': 'sealed',
  'evidence.unprotected': 'unlock',
  'evidence.deleted': 'trash',
  'evidence.restored': 'undo',
  'evidence.moved': 'link',
  'evidence.duplicates': 'eye',
  'tenantKey.created': 'key',
  'tenantKey.read': 'eye',
  'tenantKey.rotated': 'key',
  'tenantKey.forgotten': 'trash',
  'evidence.linked': 'link',
  'evidence.unlinked': 'unplug',
  'evidence.confirmed': 'check',
  'evidence.relations': 'eye',
  'case.created': 'plus',
  'case.read': 'eye',
  'case.changed': 'edit',
  'case.closed': 'lock',
  'case.reopened': 'unlock',
  'case.linked': 'link',
  'case.shared': 'share',
  'case.protected': 'sealed',
  'case.unprotected': 'unlock',
  'case.deleted': 'trash',
  'case.restored': 'undo',
  'case.history': 'eye',
  'case.followed': 'flag',
  'case.handedOver': 'admin',
  'case.unfollowed': 'flag',
  'category.created': 'plus',
  'category.read': 'eye',
  'category.changed': 'edit',
  'template.changed': 'edit',
  'department.created': 'plus',
  'department.read': 'eye',
  'department.changed': 'edit',
  'department.history': 'eye',
  'department.nameChecked': 'search',
  'department.defaultAssigned': 'check',
  'department.defaultRemoved': 'minus',
  'prefilledField.created': 'plus',
  'prefilledField.changed': 'edit',
  'prefilledField.deleted': 'trash',
  'authorization.given': 'key',
  'authorization.declined': 'barred',
  'authorization.ended': 'sign-out',
  'user.changed': 'edit',
  'user.disabled': 'barred',
  'account.controlEnded': 'check',
  'account.settlingTimeChanged': 'clock',
  'user.contained': 'barred',
  'user.enabled': 'check',
  'user.unlocked': 'unlock',
  'user.passwordReset': 'key',
  'group.renamed': 'edit',
  'group.membersChanged': 'user',
  'group.deleted': 'trash',
  'service.keyRotated': 'key',
  'service.apiKeyRotated': 'key',
  'service.disabled': 'barred',
  'service.enabled': 'check',
  'policy.changed': 'settings',
  'session.listed': 'eye',
  'service.keyRegistered': 'key',
  'session.secondStepAsked': 'key',
  'secondStep.begun': 'key',
  'secondStep.enabled': 'lock',
  'secondStep.disabled': 'unlock',
  'secondStep.codesRenewed': 'refresh',
  'secondStep.recoveryUsed': 'key',
  'secondStep.reset': 'undo',
  'evidence.destroyed': 'trash',
  'disposition.queued': 'clock',
  'disposition.previewed': 'eye',
  'disposition.approved': 'check',
  'disposition.kept': 'undo',
  'disposition.returned': 'undo',
  'disposition.binned': 'trash',
  'certificate.read': 'eye',
  'link.settled': 'check',
  'link.reassessed': 'refresh',
  'link.refused': 'barred',
  'review.asked': 'attention',
  'review.settled': 'check',
  'correlation.read': 'eye',
  'correlation.rulesChanged': 'settings',
  'board.shiftsChanged': 'settings',
  'cad.received': 'download',
  'cad.retried': 'refresh',
  'cad.refused': 'attention',
  'cad.read': 'eye',
  'cad.searched': 'search',
  'cad.messageRead': 'eye',
  'cad.previewed': 'eye',
  'cad.mappingChanged': 'settings',
  'service.apiKeyMade': 'key',
  'service.apiKeyRevoked': 'barred',
  'service.originsChanged': 'settings',
  'retention.previewed': 'eye',
  'sourcePolicy.created': 'plus',
  'sourcePolicy.changed': 'edit',
  'sourcePolicy.deleted': 'trash',
  'fixity.runStarted': 'play',
  'fixity.runCancelled': 'x',
  'fixity.runEnded': 'fixity',
  'alarm.raised': 'danger',
  'alarm.acknowledged': 'check',
  'checkpoint.targetAdded': 'plus',
  'checkpoint.targetRemoved': 'minus',
  'checkpoint.copied': 'copy',
  'checkpoint.notCopied': 'attention',
  'checkpoint.received': 'sealed',
  'checkpoint.refused': 'barred',
  'checkpoint.accepted': 'undo',
  'checkpoint.asked': 'eye',
  'backup.targetAdded': 'plus',
  'backup.targetRemoved': 'minus',
  'backup.asked': 'disk',
  'backup.made': 'disk',
  'backup.failed': 'attention',
  'backup.drilled': 'fixity',
  'station.restored': 'undo',
  'keeping.read': 'eye',
  'passkey.begun': 'key',
  'passkey.added': 'key',
  'passkey.removed': 'minus',
  'passkey.refused': 'barred',
  'passkey.reset': 'undo',
  'user.passwordChanged': 'key',
  'evidence.attributed': 'user',
  'lan.read': 'eye',
  'lan.changed': 'settings',
  'lan.caMade': 'key',
  'lan.certificateMade': 'key',
  'lan.disconnected': 'barred',
  'device.added': 'plus',
  'device.read': 'eye',
  'device.changed': 'edit',
  'device.activated': 'check',
  'device.deactivated': 'barred',
  'device.seen': 'eye',
  'device.credentialsRead': 'key',
  'device.credentialsFailed': 'attention',
  'device.negotiated': 'refresh',
  'device.configured': 'settings',
  'device.configurationRejected': 'attention',
  'device.configurationRead': 'eye',
  'device.configurationSet': 'settings',
  'device.associationsRead': 'eye',
  'device.associated': 'user',
  'device.associationChanged': 'edit',
  'device.associationRemoved': 'minus',
  'device.associationConfirmed': 'check',
  'headquarters.imported': 'link',
  'headquarters.removed': 'minus',
  'headquarters.rulesChanged': 'settings',
  'headquarters.tested': 'refresh',
  'headquarters.refusedStation': 'barred',
  'headquarters.read': 'eye',
  'forwarding.requested': 'upload',
  'forwarding.retried': 'retry',
  'forwarding.failed': 'attention',
  'forwarding.questionAsked': 'attention',
  'forwarding.questionSettled': 'check',
  'forwarding.custodyVerified': 'fixity',
  'evidence.forwarded': 'upload',
  'evidence.forwardingRead': 'eye',
  'resource.forwarded': 'sealed',
  'resource.cleared': 'minus',
  'resource.fetchRequested': 'download',
  'resource.fetched': 'download',
} as const satisfies Readonly<Record<Action, IconName>>

type Known = keyof typeof ACT_ICONS
type Joined<Name extends string> = Name extends `${infer Head}.${infer Rest}`
  ? `${Capitalize<Head>}${Joined<Rest>}`
  : Capitalize<Name>
export type ActKey = `act${Joined<Known>}`

const known = (action: string): action is Known => Object.hasOwn(ACT_ICONS, action)

export const actKey = (action: Known): ActKey =>
  `act${action
    .split('.')
    .map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}`)
    .join('')}` as ActKey

export const actIcon = ({ Action, Outcome }: Entry): IconName => {
  if (Outcome === 'denied') return 'barred'
  if (Outcome === 'failed') return 'attention'
  return known(Action) ? ACT_ICONS[Action] : 'info'
}

const RESULTS = { matches: 'checkedMatches', changed: 'checkedChanged', missing: 'checkedMissing' } as const

const pick = <Table extends Readonly<Record<string, string>>>(table: Table, key: unknown): Table[keyof Table] | null =>
  typeof key === 'string' && Object.hasOwn(table, key) ? (table[key as keyof Table] as Table[keyof Table]) : null

/** What was done. An action that nobody put into words is called as the ledger calls it. */
export function actWords({ Action, Detail, Outcome }: Entry, t: Words, format: Format): string {
  const detail = Detail ?? {}
  if (Action === 'resource.checked') {
    const result = pick(RESULTS, detail['result'])
    if (result !== null) return t(result)
  }
  const derived = kindOfRole(String(detail['role'] ?? detail['view']))
  if (derived !== null && Action === 'derivation.added') return t('derivedWhat', { what: t(labelOf(derived)) })
  if (derived !== null && Action === 'resource.previewed') return t('viewedWhat', { what: t(labelOf(derived)) })
  if (Action.startsWith('bookmark.') && known(Action) && typeof detail['seconds'] === 'number')
    return t('bookmarkActAt', { act: t(actKey(Action)), position: format.position(detail['seconds']) })
  if (Action === 'still.taken' && typeof detail['seconds'] === 'number')
    return t('stillTakenAt', { position: format.position(detail['seconds']) })
  if (Action === 'clip.created' && typeof detail['from'] === 'number' && typeof detail['to'] === 'number')
    return t('clipCreatedRange', { from: format.position(detail['from']), to: format.position(detail['to']) })
  if (Action === 'clip.requested' && Array.isArray(detail['ranges']))
    return t('clipsAskedCount', { count: detail['ranges'].length })
  if (Action === 'custody.verified' && Outcome === 'failed') return t('custodyFoundBad')
  return known(Action) ? t(actKey(Action)) : Action
}

/** What users among the actors are called today, by id. */
export type People = ReadonlyMap<string, { readonly FirstName: string; readonly LastName: string }>

/** Who acted: a person by name, everything else by what it is. */
export function actorOf({ Actor }: Pick<Entry, 'Actor'>, people: People, t: Words): string {
  const name = visible(Actor.Name)
  if (Actor.Kind === 'internal' || Actor.Name === '') return t('station')
  if (Actor.Kind === 'cli') return t('actorCommandLine', { name: name.replace(/^cli:/, '') })
  if (Actor.Kind === 'service') return t('actorService', { name })
  if (Actor.Kind === 'anonymous') return t('actorAnonymous')
  const named = people.get(Actor.Id)
  return visible(person({ Username: Actor.Name, ...(Actor.Kind === 'user' ? named : undefined) }))
}

/** The account, where the actor is called something else. */
export const accountOf = ({ Actor }: Pick<Entry, 'Actor'>, t: Words): string | undefined =>
  Actor.Kind === 'user' && Actor.Name !== '' ? t('actorAccount', { name: visible(Actor.Name) }) : undefined

/** The file it was done with, and the figure that tells most. */
export function actDetail(entry: Entry, t: Words, format: Format): string {
  const { Bytes, Detail, Object: object, Reason, Outcome } = entry
  const detail = Detail ?? {}
  const seconds = detail['seconds']
  return [
    ...(object.Type === 'resource' && object.Name !== '' ? [visible(object.Name)] : []),
    ...(entry.Action === 'resource.played.ended' && typeof seconds === 'number' ? [format.duration(seconds)] : []),
    ...(Bytes !== null && Bytes > 0 ? [format.bytes(Bytes)] : []),
    ...(Outcome !== 'ok' ? [t(Outcome === 'denied' ? 'outcomeDenied' : 'outcomeFailed')] : []),
    ...(Reason === null ? [] : [visible(Reason)]),
  ].join(' · ')
}
