/** What describes a case, between what is sent and what is stored (decisions 4), by the table of its fields. Pure. */
import type { z } from 'zod'
import type { CreateCaseModel, PatchCaseModel } from '../../../shared/cases/contract.ts'
import {
  CASE_FIELD_NAMES,
  type CaseField,
  type CaseFieldColumns,
  type CaseFieldName,
  columnsOf,
  fieldOf,
  type outputsOf,
} from '../../../shared/cases/fields.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import type { Time } from '../../../shared/kernel/time.ts'
import { pointOf, pointWkt } from '../../../shared/kernel/wkt.ts'
import type { CaseRow } from './cases.store.ts'

type Created = z.output<typeof CreateCaseModel>
type Patched = z.output<typeof PatchCaseModel>
type GivenLocation = NonNullable<Created['Location']>

export interface StoredLocation {
  readonly Latitude: number | null
  readonly Longitude: number | null
  readonly Address: string | null
  readonly Notes: string | null
}

/** The department is not among them: it says who has access too, and changes apart. */
const DESCRIBED = CASE_FIELD_NAMES.filter((name) => name !== 'DepartmentId')

/** The columns that describe a case. */
export type Described = Omit<CaseFieldColumns, 'department_id'> &
  Pick<CaseRow, 'location_wkt' | 'location' | 'custom_fields'>

/** Whole: what is absent is none. @throws Fault InvalidModel, InvalidDateTimeRange */
export const describedBy = (given: Created): Described =>
  checked({
    ...columnsIn(given, null),
    custom_fields: JSON.stringify(given.CustomFields ?? {}),
    ...placeOf(given.LocationWKT ?? null, given.Location ?? null, null),
  })

/** Exactly what is sent and not null is replaced (interfaces.md 4, rule 1). @throws Fault InvalidModel, InvalidDateTimeRange */
export function describedByPatch(row: CaseRow, given: Patched): Described {
  const moved = isSent(given.LocationWKT) || isSent(given.Location)
  return checked({
    ...columnsIn(given, row),
    custom_fields: isSent(given.CustomFields) ? JSON.stringify(given.CustomFields) : row.custom_fields,
    ...(moved
      ? placeOf(given.LocationWKT ?? null, given.Location ?? null, storedLocation(row))
      : { location_wkt: row.location_wkt, location: row.location }),
  })
}

const isSent = (value: unknown): boolean => value !== null && value !== undefined

/** @param row what is kept where nothing is sent; null: none */
const columnsIn = (given: Patched, row: CaseRow | null) =>
  Object.fromEntries(
    DESCRIBED.flatMap((name): (readonly [string, unknown])[] =>
      row === null || isSent(given[name])
        ? stored(fieldOf(name), given[name] ?? null)
        : columnsOf(name).map((column) => [column, row[column as keyof CaseRow]]),
    ),
  ) as Omit<CaseFieldColumns, 'department_id'>

/** A member as its columns hold it. Whether an id names anything is looked up where it is used. */
function stored({ kind, column }: CaseField, value: unknown): (readonly [string, unknown])[] {
  switch (kind) {
    case 'id':
    case 'department':
      return [[column, value === null ? null : Number(value)]]
    case 'time': {
      const { text, ticks } = (value ?? { text: null, ticks: null }) as Time
      return [
        [`${column}_on`, text],
        [`${column}_ticks`, ticks],
      ]
    }
    case 'tags':
      return [[column, JSON.stringify(value ?? [])]]
    default:
      return [[column, value]]
  }
}

/** Members as they go out, from the columns of a case. */
export const membersOf = <N extends CaseFieldName>(row: CaseRow, names: readonly N[]) =>
  Object.fromEntries(names.map((name) => [name, member(fieldOf(name), row)])) as z.output<
    z.ZodObject<ReturnType<typeof outputsOf<N>>>
  >

function member({ kind, column }: CaseField, row: Readonly<Record<string, unknown>>): unknown {
  const value = row[kind === 'time' ? `${column}_on` : column]
  switch (kind) {
    case 'id':
    case 'department':
      return value === null ? null : String(value)
    case 'tags':
      return JSON.parse(value as string)
    default:
      return value
  }
}

export const storedLocation = ({ location }: Pick<CaseRow, 'location'>): StoredLocation | null =>
  location === null ? null : (JSON.parse(location) as StoredLocation)

/** Degrees; a thousandth of a millimetre: what two ways of writing one number may differ by. */
const SAME_PLACE = 1e-11

/** Latitude and Longitude fill an absent LocationWKT and the reverse; Address and Notes stay where only the place is sent. */
function placeOf(
  wkt: string | null,
  given: GivenLocation | null,
  stored: StoredLocation | null,
): Pick<Described, 'location_wkt' | 'location'> {
  const kept: GivenLocation = { Address: stored?.Address, Notes: stored?.Notes }
  const { Latitude = null, Longitude = null, Address = null, Notes = null } = given ?? kept
  const numbers = wkt === null ? null : pointOf(wkt)
  const point = numbers && { Latitude: Number(numbers.latitude), Longitude: Number(numbers.longitude) }
  if (wkt !== null && Latitude !== null && Longitude !== null) {
    const near = (one: number, other: number): boolean => Math.abs(one - other) <= SAME_PLACE
    if (point === null || !near(point.Latitude, Latitude) || !near(point.Longitude, Longitude))
      throw fault('InvalidModel', 'The case is in two places.', [
        { Path: 'LocationWKT', Message: 'is another place than Location' },
      ])
  }
  const whole: StoredLocation = {
    Latitude: Latitude ?? point?.Latitude ?? null,
    Longitude: Longitude ?? point?.Longitude ?? null,
    Address,
    Notes,
  }
  const told = Object.values(whole).some((member) => member !== null)
  return {
    location_wkt: wkt ?? (Latitude === null || Longitude === null ? null : pointWkt(Longitude, Latitude)),
    location: told ? JSON.stringify(whole) : null,
  }
}

function checked(described: Described): Described {
  const { occurred_ticks: from, ended_ticks: to } = described
  if (from !== null && to !== null && to < from)
    throw fault('InvalidDateTimeRange', 'EndedOn lies before OccurredOn.', [
      { Path: 'EndedOn', Message: 'must not be before OccurredOn' },
    ])
  return described
}
