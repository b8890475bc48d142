import { z } from 'zod'

/** A structured setting, given as JSON or as the value itself. */
export const jsonSetting = <T extends z.ZodType>(schema: T) =>
  z.preprocess((given, context) => {
    if (typeof given !== 'string') return given
    try {
      return JSON.parse(given) as unknown
    } catch {
      context.addIssue({ code: 'custom', message: 'is no JSON' })
      return z.NEVER
    }
  }, schema)
