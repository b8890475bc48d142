/** Changes of many items at once: each says what is sent for one item, over what stands there now, or null where nothing differs. Pure. */
import type { z } from 'zod'
import type { PatchEvidenceModel } from '../../../../shared/evidence/change.contract.ts'
import { isGivenName } from '../../../../shared/evidence/display-name.ts'
import { LEVELS } from '../../../../shared/kernel/permissions.ts'
import { type TagChange, tagKey, tagsBack, withTags } from '../../../ui/tags/tags.ts'
import { OFFICER } from '../edit/parts.ts'
import type { Target } from './targets.ts'

type Patch = z.input<typeof PatchEvidenceModel>

/** Puts one change into effect, and takes it back where it is still as this change left it. */
export interface Change {
  readonly patchOf: (onto: Target) => Patch | null
  readonly backOf: (onto: Target, before: Target, after: Target) => Patch | null
}

const same = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((tag, at) => tag === other[at])

function tagsPatch({ Tags }: Target, change: TagChange): Patch | null {
  const next = withTags(Tags, change)
  return same(next, Tags) ? null : { Tags: [...next] }
}

/** Tags in and off. What others put in meanwhile stays. */
export const tagChange = (change: TagChange): Change => ({
  patchOf: (onto) => tagsPatch(onto, change),
  backOf: (onto, before, after) => tagsPatch(onto, tagsBack(before.Tags, after.Tags)),
})

export interface TagOnMany {
  readonly tag: string
  readonly count: number
}

/** The tags of many items, with on how many each is: those of all first, then by number and name. */
export function tagsOfMany(targets: readonly Pick<Target, 'Tags'>[]): readonly TagOnMany[] {
  const counts = new Map<string, number>()
  for (const { Tags } of targets) for (const tag of Tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return [...counts]
    .map(([tag, count]) => ({ tag, count }))
    .sort((one, other) => other.count - one.count || one.tag.localeCompare(other.tag))
}

/** How many items a tag would be put on: on the others it is, in whatever case. */
export const missingOn = (targets: readonly Pick<Target, 'Tags'>[], tag: string): number =>
  targets.filter(({ Tags }) => !Tags.some((one) => tagKey(one) === tagKey(tag))).length

const officerOf = ({ CustomFields }: Pick<Target, 'CustomFields'>): string =>
  Object.hasOwn(CustomFields, OFFICER) ? (CustomFields[OFFICER] ?? '') : ''

function officerPatch(onto: Target, officer: string): Patch | null {
  if (officerOf(onto) === officer) return null
  const others = Object.entries(onto.CustomFields).filter(([name]) => name !== OFFICER)
  return { CustomFields: Object.fromEntries(officer === '' ? others : [...others, [OFFICER, officer]]) }
}

export const categoryChange = (category: string): Change => ({
  patchOf: ({ CategoryId }) => (CategoryId === category ? null : { CategoryId: category }),
  backOf: ({ CategoryId }, before) => {
    if (CategoryId !== category) return null
    return before.CategoryId === null ? { Clear: ['CategoryId'] } : { CategoryId: before.CategoryId }
  },
})

/** A title of its own for each of them. @param titles by id */
export const titleChange = (titles: ReadonlyMap<string, string>): Change => ({
  patchOf: ({ EvidenceId, Name }) => {
    const title = titles.get(EvidenceId)
    return title === undefined || title === Name ? null : { Name: title }
  },
  backOf: ({ EvidenceId, Name }, before) => (Name === titles.get(EvidenceId) ? { Name: before.Name } : null),
})

/** Whether nobody gave it a title: it is shown as what the camera recorded, or called as its file is. */
export const isUntitled = ({ Name, DisplayName, Summary }: Pick<Target, 'Name' | 'DisplayName' | 'Summary'>): boolean =>
  DisplayName !== Name || isGivenName(Name, [Summary?.FileName ?? null])

const startOf = ({ Clock, StartTimeUtc }: Target): number => Date.parse(Clock.CorrectedTimeUtc ?? StartTimeUtc ?? '')

/** One alone is called as it was typed; several are counted in the order in which they were recorded, those without a time last. */
export function titlesOf(targets: readonly Target[], title: string): ReadonlyMap<string, string> {
  if (targets.length === 1) return new Map(targets.map(({ EvidenceId }) => [EvidenceId, title]))
  const place = (target: Target): number => startOf(target) || Number.MAX_SAFE_INTEGER
  const inOrder = targets.toSorted((one, other) => place(one) - place(other) || one.Name.localeCompare(other.Name))
  return new Map(inOrder.map(({ EvidenceId }, at) => [EvidenceId, `${title} ${at + 1}`]))
}

/** Whose recording it is, as the page of one evidence says it. */
export const officerChange = (officer: string): Change => ({
  patchOf: (onto) => officerPatch(onto, officer),
  backOf: (onto, before) => (officerOf(onto) === officer ? officerPatch(onto, officerOf(before)) : null),
})

/** The officers that are named now, each once, those of most items first; empty: none. */
export function officersOf(targets: readonly Pick<Target, 'CustomFields'>[]): readonly TagOnMany[] {
  return tagsOfMany(targets.map((target) => ({ Tags: [officerOf(target)] })))
}

type Policy = Target['AccessPolicies'][number]

export interface Share {
  readonly principalId: string
  readonly level: 'View' | 'Download' | 'Edit' | 'Manage'
  /** ISO 8601; null: without an end. */
  readonly until: string | null
}

const isOwn = ({ PermissionSource: { Reason } }: Policy): boolean => Reason === 'Direct'
const ownOf = ({ AccessPolicies }: Target, principalId: string): Policy | undefined =>
  AccessPolicies.find((policy) => isOwn(policy) && policy.PrincipalId === principalId)
const rank = (level: string): number => (LEVELS as readonly string[]).indexOf(level)

/** Whether somebody has as much of an evidence by itself, for as long. */
function hasAlready(own: Policy | undefined, { level, until }: Share): boolean {
  if (own === undefined || rank(own.Permissions) < rank(level)) return false
  if (rank(own.Permissions) > rank(level) || own.ExpirationDateUtc === null) return true
  return until !== null && Date.parse(until) <= Date.parse(own.ExpirationDateUtc)
}

/** The own policies with the one of a principal in place of what it had; null: without it. */
function policiesWith(
  onto: Target,
  principalId: string,
  policy: { readonly Permissions: string; readonly ExpirationDateUtc: string | null } | null,
): Patch {
  const others = onto.AccessPolicies.filter((one) => isOwn(one) && one.PrincipalId !== principalId).map((one) => ({
    PrincipalId: one.PrincipalId,
    Permissions: one.Permissions,
    ExpirationDateUtc: one.ExpirationDateUtc,
  }))
  const all = policy === null ? others : [...others, { PrincipalId: principalId, ...policy }]
  return { AccessPolicies: all }
}

/** Gives somebody the evidence itself, or more of it; it never takes anything away. */
export const shareChange = (share: Share): Change => ({
  patchOf: (onto) =>
    hasAlready(ownOf(onto, share.principalId), share)
      ? null
      : policiesWith(onto, share.principalId, {
          Permissions: share.level,
          ExpirationDateUtc: share.level === 'Manage' ? null : share.until,
        }),
  backOf: (onto, before) => {
    const now = ownOf(onto, share.principalId)
    if (now === undefined || now.Permissions !== share.level) return null
    const had = ownOf(before, share.principalId)
    return policiesWith(
      onto,
      share.principalId,
      had === undefined ? null : { Permissions: had.Permissions, ExpirationDateUtc: had.ExpirationDateUtc },
    )
  },
})
