/** What the page shows, as it stands in the address. */
import { z } from 'zod'

export const VIEWS = ['due', 'bin', 'certificates', 'quarantine'] as const
export type View = (typeof VIEWS)[number]

export const dispositionSearch = z.object({
  view: z.enum(VIEWS).optional().catch(undefined),
  /** Which certificate is open beside the list. */
  open: z.coerce.string().max(256).optional().catch(undefined),
})
export type DispositionSearch = z.output<typeof dispositionSearch>
