/**
 * Who may approve a destruction (decisions 6, promise I10): two people, neither of them the requester. The three sets {the person, and
 * whoever controls the account} of the requester and both approvers have no member in common. Programs approve nothing, since whoever
 * renews their keys is them.
 */
import { COMMAND_LINE, type Person } from '../identity/account-control.ts'

export interface Approver {
  readonly kind: string
  readonly id: Person
  /** Who controls the account; of somebody who approved or requested, also everybody who controlled it since then. */
  readonly controllers: ReadonlySet<Person>
  /** Since when they are in ApproveDisposition, directly or through a group; null: nobody knows. */
  readonly inPolicySince: number | null
}

export const WHY_NOT = [
  'NotAPerson',
  'Requested',
  'MadeByRequester',
  'ApprovedAlready',
  'MadeByApprover',
  'ControlledFromCommandLine',
  'NewInPolicy',
  'ClockJumped',
  'NotWaiting',
] as const
export type WhyNot = (typeof WHY_NOT)[number]

export interface Approved {
  readonly waiting: boolean
  /** Null: the station itself, by a retention. */
  readonly requester: Pick<Approver, 'id' | 'controllers'> | null
  readonly approvals: readonly Pick<Approver, 'id' | 'controllers'>[]
}

export interface ApprovalTime {
  readonly now: number
  /** An approver has been in the policy for as long. */
  readonly coolingMs: number
  /** False after the clock jumped: then it proves no time in the policy. */
  readonly clockIsSteady: boolean
}

/** Null: they may. */
export function whyNotApprove(
  { waiting, requester, approvals }: Approved,
  caller: Approver,
  { now, coolingMs, clockIsSteady }: ApprovalTime,
): WhyNot | null {
  if (!waiting) return 'NotWaiting'
  if (caller.kind !== 'user') return 'NotAPerson'
  if (caller.id === requester?.id) return 'Requested'
  if (requester !== null && haveCommonMember(caller, requester)) return 'MadeByRequester'
  if (approvals.some((other) => other.id === caller.id)) return 'ApprovedAlready'
  if (approvals.some((other) => haveCommonMember(caller, other))) return 'MadeByApprover'
  // Whoever works at the command line may be any of the people here, so that no comparison of names excludes it.
  if (caller.controllers.has(COMMAND_LINE)) return 'ControlledFromCommandLine'
  if (caller.inPolicySince === null || now - caller.inPolicySince < coolingMs) return 'NewInPolicy'
  return clockIsSteady ? null : 'ClockJumped'
}

type Controlled = Pick<Approver, 'id' | 'controllers'>

const haveCommonMember = (one: Controlled, other: Controlled): boolean => {
  const members = new Set([one.id, ...one.controllers])
  return [other.id, ...other.controllers].some((member) => members.has(member))
}
