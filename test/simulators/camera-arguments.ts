import { UsageError } from '../../server/bin/error-messages.ts'

/** Words of the camera simulator's commands. */

/** @throws UsageError */
export function whole(name: string, text: string, least: number, most: number): number {
  const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= least && value <= most)) throw new UsageError(`${name} is a whole number from ${least} to ${most}.`)
  return value
}

/** @throws UsageError */
export function among<T extends string>(name: string, text: string, all: readonly T[]): T {
  const found = all.find((each) => each === text)
  if (found === undefined) throw new UsageError(`${name} is one of ${all.join(', ')}.`)
  return found
}
