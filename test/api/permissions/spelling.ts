/** Other spellings of an id, and what each of them names: a reading of decisions 1 and 13 by itself, without anything of the product. */
export type Named = { readonly kind: 'same' } | { readonly kind: 'other' } | { readonly kind: 'malformed' }

const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`).join('')
const shifted = (id: string, zero: number): string =>
  [...id].map((digit) => String.fromCodePoint(zero + Number(digit))).join('')

/** As segments of a path: already percent-encoded where they have to be. */
export const SPELLINGS: Readonly<Record<string, (id: string) => string>> = {
  'padded by one': (id) => `0${id}`,
  'padded to 18': (id) => id.padStart(18, '0'),
  'padded to 19': (id) => id.padStart(19, '0'),
  'padded to 20': (id) => id.padStart(20, '0'),
  'padded to 26': (id) => id.padStart(26, '0'),
  'padded to 32': (id) => id.padStart(32, '0'),
  'padded to 33': (id) => id.padStart(33, '0'),
  'percent-encoded': percent,
  'the first digit percent-encoded': (id) => `${percent(id[0] ?? '')}${id.slice(1)}`,
  'padded to 20 with percent-encoded zeros': (id) => `${percent('0'.repeat(20 - id.length))}${id}`,
  'percent-encoded twice': (id) => percent(id).replaceAll('%', '%25'),
  plus: (id) => `+${id}`,
  'plus, percent-encoded': (id) => `%2B${id}`,
  minus: (id) => `-${id}`,
  'space before': (id) => `%20${id}`,
  'space after': (id) => `${id}%20`,
  'tab before': (id) => `%09${id}`,
  'new line after': (id) => `${id}%0A`,
  'NUL after': (id) => `${id}%00`,
  exponent: (id) => `${id}e0`,
  fraction: (id) => `${id}.0`,
  hexadecimal: (id) => `0x${Number(id).toString(16)}`,
  'full-width digits': (id) => encodeURIComponent(shifted(id, 0xff_10)),
  'Arabic digits': (id) => encodeURIComponent(shifted(id, 0x06_60)),
  'a slash after': (id) => `${id}%2F`,
  'a parameter after': (id) => `${id};x=1`,
  'beyond 64 bits': (id) => `${2n ** 64n + BigInt(id)}`,
  'beyond 2⁵³': () => String(2n ** 53n + 1n),
  nil: () => '0',
}

const MOST = 2n ** 63n - 1n

/** What a segment names instead of the decimal id. */
export function namedBy(segment: string, id: string): Named {
  const text = decodeURIComponent(segment)
  if (!/^[0-9]{1,32}$/.test(text) || BigInt(text) < 1n || BigInt(text) > MOST) return { kind: 'malformed' }
  return { kind: BigInt(text) === BigInt(id) ? 'same' : 'other' }
}

/** Of ids that are text of any form, such as a device's. */
export const namedByText = (segment: string, id: string): Named =>
  decodeURIComponent(segment) === id ? { kind: 'same' } : { kind: 'other' }

/** Those that name the very id: which of them a drawn call uses makes no difference. */
export type Spelling = 'plain' | 'padded' | 'padded to 32' | 'percent-encoded'

export function spelled({ spelling }: { readonly spelling: Spelling }, id: string): string {
  if (spelling === 'plain') return id
  if (spelling === 'percent-encoded') return percent(id)
  return id.padStart(spelling === 'padded' ? 20 : 32, '0')
}
