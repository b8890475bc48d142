/**
 * The permission model as a reader of decisions 3 would write it down, by itself: nothing of the product is used here. What the station
 * answers is held against it (promise S4).
 */
export const LEVELS = ['None', 'View', 'Download', 'Edit', 'Manage'] as const
export type Level = (typeof LEVELS)[number]
export const POLICIES = [
  'CreateCases',
  'ShareCases',
  'AccessAuditTrail',
  'DeleteCasesAndFiles',
  'RestoreFromRecycleBin',
  'ProtectFromDeletion',
  'ApproveDisposition',
  'ManageConfiguration',
  'ManageDevices',
  'PushCadEvents',
] as const
export type Policy = (typeof POLICIES)[number]

export interface DrawnGrant {
  /** Index into people, or people.length + index into groups. */
  readonly to: number
  readonly level: Exclude<Level, 'None'>
  /** Whether it has run out, never does, or will one day. */
  readonly expiry: 'past' | 'future' | 'never'
}

export interface DrawnPerson {
  guest: boolean
  readonly groups: readonly boolean[]
  readonly policies: readonly Policy[]
  readonly unassociated: Level
  /** What AccessFilesFromMyDevice gives directly. */
  readonly fromMyDevice: Level
  readonly administrator: boolean
}

export interface DrawnCase {
  readonly grants: readonly DrawnGrant[]
  state: 'Open' | 'Closed'
  lifecycle: 'Normal' | 'Protected' | 'Deleted'
}

export interface DrawnLink {
  readonly toCase: number
  readonly kind: 'Manual' | 'Automatic'
  readonly confirmed: boolean
}

/** Of the device that recorded it. */
export interface DrawnAssociation {
  readonly to: number
  /** Whether it held at the time of recording, was over at that very moment, or did not begin before a moment later. */
  readonly when: 'meanwhile' | 'over' | 'not yet'
  /** It is a change of the past that nobody confirmed. */
  readonly pending: boolean
}

export interface DrawnEvidence {
  /** Who says which device recorded it. */
  readonly identity: 'Claimed' | 'Credential' | 'Docked'
  readonly associations: readonly DrawnAssociation[]
  readonly grants: readonly DrawnGrant[]
  readonly links: readonly DrawnLink[]
  lifecycle: 'None' | 'Protected' | 'Deleted'
  /** The case that it was deleted with. */
  withCase: number | null
}

export interface DrawnWorld {
  readonly people: readonly DrawnPerson[]
  readonly groupPolicies: readonly {
    readonly policies: readonly Policy[]
    readonly unassociated: Level
    readonly fromMyDevice: Level
  }[]
  readonly cases: readonly DrawnCase[]
  readonly evidences: readonly DrawnEvidence[]
}

const rank = (level: Level): number => LEVELS.indexOf(level)
export const atLeast = (held: Level, needed: Level): boolean => rank(held) >= rank(needed)
const most = (levels: readonly Level[]): Level => LEVELS[Math.max(0, ...levels.map(rank))] as Level

/** Who a grant to `to` reaches. */
function reaches(world: DrawnWorld, who: number, to: number): boolean {
  const groups = to - world.people.length
  return to === who || (groups >= 0 && (world.people[who]?.groups[groups] ?? false))
}

const granted = (world: DrawnWorld, who: number, grants: readonly DrawnGrant[]): Level =>
  most(grants.filter(({ to, expiry }) => expiry !== 'past' && reaches(world, who, to)).map(({ level }) => level))

export const levelOnCase = (world: DrawnWorld, who: number, at: number): Level =>
  granted(world, who, (world.cases[at] as DrawnCase).grants)

export function levelOnEvidence(world: DrawnWorld, who: number, at: number): Level {
  const { grants, links, identity, associations } = world.evidences[at] as DrawnEvidence
  const levels = [granted(world, who, grants)]
  for (const { toCase, kind, confirmed } of links) {
    if (world.cases[toCase]?.lifecycle === 'Deleted') continue
    const level = levelOnCase(world, who, toCase)
    levels.push(kind === 'Manual' || confirmed || level === 'None' ? level : 'View')
  }
  const person = world.people[who] as DrawnPerson
  if (links.length === 0 && !person.guest) {
    levels.push(person.unassociated)
    for (const [index, { unassociated }] of world.groupPolicies.entries())
      if (person.groups[index]) levels.push(unassociated)
  }
  const mine = associations.some(({ to, when, pending }) => to === who && when === 'meanwhile' && !pending)
  if (mine && identity !== 'Claimed' && !person.guest) {
    levels.push(person.fromMyDevice)
    for (const [index, { fromMyDevice }] of world.groupPolicies.entries())
      if (person.groups[index]) levels.push(fromMyDevice)
  }
  return most(levels)
}

/** What a level lets somebody do but share: a guest's Manage adds sharing below Manage, and is Edit for all else (decisions 13). */
const besideSharing = (world: DrawnWorld, who: number, level: Level): Level =>
  level === 'Manage' && world.people[who]?.guest === true ? 'Edit' : level

export const actsOnCase = (world: DrawnWorld, who: number, at: number): Level =>
  besideSharing(world, who, levelOnCase(world, who, at))

export const actsOnEvidence = (world: DrawnWorld, who: number, at: number): Level =>
  besideSharing(world, who, levelOnEvidence(world, who, at))

/**
 * Whether somebody may have policies say that another holds `level`: Manage changes all, a guest's adds and raises below Manage, and
 * nobody else changes any. What the policies say already is no change.
 */
export function maySet(
  { guest }: Pick<DrawnPerson, 'guest'>,
  holds: Level,
  known: DrawnGrant | undefined,
  level: DrawnGrant['level'],
): boolean {
  if (known?.level === level) return true
  if (holds !== 'Manage') return false
  return !guest || (level !== 'Manage' && (known === undefined || atLeast(level, known.level)))
}

/** The same for taking a policy out, which is no sharing. */
export const mayTakeOut = (
  { guest }: Pick<DrawnPerson, 'guest'>,
  holds: Level,
  known: DrawnGrant | undefined,
): boolean => known === undefined || (holds === 'Manage' && !guest)

export function inPolicy(world: DrawnWorld, who: number, policy: Policy): boolean {
  const person = world.people[who] as DrawnPerson
  const directly = person.policies.includes(policy)
  if (person.guest) return policy === 'CreateCases' && directly
  return (
    directly ||
    world.groupPolicies.some(({ policies }, index) => person.groups[index] === true && policies.includes(policy))
  )
}
