import type { Notice } from '../../client/notices.ts'

/** Where one acts on what a notice says; null where nothing of it is open to this person any more. */
export type NoticePlace =
  | { readonly to: '/cases/$caseId'; readonly params: { readonly caseId: string } }
  | { readonly to: '/dock/sessions/$dockSessionId'; readonly params: { readonly dockSessionId: string } }
  | { readonly to: '/search'; readonly search: { readonly saved: string } }
  | { readonly to: '/administration/users'; readonly search: { readonly open: string } }
  | { readonly to: '/evidence/$evidenceId'; readonly params: { readonly evidenceId: string } }
  | { readonly to: '/dock' | '/cases' | '/shared-links' | '/fixity' | '/administration/cad' }

export function placeOf({ Kind, Object: { Type, Id, Name } }: Pick<Notice, 'Kind' | 'Object'>): NoticePlace | null {
  if (Type === 'dockSession')
    return Name === null ? { to: '/dock' } : { to: '/dock/sessions/$dockSessionId', params: { dockSessionId: Id } }
  // The page of a case that one may not view says what became of the request.
  if (Kind === 'access.declined') return { to: '/cases/$caseId', params: { caseId: Id } }
  if (Name === null) return null
  if (Type === 'case') return { to: '/cases/$caseId', params: { caseId: Id } }
  if (Type === 'evidence') return { to: '/evidence/$evidenceId', params: { evidenceId: Id } }
  if (Type === 'shareLink') return { to: '/shared-links' }
  if (Type === 'savedSearch') return { to: '/search', search: { saved: Id } }
  if (Kind === 'case.received' || Kind === 'case.handedOver') return { to: '/cases' }
  if (Type === 'user') return { to: '/administration/users', search: { open: Id } }
  if (Kind === 'fixity.alarm') return { to: '/fixity' }
  if (Kind === 'cad.unreadable') return { to: '/administration/cad' }
  return null
}
