import { z } from 'zod'
import { TenantNameParams as Tenant } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'

/** Counts of disposition alone: what the frame of every page asks for (see disposition.ts). */

const Amount = { Files: z.int().meta({ description: 'Files that came from outside.' }), Bytes: z.int() }

export const dispositionFigures = route({
  id: 'getDispositionFigures',
  interface: 'document',
  method: 'GET',
  path: '/api/v1/tenant/:tenantName/disposition/figures',
  origin: 'extension',
  summary: 'How much is due, in the recycle bin, and destroyed',
  permission: { kind: 'policy', policy: 'ApproveDisposition' },
  audit: { by: 'none', reason: 'Counts alone; no evidence and no case is named.' },
  params: Tenant,
  responses: {
    200: z
      .object({
        Waiting: z.int().meta({ description: 'Items that wait for an approval.' }),
        Own: z
          .object({ Count: z.int(), More: z.boolean() })
          .meta({ description: 'Of these, items that the caller may approve now; 100 are looked through.' }),
        Due: z.object({ Items: z.int(), ...Amount }),
        RecycleBin: z.int(),
        Certificates: z.int(),
        CoolingOffHours: z.int(),
        RecycleBinDays: z.int(),
      })
      .meta({ id: 'DispositionFigures' }),
  },
  errors: ['TenantNotFound'],
})
