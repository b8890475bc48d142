/** A station with a case, what is in it, and packages of it. */
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Settings } from '../../server/config/settings.ts'
import type { MadePackage } from '../../server/features/packages/packages.service.ts'
import { type Given, givenStation, type Json } from '../support/given.ts'
import { signIn } from '../support/integrator.ts'
import { media } from '../ui/support/media.ts'

const CASES = '/api/v1/case/station'
/** Words that must not be read where the recipient may not know of the other case. */
export const OTHER_CASE = 'Informant meeting'

export interface PackagesWorld {
  readonly given: Given
  readonly caseId: string
  /** May edit what is in no case, and make cases. */
  readonly token: string
  readonly otherCase: string
  /** By name, in the order in which they were recorded. */
  readonly evidence: Readonly<Record<'camera' | 'old' | 'photo' | 'statement', string>>
  /** A fresh, empty folder. */
  folder(name: string): string
  make(to: string, more?: Record<string, unknown>): Promise<MadePackage>
}

export const packagesStation = async (
  settings: Partial<Record<keyof Settings, unknown>> = {},
): Promise<PackagesWorld> => {
  const given = await givenStation({ settings })
  const made = await media()
  const token = await signIn(
    await given.integration('records', ['CreateCases', 'AccessUnassociatedFiles:Edit', 'DeleteCasesAndFiles']),
    given.url,
  )
  const create = (Title: string): Promise<Json> =>
    given.expecting(201, given.call('POST', CASES, { token, body: { Title } }))
  const { CaseId: caseId } = await create('Burglary, 14 Tanner’s Row')
  const { CaseId: otherCase } = await create(OTHER_CASE)
  let hour = 8
  const add = async (Name: string, file: string, name = path.basename(file)): Promise<string> => {
    const StartTimeUtc = `2026-11-20T${String(hour++).padStart(2, '0')}:15:00Z`
    const Device = { SerialNumber: '0412', Manufacturer: 'Lantern', Model: 'L2', DeviceType: 'BodyWornCamera' }
    const { EvidenceId } = await given.evidence({ Name, StartTimeUtc, Device })
    await given.completed(readFileSync(file), { name, evidenceId: EvidenceId })
    await given.expecting(200, given.call('POST', `${given.documents}/evidence/${EvidenceId}/complete`))
    await given.settled(EvidenceId)
    return EvidenceId
  }
  const evidence = {
    camera: await add('Stop at Quay Road', made.video, 'BWC 0412.MP4'),
    old: await add('Shop camera', made.old),
    photo: await add('Lock of the back door', made.picture, 'Übersicht <script>alert(1)</script>.jpg'),
    statement: await add('Statement', new URL(import.meta.url).pathname, '../../etc/passwd'),
  }
  const link = (to: string, ids: readonly string[]): Promise<Json> =>
    given.expecting(
      204,
      given.call('POST', `${CASES}/${to}/link-evidences`, {
        token,
        body: { Evidences: ids.map((EvidenceId) => ({ EvidenceId })) },
      }),
    )
  await link(caseId, Object.values(evidence))
  await link(otherCase, [evidence.camera])
  const folder = (name: string): string => {
    const at = path.join(given.dir, name)
    mkdirSync(at)
    return at
  }
  return {
    given,
    caseId,
    token,
    otherCase,
    evidence,
    folder,
    make: async (target, more = {}) =>
      (await given.command('package.create', {
        of: { caseId },
        target,
        variant: 'prosecution',
        parts: ['copies', 'clips', 'stills'],
        papers: ['certificate-902-14'],
        language: 'en',
        ...more,
      })) as MadePackage,
  }
}
