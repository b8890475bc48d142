import type { Feature, Kernel } from '../../kernel/kernel.ts'
import { createSearchCatchUp } from './index-catch-up.ts'
import { createSavedSearches } from './saved.service.ts'
import { searchRoutes } from './search.routes.ts'
import { createSearch } from './search.service.ts'

interface Needs {
  /** Fields of the templates of cases and evidence. */
  readonly customFields: Parameters<typeof createSearch>[0]['customFields']
}

/** Search over cases, evidence, people and devices. */
export function searchFeature(kernel: Kernel, { customFields }: Needs): Feature {
  return {
    routes: searchRoutes({
      search: createSearch({ ...kernel, customFields }),
      saved: createSavedSearches(kernel),
    }),
    tasks: [
      {
        name: 'what the search has still to read',
        runsOn: 'one node',
        everyMs: 1_000,
        run: createSearchCatchUp(kernel).run,
      },
    ],
  }
}
