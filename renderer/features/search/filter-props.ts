import type { SearchState } from './search-state.ts'

export interface FilterProps {
  readonly search: SearchState
  readonly change: (what: Partial<SearchState>) => void
}
