/** Networks as an administrator writes them: what lies in them, and whether an address does. Pure; the station judges. */

export interface Network {
  readonly family: 4 | 6
  readonly first: bigint
  readonly last: bigint
}

interface Address {
  readonly family: 4 | 6
  readonly value: bigint
}

const BITS = { 4: 32, 6: 128 } as const

function addressOf(text: string): Address | null {
  const four = fourOf(text)
  if (four !== null) return { family: 4, value: four }
  const value = sixOf(text)
  if (value === null) return null
  // What a socket for both families calls an address of the older one (RFC 4291, 2.5.5.2).
  return value >> 32n === 0xffffn ? { family: 4, value: value & 0xffff_ffffn } : { family: 6, value }
}

function fourOf(text: string): bigint | null {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) return null
  return parts.reduce((value, part) => value * 256n + BigInt(part), 0n)
}

/** RFC 4291, 2.2; what follows a % names an interface of one machine and is nothing of the address. */
function sixOf(text: string): bigint | null {
  const [plain = ''] = text.toLowerCase().split('%', 1)
  const halves = plain.split('::')
  if (halves.length > 2) return null
  const [head, tail] = halves.map(groupsOf)
  if (head === null || head === undefined || tail === null) return null
  const rest = tail ?? []
  const missing = 8 - head.length - rest.length
  if (tail === undefined ? missing !== 0 : missing < 1) return null
  return [...head, ...Array<bigint>(missing).fill(0n), ...rest].reduce((value, group) => value * 65_536n + group, 0n)
}

function groupsOf(text: string): bigint[] | null {
  if (text === '') return []
  const parts = text.split(':')
  const last = fourOf(parts.at(-1) ?? '')
  if (last !== null) parts.splice(-1, 1, (last >> 16n).toString(16), (last & 0xffffn).toString(16))
  return parts.every((part) => /^[0-9a-f]{1,4}$/.test(part)) ? parts.map((part) => BigInt(`0x${part}`)) : null
}

/** @returns null for what is neither a network nor one address */
export function networkOf(text: string): Network | null {
  const [plain = '', size, ...more] = text.trim().split('/')
  const address = addressOf(plain)
  if (address === null || more.length > 0) return null
  const bits = BITS[address.family]
  if (size !== undefined && !/^(0|[1-9]\d{0,2})$/.test(size)) return null
  const prefix = size === undefined ? bits : Number(size)
  if (prefix > bits) return null
  const span = (1n << BigInt(bits - prefix)) - 1n
  const first = address.value & ~span
  return { family: address.family, first, last: first | span }
}

const within = (inner: Network, outer: Network): boolean =>
  inner.family === outer.family && inner.first >= outer.first && inner.last <= outer.last

export function holds(network: string, address: string): boolean {
  const [outer, inner] = [networkOf(network), networkOf(address)]
  return outer !== null && inner !== null && within(inner, outer)
}

export const sameNetwork = (one: string, other: string): boolean => holds(one, other) && holds(other, one)

/** RFC 1918, 3927, 6598, 4193, 4291: never those of the Internet. */
const PRIVATE = [
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '100.64.0.0/10',
  '127.0.0.0/8',
  'fc00::/7',
  'fe80::/10',
  '::1',
]

/** Whether any of its addresses is one of the Internet. */
export const isPublic = (network: string): boolean => !PRIVATE.some((own) => holds(own, network))

export function addressText({ family, first, last }: Network): readonly [first: string, last: string] {
  const write = family === 4 ? fourText : sixText
  return [write(first), write(last)]
}

const fourText = (value: bigint): string => [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.')

/** RFC 5952: the longest run of zeros, of two or more, is left out. */
function sixText(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_, at) => ((value >> BigInt(16 * (7 - at))) & 0xffffn).toString(16))
  const runs = groups.map((_, at) => groups.slice(at).findIndex((group) => group !== '0'))
  const lengths = runs.map((length, at) => (length === -1 ? 8 - at : length))
  const longest = Math.max(...lengths)
  if (longest < 2) return groups.join(':')
  const at = lengths.indexOf(longest)
  return `${groups.slice(0, at).join(':')}::${groups.slice(at + longest).join(':')}`
}
