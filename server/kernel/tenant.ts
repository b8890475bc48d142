import { fault } from '../../shared/kernel/errors.ts'
import { nameKey } from '../../shared/kernel/names.ts'

/**
 * Finds the tenant that a path names as `tenantId` or `tenantName`, which are the same name, compared without case (decisions 1). A path
 * that names none means the station's. @throws Fault TenantNotFound
 */
export type FindTenant = (name: string | undefined) => string

/** @param registered the station's tenant */
export function tenantByName(registered: string): FindTenant {
  const key = nameKey(registered)
  return (name) => {
    if (name !== undefined && name !== registered && nameKey(name) !== key)
      throw fault('TenantNotFound', `There is no tenant "${name.slice(0, 100)}".`)
    return registered
  }
}
