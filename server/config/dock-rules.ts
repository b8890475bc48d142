import { z } from 'zod'
import type { DockRule } from '../../shared/docking/docking.ts'
import { jsonSetting } from './json-setting.ts'

const Name = z.string().trim().min(1).max(256)

const Rule: z.ZodType<DockRule> = z
  .strictObject({
    when: z.strictObject({
      profile: z.string().min(1).max(48).optional(),
      deviceType: z.string().min(1).max(256).optional(),
      officerDepartment: Name.optional(),
      folder: z.string().min(1).optional(),
    }),
    category: Name.optional(),
    department: Name.optional(),
  })
  .refine(
    ({ category, department }) => category !== undefined || department !== undefined,
    'a rule has neither category nor department',
  )

/** The setting, as JSON or as the list itself. With an empty list, recordings have no category and no department until a person sets them. */
export const DockRules = jsonSetting(z.array(Rule).max(200))
