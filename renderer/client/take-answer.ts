import type { QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * Shows what the station answered to an act without asking anew. A question that was under way may have been answered from before the act
 * and would put back what is gone: it is dropped first, and asked again, for it may carry what others changed.
 */
export async function takeAnswer<T>(
  queries: QueryClient,
  queryKey: QueryKey,
  change: (now: T | undefined) => T | undefined,
): Promise<void> {
  const asking = queries.isFetching({ queryKey, exact: true }) > 0
  await queries.cancelQueries({ queryKey, exact: true })
  queries.setQueryData<T>(queryKey, change)
  if (asking) void queries.invalidateQueries({ queryKey, exact: true })
}
