import * as contract from '../../../shared/cases/departments.contract.ts'
import { type BoundRoute, json } from '../../http/handlers.ts'
import type { Departments } from './departments.service.ts'

interface Deps {
  readonly service: Departments
}

export function departmentRoutes({ service }: Deps): BoundRoute[] {
  return [
    json(contract.createDepartment, async ({ body, call }) => service.create(call, call.tenant, body)),
    json(contract.listDepartments, async ({ call }) => {
      const out = await service.list(call, call.tenant)
      call.describeRead({ detail: { returned: out.length } })
      return out
    }),
    json(contract.getDepartment, async ({ params, call }) => {
      const out = await service.read(call, call.tenant, params.departmentId)
      call.describeRead({ name: out.Name, detail: { concurrencyId: out.ConcurrencyId } })
      return out
    }),
    json(contract.updateDepartment, async ({ params, body, call }) =>
      service.update(call, call.tenant, params.departmentId, body),
    ),
    json(contract.getDepartmentHistory, async ({ params, query, call }) => {
      const { startingConcurrencyId, count } = query
      const page = { count, ...(startingConcurrencyId === undefined ? {} : { startingConcurrencyId }) }
      const out = await service.history(call, call.tenant, params.departmentId, page)
      call.describeRead({ name: out.Name, detail: { returned: out.Entries.length } })
      return out
    }),
    json(contract.isDepartmentNameAvailable, async ({ body, call }) => {
      const available = await service.isNameAvailable(call.tenant, body)
      call.describeRead({ name: body, detail: { available } })
      return available
    }),
    json(contract.getDefaultDepartment, async ({ call }) => {
      const out = await service.readDefault(call.tenant)
      call.describeRead({
        id: out.DepartmentId ?? '',
        name: out.Name ?? '',
        detail: { concurrencyId: out.ConcurrencyId },
      })
      return out
    }),
    json(contract.assignDefaultDepartment, async ({ body, call }) =>
      service.assignDefault(call, call.tenant, body.DepartmentId ?? null, body.ConcurrencyId),
    ),
  ]
}
