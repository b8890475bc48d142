/** What this person has looked at since the window was opened: kept in memory alone, since names are nothing for a browser's storage. */
export interface Visit {
  readonly kind: 'case' | 'evidence'
  readonly id: string
  readonly title: string
}

const MOST = 12
let owner = ''
let visits: readonly Visit[] = []

/** @param person whose it is: another one at this window begins anew */
export function noteVisit(person: string, visit: Visit): void {
  const before = person === owner ? visits : []
  owner = person
  visits = [visit, ...before.filter(({ kind, id }) => kind !== visit.kind || id !== visit.id)].slice(0, MOST)
}

/** Newest first. */
export const recentVisits = (person: string): readonly Visit[] => (person === owner ? visits : [])
