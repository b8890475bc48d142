/** Stretches of time and what is made of them. Half-open: the end itself is outside. Ticks of 100 ns (shared/kernel/time.ts). */

export interface Period {
  readonly from: bigint
  /** Null: without an end. */
  readonly to: bigint | null
}

const endsBefore = (one: bigint | null, other: bigint | null): boolean =>
  one !== null && (other === null || one < other)
const earlier = (one: bigint | null, other: bigint | null): bigint | null => (endsBefore(one, other) ? one : other)
const isEmpty = ({ from, to }: Period): boolean => to !== null && to <= from

/** All of the past. Before the first time there is (shared/kernel/time.ts). */
export const upTo = (to: bigint): Period => ({ from: -(2n ** 62n), to })

export const holds = ({ from, to }: Period, at: bigint): boolean => from <= at && (to === null || at < to)
export const overlap = (one: Period, other: Period): boolean => commonTo([one], [other]).length > 0

/** In order, none touching another. */
export function joined(periods: readonly Period[]): Period[] {
  const sorted = periods
    .filter((one) => !isEmpty(one))
    .toSorted((one, other) => (one.from < other.from ? -1 : one.from > other.from ? 1 : 0))
  const found: { from: bigint; to: bigint | null }[] = []
  for (const { from, to } of sorted) {
    const last = found.at(-1)
    if (last === undefined || endsBefore(last.to, from)) found.push({ from, to })
    else if (endsBefore(last.to, to)) last.to = to
  }
  return found
}

/** What lies in both. */
export const commonTo = (these: readonly Period[], those: readonly Period[]): Period[] =>
  joined(
    these.flatMap((one) =>
      those.map((other) => ({ from: one.from > other.from ? one.from : other.from, to: earlier(one.to, other.to) })),
    ),
  )

/** What of these lies in none of those. */
export function without(these: readonly Period[], those: readonly Period[]): Period[] {
  let left = joined(these)
  for (const taken of joined(those))
    left = left.flatMap((one) => {
      const before = { from: one.from, to: earlier(one.to, taken.from) }
      const after = taken.to === null ? null : { from: one.from > taken.to ? one.from : taken.to, to: one.to }
      return [before, ...(after === null ? [] : [after])].filter((part) => !isEmpty(part))
    })
  return left
}

/** How many of the others there are at the moment inside this one at which there are most. */
export function mostAtOnce(within: Period, others: readonly Period[]): number {
  const inside = others.filter((one) => overlap(within, one))
  const starts = [within.from, ...inside.map(({ from }) => from).filter((at) => holds(within, at))]
  return Math.max(...starts.map((at) => inside.filter((one) => holds(one, at)).length))
}
