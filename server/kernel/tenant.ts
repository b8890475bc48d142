import { fault } from '../../shared/kernel/errors.ts'
import { nameKey } from '../../shared/kernel/names.ts'

/** Finds the tenant by name. `tenantId` and `tenantName` are the same name, compared without case (decisions 1). @throws Fault TenantNotFound */
export function tenantByName(registered: string): (name: string) => string {
  const key = nameKey(registered)
  return (name) => {
    if (nameKey(name) !== key) throw fault('TenantNotFound', `There is no tenant "${name.slice(0, 100)}".`)
    return registered
  }
}
