/**
 * SHA-256 by the browser where the page has it. A page that was opened over plain HTTP from another machine has no WebCrypto: there the
 * same sum is made by the lines below (FIPS 180-4), so that nobody has to believe the station's word for a hash.
 */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const subtle = (globalThis.crypto as Crypto | undefined)?.subtle as SubtleCrypto | undefined
  return toHex(subtle === undefined ? sha256Here(bytes) : new Uint8Array(await subtle.digest('SHA-256', bytes)))
}

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** @returns null for what is no even number of hexadecimal digits */
export function fromHex(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^([0-9a-fA-F]{2})*$/.test(text)) return null
  return Uint8Array.from({ length: text.length / 2 }, (_, index) =>
    Number.parseInt(text.slice(index * 2, index * 2 + 2), 16),
  )
}

const primes = (count: number): number[] => {
  const found: number[] = []
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime !== 0)) found.push(n)
  return found
}
/** The first 32 bits of the fraction of a root. */
const fraction = (root: number): number => ((root - Math.floor(root)) * 2 ** 32) >>> 0

let constants: { readonly k: Uint32Array; readonly h: Uint32Array } | null = null
const constantsOf = () => {
  constants ??= {
    k: Uint32Array.from(primes(64), (prime) => fraction(Math.cbrt(prime))),
    h: Uint32Array.from(primes(8), (prime) => fraction(Math.sqrt(prime))),
  }
  return constants
}

const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by))

export function sha256Here(bytes: Uint8Array): Uint8Array {
  const { k, h } = constantsOf()
  const sum = h.slice()
  const blocks = Math.ceil((bytes.length + 9) / 64)
  const padded = new Uint8Array(blocks * 64)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29))
  view.setUint32(padded.length - 4, (bytes.length * 8) >>> 0)
  const words = new Uint32Array(64)
  const at = (index: number): number => words[index] as number
  for (let block = 0; block < blocks; block++) {
    for (let i = 0; i < 16; i++) words[i] = view.getUint32(block * 64 + i * 4)
    for (let i = 16; i < 64; i++) {
      const low = turned(at(i - 15), 7) ^ turned(at(i - 15), 18) ^ (at(i - 15) >>> 3)
      const high = turned(at(i - 2), 17) ^ turned(at(i - 2), 19) ^ (at(i - 2) >>> 10)
      words[i] = at(i - 16) + low + at(i - 7) + high
    }
    mix(sum, words, k)
  }
  const out = new Uint8Array(32)
  const written = new DataView(out.buffer)
  sum.forEach((word, index) => written.setUint32(index * 4, word))
  return out
}

function mix(sum: Uint32Array, words: Uint32Array, k: Uint32Array): void {
  let [a, b, c, d, e, f, g, h] = [...sum] as [number, number, number, number, number, number, number, number]
  for (let i = 0; i < 64; i++) {
    const chosen = (e & f) ^ (~e & g)
    const first =
      (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + chosen + (k[i] as number) + (words[i] as number)) | 0
    const most = (a & b) ^ (a & c) ^ (b & c)
    const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + most) | 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0]
  }
  ;[a, b, c, d, e, f, g, h].forEach((word, index) => {
    sum[index] = (sum[index] as number) + word
  })
}
