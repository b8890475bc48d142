/** Rules about tags that every field of tags shares. Pure. */

/** As many as one record holds. */
export const MOST_TAGS = 100

/** What somebody typed or pasted as tags: commas, tabs and line ends part them, as the cells of a table do. */
export function tagsIn(typed: string): readonly string[] {
  const found = typed
    .split(/[,;\t\r\n]+/)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
  return [...new Set(found)]
}

/** Without regard to case and composition, as the station compares them. */
export const tagKey = (tag: string): string => tag.normalize('NFC').toLowerCase()

/** Tags in and off, over whatever stands there now: two people who each add one lose none. */
export interface TagChange {
  readonly add: readonly string[]
  readonly remove: readonly string[]
}

export function withTags(now: readonly string[], { add, remove }: TagChange): readonly string[] {
  const kept = now.filter((tag) => !remove.includes(tag))
  const known = new Set(kept.map(tagKey))
  const added = add.filter((tag) => !known.has(tagKey(tag)) && known.add(tagKey(tag)) !== undefined)
  return [...kept, ...added]
}

/** What takes a change of tags back. */
export const tagsBack = (before: readonly string[], after: readonly string[]): TagChange => ({
  add: before.filter((tag) => !after.includes(tag)),
  remove: after.filter((tag) => !before.includes(tag)),
})
