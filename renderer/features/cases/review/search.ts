/** What the page shows, as it stands in the address. */
import { z } from 'zod'

export const reviewSearch = z.object({
  /** Which question is open beside the list. */
  open: z.coerce.string().max(256).optional().catch(undefined),
})
export type ReviewSearch = z.output<typeof reviewSearch>
