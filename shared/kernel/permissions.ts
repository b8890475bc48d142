/** `None` < `View` < `Download` < `Edit` < `Manage`, each including the lower (decisions 3). */
export const LEVELS = ['None', 'View', 'Download', 'Edit', 'Manage'] as const
export type Level = (typeof LEVELS)[number]

/** All levels held, or `["None"]` (decisions 3, AccessorPermissions). */
export function levelsUpTo(level: Level): Level[] {
  return level === 'None' ? ['None'] : LEVELS.slice(1, LEVELS.indexOf(level) + 1)
}

export function includes(held: Level, needed: Level): boolean {
  return LEVELS.indexOf(held) >= LEVELS.indexOf(needed)
}

/** Tenant-wide security policies (decisions 3). */
export const SECURITY_POLICIES = [
  'ManageDevices',
  'CreateCases',
  'ShareCases',
  'AccessAuditTrail',
  'DeleteCasesAndFiles',
  'RestoreFromRecycleBin',
  'ProtectFromDeletion',
  'ApproveDisposition',
  'AccessUnassociatedFiles',
  'AccessFilesFromMyDevice',
  'PushCadEvents',
  'ManageConfiguration',
] as const
export type SecurityPolicy = (typeof SECURITY_POLICIES)[number]
