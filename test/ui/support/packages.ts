/** A case with evidence, people with different rights on it, and packages of it in every state. */
import { packageProblem } from '../../../shared/messages/package-problems.ts'
import { randomBytes } from 'node:crypto'
import { CASES, type CasesStation, casesStation, settled } from './cases.ts'
import type { Credentials } from './window.ts'
import type { Json } from '../../support/given.ts'

export const PACKAGES = '/api/v1/tenant/station/packages'
const CHOICE = { Variant: 'prosecution', Parts: ['copies'], Papers: [], Language: 'en' }

export interface PackagesStation extends CasesStation {
  readonly caseId: string
  readonly guest: Credentials
  /** Titles of what is in the case. */
  readonly titles: readonly string[]
  /** Another item of so many bytes in a case of its own, whose package takes a while. */
  large(bytes: number): Promise<string>
  ordered(members?: Json): Promise<Json>
  /** As a person waits for it. */
  ended(packageId: string): Promise<Json>
  /** One of each: made, removed, being made, waiting, stopped, failed, over. */
  inEveryState(): Promise<void>
}

const TITLES = ['Statement of Mrs. Quill', 'Rear window, Tanner’s Row', 'BWC 0410, 14:10'] as const

/** okafor can download the case, lindqvist can view it. */
export async function packagesStation(settings: Record<string, unknown> = {}): Promise<PackagesStation> {
  const station = await casesStation(settings)
  const { given, sergeant, okafor, lindqvist } = station
  const caseId: string = (await station.made({ Title: 'Burglary, 14 Tanner’s Row' })).CaseId
  for (const title of TITLES) await station.evidence(title, {}, caseId)
  await sergeant.send('POST', `${CASES}/${caseId}/share`, {
    AccessPolicies: [
      { Permissions: 'Download', PrincipalId: okafor.id, KId: okafor.kId, PrincipalType: 'user' },
      { Permissions: 'View', PrincipalId: lindqvist.id, KId: lindqvist.kId, PrincipalType: 'user' },
    ],
  })
  const password = 'three blind mice, 1805'
  const counsel = await sergeant.send('POST', '/userservice/api/v1/tenant/station/users', {
    Username: 'counsel',
    Password: password,
    ChangePassword: false,
    FirstName: 'Ada',
    LastName: 'Quill',
    Guest: true,
  })
  await sergeant.send('POST', `${CASES}/${caseId}/share`, {
    AccessPolicies: [
      { Permissions: 'Download', PrincipalId: counsel.PrincipalId, KId: counsel.KId, PrincipalType: 'user' },
    ],
  })
  const ended = async (id: string): Promise<Json> => {
    for (let tries = 0; tries < 200; tries++) {
      const found = await okafor.send('GET', `${PACKAGES}/${id}`)
      if (found.State !== 'Waiting' && found.State !== 'Making') return found
      await new Promise((resolve) => setTimeout(resolve, 60))
    }
    throw new Error(`package ${id} did not end`)
  }
  const ordered = (members: Json = {}): Promise<Json> =>
    okafor.send('POST', `${PACKAGES}/case/${caseId}`, { ...CHOICE, ...members })
  const job = (packageId: string, set: string): Promise<unknown> =>
    given.meddle((db) => db.prepare(`UPDATE jobs SET ${set} WHERE subject = ?`).run(`package:${packageId}`))
  const row = (packageId: string, set: string): Promise<unknown> =>
    given.meddle((db) => db.prepare(`UPDATE packages SET ${set} WHERE package_id = ?`).run(Number(packageId)))
  return {
    ...station,
    caseId,
    guest: { username: 'counsel', password },
    titles: TITLES,
    large: async (bytes) => {
      const { CaseId } = await station.made({ Title: 'Theft, Market Street' })
      const place = `${given.documents}/evidence`
      const { EvidenceId } = await sergeant.send('POST', place, { Name: 'Image of a disk' })
      const file = await sergeant.send('POST', `${place}/${EvidenceId}/resource`, { Name: 'disk.img' })
      await given.put(file.UploadUri, randomBytes(bytes))
      await sergeant.send('POST', `${place}/${EvidenceId}/resource/${file.ResourceId}/complete`, {})
      await sergeant.send('POST', `${place}/${EvidenceId}/complete`, {})
      await settled(sergeant.send, `${place}/${EvidenceId}`)
      await sergeant.send('POST', `${CASES}/${CaseId}/link-evidences`, { Evidences: [{ EvidenceId }] })
      return CaseId
    },
    ordered,
    ended,
    inEveryState: async () => {
      const made = await ended((await ordered({ Papers: ['certificate-902-14', 'exhibit-statement'] })).PackageId)
      const removed = await ended((await ordered({ Variant: 'court', Parts: [] })).PackageId)
      await okafor.send('DELETE', `${PACKAGES}/${removed.PackageId}/file`)
      const others: string[] = []
      for (const Variant of ['defence', 'prosecution', 'court', 'defence', 'prosecution'])
        others.push((await ended((await ordered({ Variant })).PackageId)).PackageId)
      const [going = '', waiting = '', stopped = '', failed = '', over = ''] = others
      for (const id of others) await row(id, "state = 'Making', signed_sha256 = NULL, finished_utc = NULL")
      await job(going, "state = 'running', progress = 0.62")
      await job(waiting, "state = 'queued', run_after = 9e15")
      await job(stopped, "state = 'cancelled'")
      const full = packageProblem('volumeFull', { folder: '/media/usb' })
      await job(failed, `state = 'failed', message = '${full}'`)
      await row(
        over,
        `state = 'Failed', problem = '${packageProblem('deletedMeanwhile', { id: 2 })}', finished_utc = created_utc`,
      )
      return void made
    },
  }
}
