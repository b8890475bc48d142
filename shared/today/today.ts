/** What the start page tells of a recording, of a case and of the set-up. */
import { isGivenName } from '../evidence/display-name.ts'

/** What a recording still needs, in the order in which it is said. */
export const MISSING = ['Failed', 'Processing', 'Category', 'Case', 'Title', 'Time'] as const
export type Missing = (typeof MISSING)[number]

/** Why a case is somebody's own. */
export const CASE_REASONS = ['Owner', 'Personnel', 'Follower', 'Shared'] as const
export type CaseReason = (typeof CASE_REASONS)[number]

/** What makes a station ready for work, in the order in which it is best done. */
export const SETUP_STEPS = [
  'Name',
  'People',
  'Categories',
  'Departments',
  'Cameras',
  'Dispatch',
  'Backup',
  'Network',
] as const
export type SetupStep = (typeof SETUP_STEPS)[number]

export interface RecordingFacts {
  readonly name: string
  readonly hasCategory: boolean
  readonly isInCase: boolean
  /** Names that it got without anybody choosing one: of its first file, and the camera's own. */
  readonly givenNames: readonly (string | null)[]
  readonly timeIsKnown: boolean
  /** As the list of evidence has it. */
  readonly status: string
}

const PROCESSING: ReadonlySet<string> = new Set(['open', 'working', 'waiting'])
const FAILED: ReadonlySet<string> = new Set(['attention', 'danger', 'differs'])

export function missingOf(facts: RecordingFacts): Missing[] {
  const holds: Readonly<Record<Missing, boolean>> = {
    Failed: FAILED.has(facts.status),
    Processing: PROCESSING.has(facts.status),
    Category: !facts.hasCategory,
    Case: !facts.isInCase,
    Title: isGivenName(facts.name, facts.givenNames),
    Time: !facts.timeIsKnown,
  }
  return MISSING.filter((one) => holds[one])
}
