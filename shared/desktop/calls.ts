/** What each call of the bridge may be given; held against in the main process, whatever the page's own types say. */
import { z } from 'zod'
import type { Call } from './bridge.ts'

const line = (longest: number) => z.string().trim().min(1).max(longest)
const nothing = z.undefined()

export const ARGUMENT = {
  chooseFiles: z.strictObject({ title: line(120).optional(), multiple: z.boolean().optional() }).optional(),
  chooseFolders: nothing,
  saved: nothing,
  reveal: z.string().min(1).max(4096),
  print: z
    .strictObject({
      landscape: z.boolean().optional(),
      backgrounds: z.boolean().optional(),
      paper: z.enum(['A4', 'Letter']).optional(),
    })
    .optional(),
  notify: z.strictObject({ title: line(120), body: line(400) }),
  badge: z.int().min(0).max(9999),
  about: nothing,
  quit: nothing,
} as const satisfies Record<Call, z.ZodType>

export type ArgumentOf<Name extends Call> = z.output<(typeof ARGUMENT)[Name]>
