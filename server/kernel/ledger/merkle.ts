import { hash } from 'node:crypto'
import { toHex } from './format.ts'

/**
 * Merkle trees of RFC 6962 (2.1): pure functions over leaf hashes. A compact range is the list of the perfect subtrees that cover
 * leaves [begin, end). It is all that is needed to append leaves and to compute the root.
 */
export interface CompactRange {
  readonly begin: number
  readonly end: number
  append(leaf: Uint8Array): void
  /** The same with the hash in lower-case hexadecimal, as the verifier has it. */
  appendHex(leaf: string): void
  /** Joins the range that continues this one. @throws Error when there is a gap */
  join(next: RangeNodes): void
  nodes(): RangeNodes
  /** @throws Error unless the range begins at 0 */
  root(): Uint8Array
}

/** A compact range as plain data: from left to right, `levels[i]` is the height of the perfect subtree with root `hashes[i]`. */
export interface RangeNodes {
  readonly begin: number
  readonly end: number
  readonly levels: readonly number[]
  /** Lower-case hexadecimal. */
  readonly hashes: readonly string[]
}

export const HASH_BYTES = 32

/** RFC 6962: the hash of a tree without leaves. */
export const EMPTY_ROOT: Uint8Array = hash('sha256', new Uint8Array(0), 'buffer')

/** SHA-256(0x01 ‖ left ‖ right). */
export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  const joined = new Uint8Array(1 + 2 * HASH_BYTES)
  joined[0] = 1
  joined.set(left, 1)
  joined.set(right, 1 + HASH_BYTES)
  return hash('sha256', joined, 'buffer')
}

export function compactRange(begin = 0): CompactRange {
  const levels: number[] = []
  // Strings: one-shot hashing returns them twice as fast as buffers, and this runs for every entry of a ledger.
  const hashes: string[] = []
  const scratch = Buffer.alloc(1 + 2 * HASH_BYTES)
  scratch[0] = 1
  let end = begin

  const push = (level: number, value: string): void => {
    const width = 2 ** level
    if (end % width !== 0) throw new Error(`A subtree of ${width} leaves cannot begin at ${end}`)
    let height = level
    let top = value
    let start = end
    end += width
    // Two neighbours of the same height form a perfect subtree when the left one is at an even position.
    while (levels.length > 0 && levels.at(-1) === height && (start / 2 ** height) % 2 === 1) {
      start -= 2 ** height
      scratch.write(hashes.pop() as string, 1, 'hex')
      scratch.write(top, 1 + HASH_BYTES, 'hex')
      top = hash('sha256', scratch, 'hex')
      levels.pop()
      height += 1
    }
    levels.push(height)
    hashes.push(top)
  }

  return {
    begin,
    get end() {
      return end
    },
    append: (leaf) => push(0, toHex(leaf)),
    appendHex: (leaf) => push(0, leaf),
    join: (next) => {
      if (next.begin !== end) throw new Error(`Leaves ${next.begin} and on do not continue ${end}`)
      for (const [index, value] of next.hashes.entries()) push(next.levels[index] as number, value)
    },
    nodes: () => ({ begin, end, levels: [...levels], hashes: [...hashes] }),
    root: () => {
      if (begin !== 0) throw new Error('Only a range from the first leaf on has a root')
      if (hashes.length === 0) return EMPTY_ROOT
      const all = hashes.map((text): Uint8Array => Buffer.from(text, 'hex'))
      return all.reduceRight((right, left) => nodeHash(left, right))
    },
  }
}

/** The range [0, size) from the hashes of its subtrees, widest first, as written by `frontierBytes`. @throws Error when they do not fit the size */
export function rangeFromFrontier(size: number, frontier: Uint8Array): CompactRange {
  const levels: number[] = []
  for (let level = 52; level >= 0; level--) if (Math.floor(size / 2 ** level) % 2 === 1) levels.push(level)
  if (frontier.length !== levels.length * HASH_BYTES)
    throw new Error(`The frontier of ${size} leaves has ${levels.length} hashes, not ${frontier.length / HASH_BYTES}`)
  const hashes = levels.map((_, index) => toHex(frontier.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES)))
  const range = compactRange()
  range.join({ begin: 0, end: size, levels, hashes })
  return range
}

export const frontierBytes = (range: CompactRange): Uint8Array =>
  new Uint8Array(Buffer.from(range.nodes().hashes.join(''), 'hex'))

/** Leaves [begin, end). */
export type LeafInterval = readonly [begin: number, end: number]

/** The largest power of two below `width`: so many leaves has the left subtree (RFC 6962: k). */
export function split(width: number): number {
  let k = 1
  while (k * 2 < width) k *= 2
  return k
}

/** The intervals whose subtree roots are the audit path of leaf `index` in a tree of `size` leaves, in RFC 6962's order. */
export function inclusionPath(index: number, size: number): LeafInterval[] {
  if (!(index >= 0 && index < size)) throw new Error(`Leaf ${index} is not among ${size}`)
  const path: LeafInterval[] = []
  let [begin, end] = [0, size]
  while (end - begin > 1) {
    const middle = begin + split(end - begin)
    if (index < middle) {
      path.unshift([middle, end])
      end = middle
    } else {
      path.unshift([begin, middle])
      begin = middle
    }
  }
  return path
}

/** The intervals whose subtree roots prove that the tree of `older` leaves is the beginning of that of `newer` (RFC 6962 2.1.2). */
export function consistencyPath(older: number, newer: number): LeafInterval[] {
  if (!(older > 0 && older <= newer)) throw new Error(`There is no proof from ${older} to ${newer} leaves`)
  const path: LeafInterval[] = []
  let [begin, end] = [0, newer]
  // The older tree is a known subtree as long as the walk went left only.
  let known = true
  while (older !== end) {
    const middle = begin + split(end - begin)
    if (older <= middle) {
      path.unshift([middle, end])
      end = middle
    } else {
      path.unshift([begin, middle])
      begin = middle
      known = false
    }
  }
  if (!known) path.unshift([begin, end])
  return path
}

/** RFC 9162 2.1.3.2. */
export function verifyInclusion(
  leaf: Uint8Array,
  index: number,
  size: number,
  proof: readonly Uint8Array[],
  root: Uint8Array,
): boolean {
  if (!(index >= 0 && index < size)) return false
  let [at, last] = [index, size - 1]
  let value = leaf
  for (const step of proof) {
    if (last === 0) return false
    if (at % 2 === 1 || at === last) {
      value = nodeHash(step, value)
      while (at % 2 === 0 && at !== 0) [at, last] = [Math.floor(at / 2), Math.floor(last / 2)]
    } else value = nodeHash(value, step)
    ;[at, last] = [Math.floor(at / 2), Math.floor(last / 2)]
  }
  return last === 0 && Buffer.compare(value, root) === 0
}

/** RFC 9162 2.1.4.2. */
export function verifyConsistency(
  older: { readonly size: number; readonly root: Uint8Array },
  newer: { readonly size: number; readonly root: Uint8Array },
  proof: readonly Uint8Array[],
): boolean {
  if (older.size === newer.size) return proof.length === 0 && Buffer.compare(older.root, newer.root) === 0
  if (!(older.size > 0 && older.size < newer.size)) return false
  const steps = Number.isInteger(Math.log2(older.size)) ? [older.root, ...proof] : [...proof]
  let [at, last] = [older.size - 1, newer.size - 1]
  while (at % 2 === 1) [at, last] = [Math.floor(at / 2), Math.floor(last / 2)]
  const first = steps.shift()
  if (first === undefined) return false
  let [left, right] = [first, first]
  for (const step of steps) {
    if (last === 0) return false
    if (at % 2 === 1 || at === last) {
      left = nodeHash(step, left)
      right = nodeHash(step, right)
      while (at % 2 === 0 && at !== 0) [at, last] = [Math.floor(at / 2), Math.floor(last / 2)]
    } else right = nodeHash(right, step)
    ;[at, last] = [Math.floor(at / 2), Math.floor(last / 2)]
  }
  return last === 0 && Buffer.compare(left, older.root) === 0 && Buffer.compare(right, newer.root) === 0
}
