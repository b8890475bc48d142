/** What the start page says of a recording and of a case. */
import type { Missing, SetupStep } from '../../../shared/today/today.ts'
import type { Translate } from '../../client/translate.ts'
import type { Format } from '../../ui/format/use-format.tsx'
import type { Checklist, OwnCase, Recording, Today } from './queries.ts'

export type Words = Translate<'today'>

/** What people add; the others are said by the state of the recording. */
export const TO_ADD = {
  Category: 'missingCategory',
  Case: 'missingCase',
  Title: 'missingTitle',
  Time: 'missingTime',
} as const satisfies Partial<Record<Missing, string>>

export const toAdd = ({ Missing: missing }: Recording) =>
  missing.flatMap((one) => (one === 'Failed' || one === 'Processing' ? [] : [one]))

const SUMS = {
  Failed: 'sumFailed',
  Processing: 'sumProcessing',
  Category: 'sumCategory',
  Case: 'sumCase',
  Title: 'sumTitle',
  Time: 'sumTime',
} as const satisfies Record<Missing, string>

/** Of the recordings that are shown: how many lack what. */
export function sumsOf(items: readonly Recording[], t: Words): readonly string[] {
  const kinds = Object.keys(SUMS) as Missing[]
  return kinds.flatMap((kind) => {
    const count = items.filter(({ Missing: missing }) => missing.includes(kind)).length
    return count === 0 ? [] : [t(SUMS[kind], { count })]
  })
}

/** One end may lie on the day after. */
export function shiftWords({ Name, FromUtc, ToUtc }: NonNullable<Today['Shift']>, t: Words, format: Format): string {
  const day = format.day(FromUtc, false)
  const times = { from: `${day}, ${format.timeOfDay(FromUtc)}`, to: format.timeOfDay(ToUtc) }
  return Name === '' ? t('shiftWhen', times) : t('shiftNamed', { name: Name, ...times })
}

const REASONS = {
  Owner: 'reasonOwner',
  Personnel: 'reasonPersonnel',
  Follower: 'reasonFollower',
  Shared: 'reasonShared',
} as const

/** The strongest one is said: whoever manages a case may follow it too. */
export const reasonWords = ({ Reasons: [first] }: OwnCase, t: Words): string | null =>
  first === undefined ? null : t(REASONS[first])

export function changeWords({ Changes }: OwnCase, t: Words): string | null {
  if (Changes === null || Changes.Count === 0) return null
  const { Count: count, More } = Changes
  return More ? t('changesMore', { count }) : t('changes', { count })
}

interface StepWords {
  readonly name: 'stepName' | `step${SetupStep}`
  readonly how: `step${SetupStep}How`
  /** Where it is done; null: not in the window. */
  readonly to: string | null
}

export const STEPS = {
  Name: { name: 'stepName', how: 'stepNameHow', to: null },
  People: { name: 'stepPeople', how: 'stepPeopleHow', to: '/administration/users' },
  Categories: { name: 'stepCategories', how: 'stepCategoriesHow', to: '/administration/categories' },
  Departments: { name: 'stepDepartments', how: 'stepDepartmentsHow', to: '/administration/departments' },
  Cameras: { name: 'stepCameras', how: 'stepCamerasHow', to: '/devices' },
  Dispatch: { name: 'stepDispatch', how: 'stepDispatchHow', to: '/administration/cad' },
  Backup: { name: 'stepBackup', how: 'stepBackupHow', to: '/fixity' },
  Network: { name: 'stepNetwork', how: 'stepNetworkHow', to: '/administration/network' },
} as const satisfies Readonly<Record<SetupStep, StepWords>>

/** It goes when all is done, or when an administrator dismissed it. */
export const isShown = (checklist: Checklist | null): checklist is Checklist =>
  checklist !== null && !checklist.Dismissed && checklist.Steps.some(({ Done }) => !Done)
