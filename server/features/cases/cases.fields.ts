/** What describes a case, between what is sent and what is stored (decisions 4). Pure. */
import type { z } from 'zod'
import type { CreateCaseModel, PatchCaseModel } from '../../../shared/cases/contract.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import { pointWkt } from '../../../shared/kernel/wkt.ts'
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

/** The columns that describe a case. */
export type Described = Pick<
  CaseRow,
  | 'title'
  | 'description'
  | 'category_id'
  | 'occurred_on'
  | 'occurred_ticks'
  | 'ended_on'
  | 'ended_ticks'
  | 'external_reference_1'
  | 'external_reference_2'
  | 'location_wkt'
  | 'location_text'
  | 'location'
  | 'tags'
  | 'custom_fields'
>

/** Whole: what is absent is none. @throws Fault InvalidModel, InvalidDateTimeRange */
export function describedBy(given: Created): Described {
  return checked({
    title: given.Title,
    description: given.Description ?? null,
    // Whether it names one is looked up where it is used.
    category_id: idOf(given.CategoryId),
    occurred_on: given.OccurredOn?.text ?? null,
    occurred_ticks: given.OccurredOn?.ticks ?? null,
    ended_on: given.EndedOn?.text ?? null,
    ended_ticks: given.EndedOn?.ticks ?? null,
    external_reference_1: given.ExternalReferenceId1 ?? null,
    external_reference_2: given.ExternalReferenceId2 ?? null,
    location_text: given.LocationText ?? null,
    tags: JSON.stringify(given.Tags ?? []),
    custom_fields: JSON.stringify(given.CustomFields ?? {}),
    ...placeOf(given.LocationWKT ?? null, given.Location ?? null, null),
  })
}

/** Exactly what is sent and not null is replaced (interfaces.md 4, rule 1). @throws Fault InvalidModel, InvalidDateTimeRange */
export function describedByPatch(row: CaseRow, given: Patched): Described {
  const sent = <T, U>(value: T | null | undefined, stored: U, made: (value: T) => U): U =>
    value === null || value === undefined ? stored : made(value)
  const same = <T>(value: T): T => value
  const moved = (given.LocationWKT ?? null) !== null || (given.Location ?? null) !== null
  return checked({
    title: given.Title ?? row.title,
    description: given.Description ?? row.description,
    category_id: sent(given.CategoryId, row.category_id, Number),
    occurred_on: sent(given.OccurredOn, row.occurred_on, ({ text }) => text),
    occurred_ticks: sent(given.OccurredOn, row.occurred_ticks, ({ ticks }) => ticks),
    ended_on: sent(given.EndedOn, row.ended_on, ({ text }) => text),
    ended_ticks: sent(given.EndedOn, row.ended_ticks, ({ ticks }) => ticks),
    external_reference_1: sent(given.ExternalReferenceId1, row.external_reference_1, same),
    external_reference_2: sent(given.ExternalReferenceId2, row.external_reference_2, same),
    location_text: sent(given.LocationText, row.location_text, same),
    tags: sent(given.Tags, row.tags, JSON.stringify),
    custom_fields: sent(given.CustomFields, row.custom_fields, JSON.stringify),
    ...(moved
      ? placeOf(given.LocationWKT ?? null, given.Location ?? null, storedLocation(row))
      : { location_wkt: row.location_wkt, location: row.location }),
  })
}

const idOf = (id: string | null | undefined): number | null => (id === null || id === undefined ? null : Number(id))

export const storedLocation = ({ location }: Pick<CaseRow, 'location'>): StoredLocation | null =>
  location === null ? null : (JSON.parse(location) as StoredLocation)

const POINT = /^\s*POINT\s*\(\s*([^\s()]+)\s+([^\s()]+)\s*\)\s*$/i

function pointOf(wkt: string): { Latitude: number; Longitude: number } | null {
  const match = POINT.exec(wkt)
  return match === null ? null : { Longitude: Number(match[1]), Latitude: Number(match[2]) }
}

/** Degrees; a thousandth of a millimetre: what two ways of writing one number may differ by. */
const SAME_PLACE = 1e-11

/** Latitude and Longitude fill an absent LocationWKT and the reverse; Address and Notes stay where only the place is sent. */
function placeOf(
  wkt: string | null,
  given: GivenLocation | null,
  stored: StoredLocation | null,
): Pick<Described, 'location_wkt' | 'location'> {
  const {
    Latitude = null,
    Longitude = null,
    Address = null,
    Notes = null,
  } = given ?? {
    Address: stored?.Address,
    Notes: stored?.Notes,
  }
  const point = wkt === null ? null : pointOf(wkt)
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
