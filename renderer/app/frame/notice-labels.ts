import { isNoticeKind, NOTICES, type NoticeKind } from '../../../shared/notifications/rules.ts'
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
  const { Kind: kind, Object: object, CreatedBy } = notice
  if (!isNoticeKind(kind)) return { said: kind }
  const { words } = NOTICES[kind]
  const by = visible(CreatedBy?.Name ?? '')
  if (object.Name === null) return { said: t(`notice${words}Gone`), ...leadsWithoutName(kind, object.Type, t) }
  if (kind === 'case.changed') return { said: changed(notice, by, t) }
  return { said: t(`notice${words}`, { by }), ...(object.Type === 'station' ? { leads: t('toAlarms') } : {}) }
}

/** Where there is something to see though the object may not be viewed. */
function leadsWithoutName(kind: NoticeKind, type: string, t: Words): Pick<Said, 'leads'> {
  if (type === 'dockSession') return { leads: t('toDock') }
  return kind === 'access.declined' ? { leads: t('toRequest') } : {}
}

function changed({ Act: act, CreatedBy }: Notice, by: string, t: Words): string {
  if (CreatedBy?.PrincipalType === 'internal')
    return t(
      act === 'case.linked' ? 'linkedByStation' : act === 'case.unprotected' ? 'unsealedByStation' : 'changedByStation',
    )
  if (act !== null && OF_NOTES.has(act)) return t('noted', { by })
  return t(act !== null && Object.hasOwn(BY_PEOPLE, act) ? BY_PEOPLE[act as keyof typeof BY_PEOPLE] : 'noticeChanged', {
    by,
  })
}
