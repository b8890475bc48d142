/** What the pages of devices show, as it stands in the address. */
import { z } from 'zod'
import { DEVICE_STATES } from '../../../shared/devices/contract.ts'

const TEXT = z.coerce.string().max(256)
export const devicesSearch = z.object({
  q: TEXT.optional().catch(undefined),
  state: z.enum(DEVICE_STATES).optional().catch(undefined),
  type: TEXT.optional().catch(undefined),
  /** Id of an officer, and the name to show before it is looked up. */
  officer: z.coerce
    .string()
    .regex(/^\d{1,19}$/)
    .optional()
    .catch(undefined),
  name: TEXT.optional().catch(undefined),
})
export type DevicesSearch = z.output<typeof devicesSearch>

export const TABS = ['overview', 'officers', 'configuration', 'negotiations'] as const
export type Tab = (typeof TABS)[number]
export const deviceSearch = z.object({ tab: z.enum(TABS).optional().catch(undefined) })

export const typesSearch = z.object({ open: TEXT.optional().catch(undefined) })
