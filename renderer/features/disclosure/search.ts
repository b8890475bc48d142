/** What the list of the station shows, as it stands in the address. */
import { z } from 'zod'
import { RECIPIENT_ROLES } from '../../../shared/disclosure/kinds.ts'

export const SHOWN = ['all', 'proposed', 'asked', 'due', 'waiting'] as const

export const disclosureSearch = z.object({
  /** Left out: all. */
  show: z.enum(SHOWN).optional().catch(undefined),
  /** Those to this kind of recipient; left out: to everybody. */
  to: z.enum(RECIPIENT_ROLES).optional().catch(undefined),
})
export type DisclosureSearch = z.output<typeof disclosureSearch>
