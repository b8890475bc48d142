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

export async function todayStation(): Promise<TodayStation> {
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
  for (const [name, file, from, to] of [
    ['Stop at Quay Road', 'BWC0410_0001.mp4', 12, 19],
    ['R2', 'R2.mp4', 61, 74],
    ['R3', 'R3.mp4', 190, 191],
    ['BWC0410_0004', 'BWC0410_0004.mp4', 320, 333],
  ] as const)
    recordings[name] = await recorded(station, camera, { name, file, from: at(from), to: at(to) })
  const category: Json = await given.expecting(
    201,
    as(chief, 'POST', '/api/v1/category/station', { Name: 'Traffic', RetentionDays: 90 }),
  )
  const whole = recordings['Stop at Quay Road'] as string
  await given.expecting(
    200,
    as(chief, 'PATCH', `${given.documents}/evidence/${whole}`, { CategoryId: category.CategoryId ?? category.Id }),
  )
  const caseId = await cases(station, reyes, guest, whole)
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
}

/** Those of the first half of the shift came whole; of the others the file is still on its way. */
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
  if (of.name.startsWith('R3') || of.name.startsWith('BWC')) return evidence.EvidenceId
  await given.put(open.UploadUri, readFileSync((await media()).video))
  await given.expecting(200, as(chief, 'POST', `${place}/resource/${open.ResourceId}/complete`, {}))
  await given.expecting(200, as(chief, 'POST', `${place}/complete`))
  await settled((method, where) => given.expecting(200, as(chief, method, where)), place)
  return evidence.EvidenceId
}

async function cases(
  { given, chief, as }: CallsStation,
  officer: Somebody,
  guest: Somebody,
  evidenceId: string,
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
