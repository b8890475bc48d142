/** What the page asks of the station while it is put together. */
import type { Ahead } from '../../../client/page.ts'
import { chosenOf, shownFor } from './kinds.ts'
import { evidenceQuery, mediaQuery, resourcesQuery } from './queries.ts'
import { viewIn } from './search-state.ts'

/** Asks for an evidence, its files and what plays of the one that is shown. Nothing more is asked for where one is refused. */
export async function askAhead({ queries, tenant, params, search }: Ahead): Promise<void> {
  const { evidenceId = '' } = params
  await queries.fetchQuery(evidenceQuery(tenant, evidenceId))
  const resources = await queries.fetchQuery(resourcesQuery(tenant, evidenceId))
  const chosen = chosenOf(resources, viewIn(search).resource)
  if (chosen !== null) await queries.fetchQuery(mediaQuery(tenant, evidenceId, shownFor(chosen, resources).ResourceId))
}
