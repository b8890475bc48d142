/** RFC 6902 between two plain JSON values, as histories give it (decisions 4). */
export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }

type Members = Readonly<Record<string, unknown>>
const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const step = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`

/** Member by member; arrays are replaced whole, since their places mean nothing to who reads a history. The order is that of names. */
export function patchBetween(before: unknown, after: unknown, path = ''): PatchOperation[] {
  if (!isMembers(before) || !isMembers(after)) return same(before, after) ? [] : [{ op: 'replace', path, value: after }]
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return names.flatMap((name): PatchOperation[] => {
    const at = `${path}${step(name)}`
    if (!Object.hasOwn(after, name)) return [{ op: 'remove', path: at }]
    if (!Object.hasOwn(before, name)) return [{ op: 'add', path: at, value: after[name] }]
    return patchBetween(before[name], after[name], at)
  })
}

function same(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, at) => same(item, other[at]))
  if (isMembers(one) && isMembers(other)) return patchBetween(one, other).length === 0
  return one === other
}
