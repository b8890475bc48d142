/** Words of disclosure that stand in the contract, in the database and on papers (docs/decisions/0035). */

export const RECIPIENT_ROLES = ['prosecutor', 'defence', 'court', 'insurer', 'public-records', 'agency'] as const
export type RecipientRole = (typeof RECIPIENT_ROLES)[number]

export const DISCLOSURE_MEDIA = ['folder', 'disc', 'usb', 'handover'] as const
export type DisclosureMedium = (typeof DISCLOSURE_MEDIA)[number]

/** MG6C: unused material that is not sensitive. MG6D: sensitive material, with reasons. */
export const WITHHELD_BASES = ['MG6C', 'MG6D'] as const
export type WithheldBasis = (typeof WITHHELD_BASES)[number]

/** Series of numbers of a case: what was given, and what was withheld, by its schedule. */
export const SERIES = ['list', ...WITHHELD_BASES] as const
export type Series = (typeof SERIES)[number]

/** MG6E is the disclosure officer's report: it has no lines of its own. */
export const SCHEDULES = [...SERIES, 'MG6E'] as const
export type Schedule = (typeof SCHEDULES)[number]

export const RESTRICTIONS = ['do-not-disclose', 'privileged', 'sealed'] as const
export type RestrictionKind = (typeof RESTRICTIONS)[number]

export const ACKNOWLEDGED_BY = ['signature-scan', 'signed-file', 'in-person'] as const
export type AcknowledgedHow = (typeof ACKNOWLEDGED_BY)[number]

/** Of what a second person approves before it is given (docs/decisions/0040). */
export const PROPOSAL_STATES = ['waiting', 'approved', 'refused', 'withdrawn', 'given'] as const
export type ProposalState = (typeof PROPOSAL_STATES)[number]

/** Of what somebody asked to be given. */
export const REQUEST_STATES = ['open', 'answered', 'closed'] as const
export type RequestState = (typeof REQUEST_STATES)[number]

/** Why somebody cannot approve what was proposed. */
export const WHY_NOT_SECOND = ['NotManage', 'NotAPerson', 'Requested', 'ControlsOther'] as const
export type WhyNotSecond = (typeof WHY_NOT_SECOND)[number]

/** Why a recipient has to be told something since. */
export const DUE_REASONS = ['new', 'changed', 'ground-fell', 'restricted'] as const
export type DueReason = (typeof DUE_REASONS)[number]

/** Sensitive material and reports about it go to these alone. */
export const seesSensitive = (role: RecipientRole): boolean => role === 'prosecutor' || role === 'court'

/** Reasons, grounds, descriptions and authorities. */
export const LONGEST_REASON = 2000
export const MOST_DISCLOSED = 5000
export const MOST_WITHHELD = 2000
