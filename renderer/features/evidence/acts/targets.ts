/** What an act must know of an evidence, and whether it can be done with it as it stands. Pure but for the rights of the session. */
import type { z } from 'zod'
import type * as documents from '../../../../shared/evidence/contract.ts'
import type { Level } from '../../../../shared/kernel/permissions.ts'
import { useMay } from '../../../client/rights.ts'
import { useIsMember } from '../../../client/session.tsx'
import { visible } from '../page/text/visible.ts'

/** Records and rows of the list both are it. */
export type Target = Shown & {
  readonly Summary?: Pick<
    z.output<typeof documents.EvidenceListItem>['Summary'],
    'FileName' | 'LengthInBytes' | 'Status'
  >
}
type Shown = Pick<
  z.output<typeof documents.EvidenceRecord>,
  | 'EvidenceId'
  | 'Name'
  | 'DisplayName'
  | 'AccessorPermissions'
  | 'LifecycleState'
  | 'AssociationState'
  | 'CategoryId'
  | 'Tags'
  | 'CustomFields'
  | 'AccessPolicies'
  | 'StartTimeUtc'
  | 'EndTimeUtc'
  | 'Clock'
  | 'ConcurrencyId'
>

/** What is said of an evidence that is done with. */
export type Named = Pick<Target, 'EvidenceId' | 'Name' | 'DisplayName'>

export const ACTS = [
  'download',
  'package',
  'restrict',
  'protect',
  'unprotect',
  'delete',
  'link',
  'move',
  'category',
  'title',
  'tag',
  'officer',
  'times',
  'share',
  'guestLink',
  'check',
  'restore',
] as const
export type Act = (typeof ACTS)[number]

/** Why an act leaves an evidence as it is. */
export type Hindrance =
  /** It lies in the recycle bin. */
  | 'binned'
  /** It is protected from deletion. */
  | 'sealed'
  /** It is not protected, or not deleted. */
  | 'notSo'
  /** Nobody put it into a case. */
  | 'inNoCase'
  /** The level that is missing. */
  | 'Download'
  | 'Edit'
  | 'Manage'

const lacks = ({ AccessorPermissions }: Target, level: 'Download' | 'Edit' | 'Manage'): Hindrance | null =>
  AccessorPermissions.includes(level satisfies Level) ? null : level

/** What keeps an act from an evidence; null: nothing that is known here. The station judges. */
export function hindranceOf(act: Act, target: Target): Hindrance | null {
  const { LifecycleState: state } = target
  if (act === 'restore') return state === 'Deleted' ? null : 'notSo'
  if (state === 'Deleted') return 'binned'
  switch (act) {
    case 'check':
      return null
    case 'download':
    case 'package':
      return lacks(target, 'Download')
    case 'protect':
    case 'delete':
      return state === 'Protected' ? 'sealed' : lacks(target, 'Manage')
    case 'unprotect':
      return state === 'Protected' ? lacks(target, 'Manage') : 'notSo'
    case 'share':
    case 'guestLink':
      return lacks(target, 'Manage')
    case 'move':
      return target.AssociationState === 'Manual' ? lacks(target, 'Edit') : 'inNoCase'
    default:
      return lacks(target, 'Edit')
  }
}

/** Whether an act fits an evidence as it stands. */
export const fits = (act: Act, target: Target): boolean => hindranceOf(act, target) === null

/** How many of them each hindrance keeps out. */
export function hindrancesOf(act: Act, targets: readonly Target[]): ReadonlyMap<Hindrance, number> {
  const found = new Map<Hindrance, number>()
  for (const target of targets) {
    const hindrance = hindranceOf(act, target)
    if (hindrance !== null) found.set(hindrance, (found.get(hindrance) ?? 0) + 1)
  }
  return found
}

/** Whether this person may do it at all: absent beats disabled. */
export function useMayAct(): Readonly<Record<Act, boolean>> {
  const protect = useMay('ProtectFromDeletion')
  const member = useIsMember()
  return {
    download: true,
    // Guests make no packages.
    package: member,
    // Nor have they part in disclosure.
    restrict: member,
    protect,
    unprotect: protect,
    delete: useMay('DeleteCasesAndFiles'),
    link: true,
    move: true,
    // Guests may not read the categories.
    category: member,
    title: true,
    tag: true,
    officer: true,
    times: true,
    // Guests may not look for people.
    share: member,
    // Guests make no links.
    guestLink: member,
    check: true,
    restore: useMay('RestoreFromRecycleBin'),
  }
}

/** Of one its name, of many how many. */
export const toastOf = (targets: readonly Named[], shown: (count: number) => string) => ({
  count: targets.length,
  shown: shown(targets.length),
  name: visible(targets[0]?.DisplayName ?? ''),
})
