import type { z } from 'zod'
import { MOST_SUGGESTIONS, type SuggestionModel } from '../../../../shared/evidence/suggestions.contract.ts'
import { pointWkt } from '../../../../shared/kernel/wkt.ts'
import type { CustomField } from '../../../../shared/templates/custom-fields.ts'
import type { HttpCall } from '../../../http/handlers.ts'
import type { Access } from '../../../kernel/access/access.ts'
import { isGuest } from '../../../kernel/access/guests.ts'
import type { Database, Tx } from '../../../kernel/database/database.ts'
import { activeWhenRecorded, officersOf } from '../../../kernel/evidence/attribution.store.ts'
import { clockOf } from '../../../kernel/evidence/clocks.store.ts'
import type { Device } from '../../../kernel/evidence/model.ts'
import { factsOf } from '../../../kernel/evidence/played.ts'
import type { ReachRows } from '../../../kernel/evidence/reach.ts'
import { type EvidenceRow, resourcesOf } from '../../../kernel/evidence/records.store.ts'
import { isNumbered, nextNumber } from './exhibit-number.ts'
import { fieldsBeside, fileDates, namesOf, trackOf } from './suggestions.store.ts'
import { suggestedTimes } from './times.ts'

export type Suggestion = z.input<typeof SuggestionModel>

/** Values for empty fields, by what is known when they are asked for. Nothing of them is stored. */
export interface Suggestions {
  /** @throws Fault as `ReachRows`, below Edit */
  of(call: HttpCall, tenant: string, id: string): Promise<{ readonly name: string; readonly items: Suggestion[] }>
}

interface Deps {
  readonly db: Database
  readonly access: Pick<Access, 'asker'>
  readonly reachRows: ReachRows
  /** IANA name, of the station. */
  readonly timeZone: string
  readonly customFields: (from: Tx, tenant: string) => Promise<readonly CustomField[]>
}

/** Where an evidence names the officer whose recording it is. */
const OFFICER = 'Officer'

export function createSuggestions({ db, access, reachRows, timeZone, customFields }: Deps): Suggestions {
  const { read } = db

  const times = async (evidence: EvidenceRow): Promise<Suggestion[]> => {
    const dates = await fileDates(read, evidence.evidence_id)
    const originals = (await resourcesOf(read, evidence.evidence_id)).filter(({ role }) => role === 'original')
    const found = suggestedTimes({
      name: evidence.name,
      files: originals.map((row) => ({
        name: row.name,
        came: Date.parse(row.uploaded_utc ?? row.created_utc),
        modified: dates.get(row.resource_id) ?? null,
        durationSeconds: factsOf(row).DurationSeconds ?? null,
      })),
      clock: await clockOf(read, evidence.evidence_id),
      came: Date.parse(evidence.created_utc),
      zone: timeZone,
    })
    return found.map(({ utc, source, from, precisionSeconds, because }) => ({
      Field: 'StartTimeUtc',
      CustomField: null,
      Value: utc,
      Source: source,
      From: from,
      PrecisionSeconds: precisionSeconds,
      Because: because,
    }))
  }

  const place = async ({ evidence_id: id, location_wkt: wkt }: EvidenceRow): Promise<Suggestion[]> => {
    const point = wkt === null ? firstPoint(await trackOf(read, id)) : null
    return point === null ? [] : [{ ...EMPTY, Field: 'LocationWKT', Value: point, Source: 'track', From: null }]
  }

  /** Whose device it was by an association that nobody has to confirm any more. */
  const officers = async (call: HttpCall, evidence: EvidenceRow): Promise<Suggestion[]> => {
    const ids = [evidence.evidence_id]
    if ((await isGuest(read, call.principal)) || !(await activeWhenRecorded(read, ids)).size) return []
    const known = (await officersOf(read, ids)).filter(({ waits }) => waits === 0)
    if (known.length > MOST_SUGGESTIONS) return []
    const names = await namesOf(
      read,
      known.map(({ principal_id: id }) => id),
    )
    const device = deviceWords(evidence)
    return names.map((name) => custom(OFFICER, { Value: name, Source: 'device', From: device }))
  }

  const numbers = async (call: HttpCall, evidence: EvidenceRow, names: readonly string[]): Promise<Suggestion[]> => {
    if (names.length === 0) return []
    const seen = await access.asker(read, call.principal)
    const beside = (await db.longRead(fieldsBeside(read, evidence, seen))).map(
      (row) => JSON.parse(row.custom_fields) as Record<string, string>,
    )
    return names.flatMap((name) => {
      const next = nextNumber(beside.flatMap((values) => (Object.hasOwn(values, name) ? [values[name] ?? ''] : [])))
      return next === null ? [] : [custom(name, { Value: next.value, Source: 'lastNumber', From: next.last })]
    })
  }

  return {
    of: async (call, tenant, id) => {
      const { evidence } = await reachRows(call, 'Edit', { tenant, evidenceId: id })
      const values = JSON.parse(evidence.custom_fields) as Record<string, string>
      const isEmpty = (name: string): boolean => !Object.hasOwn(values, name) || values[name] === ''
      const numbered = (await customFields(read, tenant)).filter(isNumbered).map(({ name }) => name)
      const items = [
        ...(await times(evidence)),
        ...(await place(evidence)),
        ...(await numbers(call, evidence, numbered.filter(isEmpty))),
        ...(isEmpty(OFFICER) ? await officers(call, evidence) : []),
      ]
      return { name: evidence.name, items }
    },
  }
}

const EMPTY = { CustomField: null, PrecisionSeconds: null, Because: 'empty' } as const
const custom = (name: string, found: Pick<Suggestion, 'Value' | 'Source' | 'From'>): Suggestion => ({
  ...EMPTY,
  Field: 'CustomFields',
  CustomField: name,
  ...found,
})

/** Model and serial number, as far as they are known. */
function deviceWords({ device }: EvidenceRow): string | null {
  if (device === null) return null
  const { Model, SerialNumber } = JSON.parse(device) as Device
  return [Model, SerialNumber].filter((words) => words !== null && words !== '').join(' ') || null
}

const PAIR = /([+-]?\d+(?:\.\d+)?)\s+([+-]?\d+(?:\.\d+)?)/

function firstPoint(wkt: string | null): string | null {
  const [, longitude, latitude] = PAIR.exec(wkt ?? '') ?? []
  return longitude === undefined || latitude === undefined ? null : pointWkt(Number(longitude), Number(latitude))
}
