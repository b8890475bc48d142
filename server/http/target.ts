/** Path parameters and query members, percent-decoded once (decisions 1). */
import { fault } from '../../shared/kernel/errors.ts'

/** The path of a request target, without query and fragment. */
export function pathOf(url: string): string {
  const end = url.search(/[?#]/)
  return end === -1 ? url : url.slice(0, end)
}

/** @throws Fault InvalidModel for an invalid percent encoding */
export function decodeOnce(text: string, where: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw fault('InvalidModel', 'The address cannot be understood.', [
      { Path: where, Message: 'is not valid percent-encoded UTF-8' },
    ])
  }
}

/** @returns all members in order, as sent. */
export function parseQuery(url: string): [name: string, value: string][] {
  const start = url.indexOf('?')
  if (start === -1) return []
  return url
    .slice(start + 1)
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const equals = part.indexOf('=')
      const [name, value] = equals === -1 ? [part, ''] : [part.slice(0, equals), part.slice(equals + 1)]
      const decodedName = decodeOnce(name.replaceAll('+', ' '), '')
      return [decodedName, decodeOnce(value.replaceAll('+', ' '), decodedName)]
    })
}

/** The first value of each member, for bytes handlers and authorisation. */
export function firstOfEach(members: readonly (readonly [string, string])[]): Record<string, string> {
  return Object.fromEntries(members.toReversed())
}

/** Members for schemas: a repeated member becomes an array, an empty one counts as absent (decisions 1). */
export function membersForSchema(members: readonly (readonly [string, string])[]): Record<string, string | string[]> {
  const grouped = Map.groupBy(
    members.filter(([, value]) => value !== ''),
    ([name]) => name,
  )
  return Object.fromEntries(
    [...grouped].map(([name, all]) => [
      name,
      all.length === 1 ? (all[0] as [string, string])[1] : all.map(([, value]) => value),
    ]),
  )
}
