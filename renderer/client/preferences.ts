/** Choices of how things look, kept in this browser. Never evidence, never a name. */
type Choice =
  | 'language'
  | 'theme'
  | 'density'
  | 'singleKeys'
  | 'listColumns'
  | 'listView'
  | 'split'
  | 'wallSound'
  | 'timePlate'
  | 'dismissed'

export function kept(choice: Choice): string | null {
  try {
    return localStorage.getItem(`sallyport.${choice}`)
  } catch {
    return null
  }
}

/** Storage may be refused (private windows); then the choice lasts as long as the page. */
export function keep(choice: Choice, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`sallyport.${choice}`)
    else localStorage.setItem(`sallyport.${choice}`, value)
  } catch {
    // Nothing depends on it.
  }
}
