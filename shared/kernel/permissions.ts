/**
 * Levels and policies, and who may do what with a case and with an evidence (decisions 3): one pure rule, of which the server, the lists and
 * the tests are made.
 */

/** `None` < `View` < `Download` < `Edit` < `Manage`, each including the lower (decisions 3). */
export const LEVELS = ['None', 'View', 'Download', 'Edit', 'Manage'] as const
export type Level = (typeof LEVELS)[number]
export type GrantedLevel = Exclude<Level, 'None'>
export const GRANTED_LEVELS: readonly GrantedLevel[] = LEVELS.filter((level) => level !== 'None')

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

/** A policy on a case or on an evidence. */
export interface Grant {
  readonly principalId: number
  readonly level: Level
  /** Ticks; from that instant on it counts no more. */
  readonly expires: bigint | null
}

/** Who asks, and when. */
export interface Asker {
  /** The principal and the groups it is in. */
  readonly identities: ReadonlySet<number>
  /** What `AccessUnassociatedFiles` gives, itself or through a group; guests are in no policy of the kind. */
  readonly unassociated: Level
  /** What `AccessFilesFromMyDevice` gives over what a device recorded while it was the caller's. */
  readonly fromMyDevice: Level
  readonly nowTicks: bigint
}

export interface LinkedCase {
  /** Somebody linked it, or confirmed what the station had linked. */
  readonly byPerson: boolean
  /** A deleted case gives no access to its evidence. */
  readonly deleted: boolean
  readonly policies: readonly Grant[]
}

export const highest = (...levels: readonly Level[]): Level =>
  levels.reduce((most, level) => (includes(level, most) ? level : most), 'None')

const lower = (one: Level, other: Level): Level => (includes(one, other) ? other : one)

/** Highest of the unexpired policies that name the caller or one of their groups. */
export const levelByPolicies = (
  policies: readonly Grant[],
  { identities, nowTicks }: Pick<Asker, 'identities' | 'nowTicks'>,
): Level =>
  highest(
    ...policies
      .filter(({ principalId, expires }) => identities.has(principalId) && (expires === null || expires > nowTicks))
      .map(({ level }) => level),
  )

/**
 * Highest of its own policies, of those of the cases that a person or integration linked it to, of View through an automatic link that
 * nobody confirmed yet, in no case at all of the policy for unassociated files, and of the policy for what the caller's own device
 * recorded, in whichever case it is. A deleted case still counts as one.
 * @param mine whether a device of the caller's recorded it, as far as that gives access
 */
export const levelOnEvidence = (
  own: readonly Grant[],
  cases: readonly LinkedCase[],
  asker: Asker,
  mine: boolean,
): Level =>
  highest(
    levelByPolicies(own, asker),
    ...cases
      .filter(({ deleted }) => !deleted)
      .map(({ byPerson, policies }) => {
        const level = levelByPolicies(policies, asker)
        return byPerson ? level : lower(level, 'View')
      }),
    cases.length === 0 ? asker.unassociated : 'None',
    mine ? asker.fromMyDevice : 'None',
  )
