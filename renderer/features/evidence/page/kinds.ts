/** What a resource is to its evidence, told from its record. Pure. */
import type { Resource } from './queries.ts'

export type Role =
  | 'original'
  | 'playable'
  | 'sound'
  | 'still'
  | 'clip'
  | 'crop'
  | 'preview'
  | 'metadata'
  | 'captions'
  | 'other'

type Told = Pick<Resource, 'Parent' | 'MimeType' | 'Taken'>

export function roleOf({ Parent, MimeType, Taken }: Told): Role {
  if (Parent === null) return 'original'
  if (Taken !== null) return Taken.Kind === 'still' || Taken.Kind === 'crop' ? Taken.Kind : 'clip'
  if (MimeType.endsWith('/json-exif')) return 'metadata'
  if (MimeType === 'text/vtt') return 'captions'
  if (MimeType.startsWith('video/')) return 'playable'
  if (MimeType.startsWith('audio/')) return 'sound'
  return MimeType.startsWith('image/') ? 'preview' : 'other'
}

/** What an original is, as far as its record and what was made from it tell. */
export type Family = 'video' | 'audio' | 'picture' | 'document' | 'file'

export function familyOf({ ResourceId, MimeType }: Resource, all: readonly Resource[]): Family {
  const made = all.filter(({ Parent }) => Parent === ResourceId).map(roleOf)
  if (made.includes('playable') || MimeType.startsWith('video/')) return 'video'
  if (made.includes('sound') || MimeType.startsWith('audio/')) return 'audio'
  if (made.includes('preview') || MimeType.startsWith('image/')) return 'picture'
  return MimeType === 'application/pdf' || MimeType.startsWith('text/') ? 'document' : 'file'
}

export const isOriginal = ({ Parent }: Pick<Resource, 'Parent'>): boolean => Parent === null

/** The original that a resource is or was made from. A clip stands for itself: it has a time line of its own. */
export function originalOf(resource: Resource, all: readonly Resource[]): Resource {
  const seen = new Set<string>()
  let at = resource
  while (at.Parent !== null && roleOf(at) !== 'clip' && !seen.has(at.ResourceId)) {
    seen.add(at.ResourceId)
    const parent = all.find(({ ResourceId }) => ResourceId === at.Parent)
    if (parent === undefined) break
    at = parent
  }
  return at
}

const RANK: readonly Family[] = ['video', 'picture', 'audio', 'document', 'file']

/** What is shown first: the original from which most can be seen. */
export function leadOf(all: readonly Resource[]): Resource | null {
  const rank = (resource: Resource): number => RANK.indexOf(familyOf(resource, all))
  return all.filter(isOriginal).toSorted((one, other) => rank(one) - rank(other))[0] ?? null
}

export type Processing = Resource['Processing'][number]

export const BUSY: ReadonlySet<string> = new Set(['queued', 'running', 'waiting'])
export const isBusy = ({ State }: Processing): boolean => BUSY.has(State)

/** What somebody chose, or the lead. */
export const chosenOf = (all: readonly Resource[], chosenId: string | null): Resource | null =>
  all.find(({ ResourceId }) => ResourceId === chosenId) ?? leadOf(all)

/** What is looked at for a resource: the recording it belongs to, or itself where it is a picture or text of its own. */
export function shownFor(chosen: Resource, resources: readonly Resource[]): Resource {
  const role = roleOf(chosen)
  return role === 'playable' || role === 'sound' || role === 'preview' || role === 'captions'
    ? originalOf(chosen, resources)
    : chosen
}
