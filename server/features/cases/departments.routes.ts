import * as contract from '../../../shared/cases/departments.contract.ts'
import { type BoundRoute, json } from '../../http/handlers.ts'
import type { Departments } from './departments.service.ts'

interface Deps {
  readonly service: Departments
  /** Gives the tenant's name as registered. @throws Fault TenantNotFound */
  readonly tenant: (name: string) => string
}

export function departmentRoutes({ service, tenant }: Deps): BoundRoute[] {
  return [
    json(contract.createDepartment, async ({ params, body, call }) =>
      service.create(call, tenant(params.tenantId), body),
    ),
    json(contract.listDepartments, async ({ params, call }) => {
      const out = await service.list(call, tenant(params.tenantId))
      call.seen({ detail: { returned: out.length } })
      return out
    }),
    json(contract.getDepartment, async ({ params, call }) => {
      const out = await service.read(call, tenant(params.tenantId), params.departmentId)
      call.seen({ name: out.Name, detail: { concurrencyId: out.ConcurrencyId } })
      return out
    }),
    json(contract.updateDepartment, async ({ params, body, call }) =>
      service.update(call, tenant(params.tenantId), params.departmentId, body),
    ),
    json(contract.getDepartmentHistory, async ({ params, query, call }) => {
      const { startingConcurrencyId, count } = query
      const page = { count, ...(startingConcurrencyId === undefined ? {} : { startingConcurrencyId }) }
      const out = await service.history(call, tenant(params.tenantId), params.departmentId, page)
      call.seen({ name: out.Name, detail: { returned: out.Entries.length } })
      return out
    }),
    json(contract.isDepartmentNameAvailable, async ({ params, body, call }) => {
      const available = await service.isNameAvailable(tenant(params.tenantId), body)
      call.seen({ name: body, detail: { available } })
      return available
    }),
    json(contract.getDefaultDepartment, async ({ params, call }) => {
      const out = await service.readDefault(tenant(params.tenantId))
      call.seen({ id: out.DepartmentId ?? '', name: out.Name ?? '', detail: { concurrencyId: out.ConcurrencyId } })
      return out
    }),
    json(contract.assignDefaultDepartment, async ({ params, body, call }) =>
      service.assignDefault(call, tenant(params.tenantId), body.DepartmentId ?? null, body.ConcurrencyId),
    ),
  ]
}
