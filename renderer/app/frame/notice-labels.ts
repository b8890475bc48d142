import type { Translate } from '../../client/translate.ts'
import type { Notice } from '../../client/notices.ts'
import { visible } from '../../ui/format/visible.ts'

type Words = Translate<'notices'>

interface Said {
  readonly said: string
  /** What the link says, where the object has no name to show. */
  readonly leads?: string
}

const OF_NOTES: ReadonlySet<string> = new Set(['note.added', 'note.changed', 'note.deleted'])
const BY_PEOPLE = {
  'case.closed': 'closed',
  'case.reopened': 'reopened',
  'case.linked': 'linked',
  'case.shared': 'accessChanged',
  'case.protected': 'sealed',
  'case.unprotected': 'unsealed',
  'case.restored': 'restored',
} as const

/** What happened, up to the name of what it happened to. */
export function saidBy(notice: Notice, t: Words): Said {
  const gone = notice.Object.Name === null
  const by = visible(notice.CreatedBy?.Name ?? '')
  switch (notice.Kind) {
    case 'case.shared':
      return { said: gone ? t('sharedGone') : t('shared', { by }) }
    case 'case.changed':
      return { said: gone ? t('changedGone') : changed(notice, by, t) }
    case 'cad.withoutDepartment':
      return { said: t('withoutDepartment') }
    case 'account.controlEnded':
      return { said: t(gone ? 'controlEndedGone' : 'controlEnded') }
    case 'case.orphaned':
      return { said: t('caseOrphaned') }
    case 'camera.failed':
      return gone ? { said: t('cameraFailedOwn'), leads: t('toDock') } : { said: t('cameraFailed') }
    case 'camera.differs':
      return gone ? { said: t('cameraDiffersOwn'), leads: t('toDock') } : { said: t('cameraDiffers') }
    case 'fixity.alarm':
      return gone ? { said: t('alarmGone') } : { said: t('alarm'), leads: t('toAlarms') }
    case 'cad.unreadable':
      return { said: t(gone ? 'unreadableGone' : 'unreadable') }
    case 'account.locked':
      return { said: t(gone ? 'accountLockedGone' : 'accountLocked') }
    case 'account.contained':
      return { said: gone ? t('accountContainedGone') : t('accountContained', { by }) }
    default:
      return { said: notice.Kind }
  }
}

function changed({ Act: act, CreatedBy }: Notice, by: string, t: Words): string {
  if (CreatedBy?.PrincipalType === 'internal')
    return t(
      act === 'case.linked' ? 'linkedByStation' : act === 'case.unprotected' ? 'unsealedByStation' : 'changedByStation',
    )
  if (act !== null && OF_NOTES.has(act)) return t('noted', { by })
  return t(act !== null && Object.hasOwn(BY_PEOPLE, act) ? BY_PEOPLE[act as keyof typeof BY_PEOPLE] : 'changed', { by })
}
