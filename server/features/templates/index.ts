import type { Tx } from '../../kernel/database/database.ts'
import type { Feature, Kernel } from '../../kernel/kernel.ts'
import { templateRoutes } from './templates.routes.ts'
import { createTemplates } from './templates.service.ts'
import { templateOf } from './templates.store.ts'

/** Templates of custom fields. */
export function templatesFeature(kernel: Kernel) {
  const fieldsOf = (type: 'Case' | 'Evidence') => async (from: Tx, name: string) =>
    (await templateOf(from, name, type))?.customFields ?? []
  return {
    fieldsOf,
    routes: templateRoutes({ service: createTemplates(kernel) }),
  } satisfies Feature & Record<'fieldsOf', unknown>
}
