/** What must stay, written down from the decisions on plain values; nothing of the product's rule is used in it. */
import { DAY } from './world.ts'

/** Days in the recycle bin. */
export const BIN = 7

export interface MCase {
  id: number
  category: number | null
  open: boolean
  closedAt: number | null
  life: 'Normal' | 'Protected' | 'Deleted'
}
export interface MFile {
  id: number
  sha256: string
  category: number | null
  fromSource: boolean
  createdAt: number
  cases: Set<number>
  withdrawn: number
  life: 'None' | 'Protected' | 'Deleted' | 'Destroyed'
  deletedAt: number | null
  keptUntil: number
}
/** Days of each category and of the source; null: keep. */
export interface Model {
  categories: { id: string; days: number | null }[]
  source: { id: string; days: number | null }
  cases: MCase[]
  files: MFile[]
  base: { wall: number; monotonic: number }
  blockedUntil: number
}

/** Why it must stay, by the decisions; null: nothing says so. */
export function keeps(model: Model, file: MFile, now: number): string | null {
  const mine = model.cases.filter((_, at) => file.cases.has(at))
  if (mine.some((one) => one.open)) return 'a case of it is open'
  if (mine.some((one) => one.life === 'Deleted')) return 'a case of it is in the recycle bin'
  if (mine.some((one) => one.life === 'Protected')) return 'a case of it is protected'
  if (file.life === 'Protected') return 'it is protected'
  if (file.withdrawn > 0) return 'a link was withdrawn'
  if (file.keptUntil > now) return 'somebody kept it'
  if (file.life === 'Deleted') return now < (file.deletedAt as number) + BIN * DAY ? 'it is in the recycle bin' : null
  const days: (number | null)[] = mine.map((one) =>
    one.category === null ? null : (model.categories[one.category]?.days ?? null),
  )
  if (file.category !== null) days.push(model.categories[file.category]?.days ?? null)
  if (file.fromSource) days.push(model.source.days)
  if (days.length === 0) return 'nobody said how long'
  if (days.includes(null)) return 'something keeps it for ever'
  const start = mine.length === 0 ? file.createdAt : Math.max(...mine.map((one) => one.closedAt as number))
  const until = start + Math.max(...(days as number[])) * DAY
  return now < until ? 'its time is not over' : null
}
