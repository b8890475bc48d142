/** A station with a case, evidence in it, and who may disclose. */
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { MadePackage } from '../../../server/features/packages/packages.service.ts'
import { type Given, givenStation, type Json, type Reply } from '../../support/given.ts'
import { signIn } from '../../support/integrator.ts'

export const DISCLOSURES = '/api/v1/tenant/station/disclosures'
const CASES = '/api/v1/case/station'

export interface DisclosureWorld {
  readonly given: Given
  /** May make cases and edit what is in none. */
  readonly token: string
  call(method: string, place: string, body?: unknown, token?: string): Promise<Reply>
  ok(status: number, method: string, place: string, body?: unknown): Promise<Json>
  newCase(title: string): Promise<string>
  /** A complete evidence with these originals. */
  add(title: string, files?: readonly string[]): Promise<string>
  link(caseId: string, ...ids: readonly string[]): Promise<void>
  disclose(caseId: string, more?: Record<string, unknown>): Promise<Json>
  restrict(evidenceId: string, Kind?: string): Promise<Json>
  lift(evidenceId: string, kind?: string): Promise<Json>
  make(caseId: string, more?: Record<string, unknown>): Promise<MadePackage>
  folder(name: string): string
}

export const DEFENCE = { Name: 'A. Mercer', Role: 'defence', Organisation: 'Mercer & Cole' }
export const PROSECUTOR = { Name: 'J. Okafor', Role: 'prosecutor', Organisation: 'Crown Prosecution Service' }

export async function disclosureStation(options: Parameters<typeof givenStation>[0] = {}): Promise<DisclosureWorld> {
  const given = await givenStation(options)
  const policies = [
    'CreateCases',
    'ShareCases',
    'AccessUnassociatedFiles:Manage',
    'DeleteCasesAndFiles',
    'RestoreFromRecycleBin',
  ]
  const token = await signIn(await given.integration('records', policies), given.url)
  const call: DisclosureWorld['call'] = (method, place, body, own = token) =>
    given.call(method, place, { token: own, ...(body === undefined ? {} : { body }) })
  const ok: DisclosureWorld['ok'] = (status, method, place, body) => given.expecting(status, call(method, place, body))
  let folders = 0
  const world: DisclosureWorld = {
    given,
    token,
    call,
    ok,
    newCase: async (Title) => (await ok(201, 'POST', CASES, { Title })).CaseId,
    add: async (Name, files = ['one.txt']) => {
      const { EvidenceId } = await given.evidence({ Name })
      for (const name of files)
        await given.completed(Buffer.from(`${Name} ${name}\n`), { name, evidenceId: EvidenceId })
      await given.expecting(200, given.call('POST', `${given.documents}/evidence/${EvidenceId}/complete`))
      return EvidenceId
    },
    link: async (caseId, ...ids) =>
      void (await ok(204, 'POST', `${CASES}/${caseId}/link-evidences`, {
        Evidences: ids.map((EvidenceId) => ({ EvidenceId })),
      })),
    disclose: (caseId, more = {}) =>
      ok(201, 'POST', `${DISCLOSURES}/case/${caseId}`, {
        Recipient: DEFENCE,
        Authority: 'Criminal Procedure and Investigations Act 1996, s. 3',
        Medium: 'handover',
        ...more,
      }),
    restrict: (id, Kind = 'do-not-disclose') =>
      ok(201, 'POST', `${DISCLOSURES}/evidence/${id}/restriction`, { Kind, Reason: 'Names a witness' }),
    lift: (id, kind = 'do-not-disclose') =>
      ok(200, 'POST', `${DISCLOSURES}/evidence/${id}/restriction/lift`, {
        Kind: kind,
        Reason: 'The witness agreed',
      }),
    make: async (caseId, more = {}) =>
      (await given.command('package.create', {
        of: { caseId },
        target: world.folder(`package-${++folders}`),
        variant: 'prosecution',
        parts: [],
        papers: [],
        language: 'en',
        ...more,
      })) as MadePackage,
    folder: (name) => {
      const at = path.join(given.dir, name)
      mkdirSync(at)
      return at
    },
  }
  return world
}
