import { z } from 'zod'

/** What people are called today, beside models that name them by user name. */
export const PersonName = z
  .object({ PrincipalId: z.string(), Username: z.string(), FirstName: z.string(), LastName: z.string() })
  .meta({ id: 'PersonName' })

export type PersonNameOut = z.input<typeof PersonName>
