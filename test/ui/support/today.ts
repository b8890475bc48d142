/** A station in the middle of its work: an officer after a shift, a guest, and an administrator with a set-up half done. */
import { readFileSync } from 'node:fs'
import type { Json } from '../../support/given.ts'
import { type Camera, CASES } from '../../api/cad/world.ts'
import { callsStation, type CallsStation } from './calls.ts'
import { settled } from './cases.ts'
import { media } from './media.ts'

const USERS = '/userservice/api/v1/tenant/station/users'
const HOUR = 3_600_000

export interface Somebody {
  readonly id: string
  readonly username: string
  readonly password: string
}

export interface TodayStation extends CallsStation {
  readonly reyes: Somebody
  readonly guest: Somebody
  /** Of the officer's last shift, by name. */
  readonly recordings: Readonly<Record<string, string>>
  readonly caseId: string
}

interface OfShift {
  readonly name: string
  readonly file: string
  /** Minutes after the shift began. */
  readonly from: number
  readonly to: number
  /** The file came and was looked at; else it is still on its way. */
  readonly whole: boolean
}

const TITLED = 'Stop at Quay Road'
const FOUR: readonly OfShift[] = [
  { name: TITLED, file: 'BWC0410_0001.mp4', from: 12, to: 19, whole: true },
  { name: 'R2', file: 'R2.mp4', from: 61, to: 74, whole: true },
  { name: 'R3', file: 'R3.mp4', from: 190, to: 191, whole: false },
  { name: 'BWC0410_0004', file: 'BWC0410_0004.mp4', from: 320, to: 333, whole: false },
]

/** A shift as it comes out of the camera: nobody said anything about it yet. */
export const unfiledShift = (count: number): readonly OfShift[] =>
  Array.from({ length: count }, (_, at) => {
    const name = `BWC0410_${String(at + 1).padStart(4, '0')}`
    return { name, file: `${name}.mp4`, from: 10 + at * 30, to: 18 + at * 30, whole: true }
  })

/** @param shift of the officer's last shift; one of the usual four has a title, a category and a case */
export async function todayStation(shift: readonly OfShift[] = FOUR): Promise<TodayStation> {
  const station = await callsStation()
  const { given, chief, as } = station
  const named = async (first: string, last: string, policies: readonly string[], guest = false): Promise<Somebody> => {
    const one = await station.person(policies, guest)
    await given.expecting(200, as(chief, 'PATCH', `${USERS}/${one.id}`, { FirstName: first, LastName: last }))
    return one
  }
  const reyes = await named('Anna', 'Reyes', ['AccessFilesFromMyDevice:Edit', 'CreateCases'])
  const guest = await named('Ada', 'Quill', [], true)
  const camera = await cameraOf(station, reyes, 'BWC 0410')
  await cameraOf(station, await named('Ben', 'Okafor', []), 'BWC 0417')
  const begin = await lastShift(station)
  const at = (minutes: number): string => new Date(begin + minutes * 60_000).toISOString()
  const recordings: Record<string, string> = {}
  for (const { from, to, ...one } of shift)
    recordings[one.name] = await recorded(station, camera, { ...one, from: at(from), to: at(to) })
  for (const { name, whole } of shift)
    if (whole)
      await settled(
        (method, where) => given.expecting(200, as(chief, method, where)),
        `${given.documents}/evidence/${recordings[name]}`,
      )
  const category: Json = await given.expecting(
    201,
    as(chief, 'POST', '/api/v1/category/station', { Name: 'Traffic', RetentionDays: 90 }),
  )
  const filed = recordings[TITLED] ?? null
  if (filed !== null)
    await given.expecting(
      200,
      as(chief, 'PATCH', `${given.documents}/evidence/${filed}`, { CategoryId: category.CategoryId ?? category.Id }),
    )
  const caseId = await cases(station, reyes, guest, filed)
  return { ...station, reyes, guest, recordings, caseId }
}

/** When the shift began that ended last. */
async function lastShift({ given, chief, as }: CallsStation): Promise<number> {
  const begins: number[] = []
  for (const days of [1, 0]) {
    const date = new Date(Date.now() - days * 24 * HOUR).toISOString().slice(0, 10)
    const { Shifts } = await given.expecting(200, as(chief, 'GET', `/api/v1/correlation/station/board?date=${date}`))
    for (const { FromUtc, ToUtc } of Shifts) if (Date.parse(ToUtc) <= Date.now()) begins.push(Date.parse(FromUtc))
  }
  return Math.max(...begins)
}

async function cameraOf({ camera, given }: CallsStation, who: Somebody, name: string) {
  const made = await camera(who.id, new Date().toISOString())
  const [ticks, utc] = [BigInt(Date.UTC(2026, 0, 1)) * 10_000n, '2026-01-01T00:00:00Z']
  await given.meddle((db) => {
    db.prepare('UPDATE devices SET common_name = ? WHERE device_id = ?').run(name, made.id)
    db.prepare('UPDATE device_activity SET from_ticks = ? WHERE device_id = ?').run(ticks, made.id)
    db.prepare('UPDATE device_associations SET from_ticks = ?, from_utc = ? WHERE device_id = ?').run(
      ticks,
      utc,
      made.id,
    )
    db.prepare('UPDATE device_accesses SET from_ticks = ? WHERE device_id = ?').run(ticks, made.id)
  })
  return made
}

interface Recorded {
  readonly name: string
  readonly file: string
  readonly from: string
  readonly to: string
  readonly whole: boolean
}

async function recorded({ given, chief, as }: CallsStation, camera: Camera, of: Recorded): Promise<string> {
  const times = { StartTimeUtc: of.from, EndTimeUtc: of.to }
  const Device = { SerialNumber: camera.serial, Manufacturer: 'Acme', DeviceType: 'BodyWornCamera' }
  const evidence: Json = await given.expecting(
    201,
    as(chief, 'POST', `${given.documents}/evidence`, {
      Name: of.name,
      ...times,
      Device,
      DeviceCredential: camera.credential,
    }),
  )
  const place = `${given.documents}/evidence/${evidence.EvidenceId}`
  const open: Json = await given.expecting(201, as(chief, 'POST', `${place}/resource`, { Name: of.file, ...times }))
  if (!of.whole) return evidence.EvidenceId
  await given.put(open.UploadUri, readFileSync((await media()).video))
  await given.expecting(200, as(chief, 'POST', `${place}/resource/${open.ResourceId}/complete`, {}))
  await given.expecting(200, as(chief, 'POST', `${place}/complete`))
  return evidence.EvidenceId
}

async function cases(
  { given, chief, as }: CallsStation,
  officer: Somebody,
  guest: Somebody,
  evidenceId: string | null,
): Promise<string> {
  const policy = ({ id, username }: Somebody, Permissions: string) => ({
    Permissions,
    PrincipalId: id,
    KId: `urn:user:station:${username}:${id}`,
    PrincipalType: 'user',
  })
  const manage = { Permissions: 'Manage', PrincipalId: chief.id, KId: chief.kId, PrincipalType: 'service' }
  const made = async (Title: string, ...more: Json[]): Promise<string> =>
    (await given.expecting(201, as(chief, 'POST', CASES, { Title, AccessPolicies: [manage, ...more] }))).CaseId
  const caseId = await made('Traffic stop, Quay Road', policy(officer, 'Manage'), policy(guest, 'View'))
  if (evidenceId !== null)
    await given.expecting(
      204,
      as(chief, 'POST', `${CASES}/${caseId}/link-evidences`, { Evidences: [{ EvidenceId: evidenceId }] }),
    )
  await made('Burglary, 14 Tanner’s Row', policy(officer, 'Manage'))
  const shared = await made('Shop theft, Market Street')
  await given.expecting(
    200,
    as(chief, 'POST', `${CASES}/${shared}/share`, { AccessPolicies: [policy(officer, 'View')] }),
  )
  return caseId
}
