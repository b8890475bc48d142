/** Converts the fields of a case between requests, columns and answers, by the table of fields (decisions 4). Pure. */
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
  valueColumnOf,
} from '../../../shared/cases/fields.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import type { Time } from '../../../shared/kernel/time.ts'
import { pointOf, pointWkt } from '../../../shared/kernel/wkt.ts'
import type { CaseRow } from './cases.store.ts'

type Created = z.output<typeof CreateCaseModel>
type Patched = z.output<typeof PatchCaseModel>
type LocationInput = NonNullable<Created['Location']>

export interface StoredLocation {
  readonly Latitude: number | null
  readonly Longitude: number | null
  readonly Address: string | null
  readonly Notes: string | null
}

/** Without the department: it also decides access, and is changed separately. */
const DESCRIBED = CASE_FIELD_NAMES.filter((name) => name !== 'DepartmentId')

/** The columns that describe a case. */
export type Described = Omit<CaseFieldColumns, 'department_id'> &
  Pick<CaseRow, 'location_wkt' | 'location' | 'custom_fields'>

/** All columns of a request; absent members become null. @throws Fault InvalidModel, InvalidDateTimeRange */
export const describedBy = (input: Created): Described =>
  checked({
    ...columnsIn(input, null),
    custom_fields: JSON.stringify(input.CustomFields ?? {}),
    ...placeOf(input.LocationWKT ?? null, input.Location ?? null, null),
  })

/** Exactly what is sent and not null is replaced (interfaces.md 4, rule 1). @throws Fault InvalidModel, InvalidDateTimeRange */
export function describedByPatch(row: CaseRow, input: Patched): Described {
  const moved = isSent(input.LocationWKT) || isSent(input.Location)
  return checked({
    ...columnsIn(input, row),
    custom_fields: isSent(input.CustomFields) ? JSON.stringify(input.CustomFields) : row.custom_fields,
    ...(moved
      ? placeOf(input.LocationWKT ?? null, input.Location ?? null, storedLocation(row))
      : { location_wkt: row.location_wkt, location: row.location }),
  })
}

const isSent = (value: unknown): boolean => value !== null && value !== undefined

/** @param row supplies the values of members that are not sent; null: they become null */
const columnsIn = (input: Patched, row: CaseRow | null) =>
  Object.fromEntries(
    DESCRIBED.flatMap((name): (readonly [string, unknown])[] =>
      row === null || isSent(input[name])
        ? storedColumns(fieldOf(name), input[name] ?? null)
        : columnsOf(name).map((column) => [column, row[column as keyof CaseRow]]),
    ),
  ) as Omit<CaseFieldColumns, 'department_id'>

/** A member as stored in its columns. The user of an id checks that it exists. */
function storedColumns({ kind, column }: CaseField, value: unknown): (readonly [string, unknown])[] {
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

/** Members of an answer, from the columns of a case. */
export const membersOf = <N extends CaseFieldName>(row: Partial<CaseFieldColumns>, names: readonly N[]) => {
  const members: Record<string, unknown> = {}
  for (const name of names)
    members[name] = member(fieldOf(name).kind, row[valueColumnOf(name) as keyof CaseFieldColumns])
  return members as z.output<z.ZodObject<ReturnType<typeof outputsOf<N>>>>
}

function member(kind: CaseField['kind'], value: unknown): unknown {
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

/** Degrees, about a thousandth of a millimetre: the tolerance between two notations of one number. */
const SAME_PLACE = 1e-11

/** Latitude and Longitude fill an absent LocationWKT, and the reverse. Address and Notes stay when only the place is sent. */
function placeOf(
  wkt: string | null,
  input: LocationInput | null,
  stored: StoredLocation | null,
): Pick<Described, 'location_wkt' | 'location'> {
  const previous: LocationInput = { Address: stored?.Address, Notes: stored?.Notes }
  const { Latitude = null, Longitude = null, Address = null, Notes = null } = input ?? previous
  const numbers = wkt === null ? null : pointOf(wkt)
  const point = numbers && { Latitude: Number(numbers.latitude), Longitude: Number(numbers.longitude) }
  if (wkt !== null && Latitude !== null && Longitude !== null) {
    const near = (left: number, right: number): boolean => Math.abs(left - right) <= SAME_PLACE
    if (point === null || !near(point.Latitude, Latitude) || !near(point.Longitude, Longitude))
      throw fault('InvalidModel', 'The case is in two places.', [
        { Path: 'LocationWKT', Message: 'is another place than Location' },
      ])
  }
  const location: StoredLocation = {
    Latitude: Latitude ?? point?.Latitude ?? null,
    Longitude: Longitude ?? point?.Longitude ?? null,
    Address,
    Notes,
  }
  const hasLocation = Object.values(location).some((member) => member !== null)
  return {
    location_wkt: wkt ?? (Latitude === null || Longitude === null ? null : pointWkt(Longitude, Latitude)),
    location: hasLocation ? JSON.stringify(location) : null,
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
