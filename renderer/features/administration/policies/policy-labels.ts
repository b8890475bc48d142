import type { SecurityPolicy } from '../../../../shared/kernel/permissions.ts'
import type { Words } from '../labels.ts'

const WORDS = {
  ManageDevices: 'policyDevices',
  CreateCases: 'policyCreate',
  ShareCases: 'policyShare',
  AccessAuditTrail: 'policyAudit',
  DeleteCasesAndFiles: 'policyDelete',
  RestoreFromRecycleBin: 'policyRestore',
  ProtectFromDeletion: 'policyProtect',
  ApproveDisposition: 'policyApprove',
  AccessUnassociatedFiles: 'policyUnassociated',
  AccessFilesFromMyDevice: 'policyMyDevice',
  PushCadEvents: 'policyCad',
  ManageConfiguration: 'policyConfiguration',
} as const satisfies Record<SecurityPolicy, string>

export const policyWords = (policy: SecurityPolicy, t: Words): string => t(WORDS[policy])
/** What it lets somebody do, in a few words. */
export const policyHow = (policy: SecurityPolicy, t: Words): string => t(`${WORDS[policy]}How`)
