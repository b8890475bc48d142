import type { z } from 'zod'
import * as acts from '../../../shared/cases/case-acts.contract.ts'
import * as linking from '../../../shared/cases/case-links.contract.ts'
import { listCases } from '../../../shared/cases/case-list.contract.ts'
import * as categories from '../../../shared/cases/categories.contract.ts'
import * as contract from '../../../shared/cases/contract.ts'
import * as departments from '../../../shared/cases/departments.contract.ts'
import * as prefilled from '../../../shared/cases/prefilled-fields.contract.ts'
import { type BoundRoute, json } from '../../http/handlers.ts'
import type { CaseActs } from './case-acts.service.ts'
import type { CaseList } from './case-list.service.ts'
import type { Cases } from './cases.service.ts'
import type { Categories, CategoryInput } from './categories.service.ts'
import type { Departments } from './departments.service.ts'
import type { Links } from './links.service.ts'
import type { PrefilledFields } from './prefilled-fields.service.ts'

interface Deps {
  readonly service: Cases
  readonly acts: CaseActs
  readonly links: Links
  readonly list: CaseList
}

export function caseRoutes({ service, acts: act, links, list }: Deps): BoundRoute[] {
  return [
    json(contract.createCase, async ({ body, call }) => service.create(call, call.tenant, body)),
    json(contract.getCase, async ({ params, query, call }) => {
      const out = await service.read(call, call.tenant, params.caseId, query.concurrencyId)
      call.describeRead({ id: out.CaseId, name: out.Title, detail: { concurrencyId: out.ConcurrencyId } })
      return out
    }),
    json(contract.updateCase, async ({ params, body, call }) => service.update(call, call.tenant, params.caseId, body)),
    json(contract.patchCase, async ({ params, body, call }) => service.patch(call, call.tenant, params.caseId, body)),
    json(contract.getCaseHistory, async ({ params, query, call }) => {
      const { startingConcurrencyId, count } = query
      const page = { count, ...(startingConcurrencyId === undefined ? {} : { startingConcurrencyId }) }
      const out = await service.history(call, call.tenant, params.caseId, page)
      call.describeRead({ name: out.Name, detail: { returned: out.Entries.length } })
      return out
    }),
    json(contract.closeCase, async ({ params, call }) => service.move(call, call.tenant, params.caseId, 'Closed')),
    json(contract.reopenCase, async ({ params, call }) => service.move(call, call.tenant, params.caseId, 'Open')),
    json(contract.followCase, async ({ params, call }) => service.follow(call, call.tenant, params.caseId, true)),
    json(contract.unfollowCase, async ({ params, call }) => service.follow(call, call.tenant, params.caseId, false)),
    json(listCases, async ({ query, call }) => {
      const out = await list.list(call, call.tenant, query)
      const { from, to, ...asked } = query
      const times = { ...(from === undefined ? {} : { from: from.text }), ...(to === undefined ? {} : { to: to.text }) }
      call.describeRead({ detail: { ...asked, ...times, returned: out.Items.length } })
      return out
    }),
    json(acts.shareCase, async ({ params, body, call }) => act.share(call, call.tenant, params.caseId, body)),
    json(acts.protectCase, async ({ params, body, call }) => act.protect(call, call.tenant, params.caseId, body)),
    json(acts.unprotectCase, async ({ params, call }) => act.unprotect(call, call.tenant, params.caseId)),
    json(acts.deleteCase, async ({ params, query, call }) =>
      act.remove(call, call.tenant, params.caseId, query.withFiles === 'true'),
    ),
    json(acts.restoreCase, async ({ params, call }) => act.restore(call, call.tenant, params.caseId)),
    json(linking.linkEvidences, async ({ params, body, call }) =>
      links.link(call, call.tenant, params.caseId, body).then(() => undefined),
    ),
    json(linking.confirmLink, async ({ params, call }) =>
      links.confirm(call, call.tenant, params.caseId, params.evidenceId),
    ),
    json(linking.getEvidenceRelations, async ({ params, query, call }) => {
      const out = await links.relations(call, call.tenant, params.evidenceId, query.concurrencyId)
      call.describeRead({ detail: { concurrencyId: out.ConcurrencyId, returned: out.Relations.length } })
      return out
    }),
  ]
}

interface CategoryDeps {
  readonly service: Categories
}

export function categoryRoutes({ service }: CategoryDeps): BoundRoute[] {
  return [
    json(categories.createCategory, async ({ body, call }) => service.create(call, call.tenant, categoryIn(body))),
    json(categories.listCategories, async ({ call }) => {
      const out = await service.list(call.tenant)
      call.describeRead({ detail: { returned: out.length } })
      return out
    }),
    json(categories.getCategory, async ({ params, call }) => {
      const out = await service.read(call.tenant, params.categoryId)
      call.describeRead({ id: out.CategoryId, name: out.Name, detail: { concurrencyId: out.ConcurrencyId } })
      return out
    }),
    json(categories.updateCategory, async ({ params, body, call }) =>
      service.update(call, call.tenant, params.categoryId, categoryIn(body), body.ConcurrencyId),
    ),
  ]
}

const categoryIn = (body: z.output<typeof categories.CreateCategoryModel>): CategoryInput => ({
  name: body.Name,
  description: body.Description ?? null,
  color: body.Color ?? null,
  retentionDays: body.RetentionDays ?? null,
  enabled: body.Enabled ?? null,
})

interface DepartmentDeps {
  readonly service: Departments
}

export function departmentRoutes({ service }: DepartmentDeps): BoundRoute[] {
  return [
    json(departments.createDepartment, async ({ body, call }) => service.create(call, call.tenant, body)),
    json(departments.listDepartments, async ({ call }) => {
      const out = await service.list(call, call.tenant)
      call.describeRead({ detail: { returned: out.length } })
      return out
    }),
    json(departments.getDepartment, async ({ params, call }) => {
      const out = await service.read(call, call.tenant, params.departmentId)
      call.describeRead({ name: out.Name, detail: { concurrencyId: out.ConcurrencyId } })
      return out
    }),
    json(departments.updateDepartment, async ({ params, body, call }) =>
      service.update(call, call.tenant, params.departmentId, body),
    ),
    json(departments.getDepartmentHistory, async ({ params, query, call }) => {
      const { startingConcurrencyId, count } = query
      const page = { count, ...(startingConcurrencyId === undefined ? {} : { startingConcurrencyId }) }
      const out = await service.history(call, call.tenant, params.departmentId, page)
      call.describeRead({ name: out.Name, detail: { returned: out.Entries.length } })
      return out
    }),
    json(departments.isDepartmentNameAvailable, async ({ body, call }) => {
      const available = await service.isNameAvailable(call.tenant, body)
      call.describeRead({ name: body, detail: { available } })
      return available
    }),
    json(departments.getDefaultDepartment, async ({ call }) => {
      const out = await service.readDefault(call.tenant)
      call.describeRead({
        id: out.DepartmentId ?? '',
        name: out.Name ?? '',
        detail: { concurrencyId: out.ConcurrencyId },
      })
      return out
    }),
    json(departments.assignDefaultDepartment, async ({ body, call }) =>
      service.assignDefault(call, call.tenant, body.DepartmentId ?? null, body.ConcurrencyId),
    ),
  ]
}

interface PrefilledDeps {
  readonly service: PrefilledFields
}

export function prefilledFieldRoutes({ service }: PrefilledDeps): BoundRoute[] {
  return [
    json(prefilled.getPrefilledFields, async ({ call }) => {
      const out = await service.list(call.tenant)
      call.describeRead({ detail: { returned: out.length } })
      return out
    }),
    json(prefilled.updatePrefilledField, async ({ params, query, body, call }) =>
      service.put(call, call.tenant, params.prefilledFieldId, body, query.eTag),
    ),
    json(prefilled.deletePrefilledField, async ({ params, call }) =>
      service.delete(call, call.tenant, params.prefilledFieldId),
    ),
  ]
}
