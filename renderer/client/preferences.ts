/** Choices of how things look, kept in this browser. Never evidence, never a name. */
type Choice =
  | 'language'
  | 'theme'
  | 'density'
  | 'singleKeys'
  | 'evidenceColumns'
  | 'caseColumns'
  | 'shifts'
  | 'listView'
  | 'split'
  | 'timelineHeight'
  | 'wallSound'
  | 'timePlate'
  | 'dismissed'
  | 'package'

/** Several people work at one desk. */
const keyOf = (choice: Choice, person: string | undefined): string =>
  person === undefined ? `sallyport.${choice}` : `sallyport.${choice}.${person}`

/** @param person id of whose choice it is; left out: of whoever sits here */
export function kept(choice: Choice, person?: string): string | null {
  try {
    return localStorage.getItem(keyOf(choice, person))
  } catch {
    return null
  }
}

/** Storage may be refused (private windows); then the choice lasts as long as the page. */
export function keep(choice: Choice, value: string | null, person?: string): void {
  try {
    if (value === null) localStorage.removeItem(keyOf(choice, person))
    else localStorage.setItem(keyOf(choice, person), value)
  } catch {
    // Nothing depends on it.
  }
}
