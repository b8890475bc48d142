/** A station whose evidence has a form of its own: categories with retention, fields of every type, and people who may change it. */
import type { Json } from '../../support/given.ts'
import { type CasesStation, casesStation } from './cases.ts'

export interface EditingStation extends CasesStation {
  /** Evidence of the sergeant's in a case that Okafor may edit. */
  readonly evidenceId: string
  readonly caseId: string
  readonly record: (id?: string) => Promise<Json>
  readonly patch: (body: Record<string, unknown>, id?: string) => Promise<Json>
  /** What the ledger says of changes of an evidence, the last one first. */
  readonly changes: (id?: string) => readonly { readonly reason: string | null; readonly detail: Json }[]
}

const CATEGORIES = '/api/v1/category/station'
const TEMPLATE = {
  type: 'Evidence',
  customFields: [
    { name: 'Exhibit number', type: 'Text' },
    { name: 'Weight in grams', type: 'Number' },
    { name: 'Seized on', type: 'Date' },
    { name: 'Sealed bag', type: 'Boolean' },
    { name: 'Found by', type: 'Choice', choices: ['Officer', 'Witness', 'Dog'] },
  ],
}

export async function editingStation(): Promise<EditingStation> {
  const station = await casesStation()
  const { given, sergeant } = station
  const send = sergeant.send
  for (const [Name, RetentionDays] of [
    ['Interview', 90],
    ['Traffic', 365],
    ['Homicide', null],
  ] as const)
    await send('POST', CATEGORIES, { Name, RetentionDays })
  const old = await send('POST', CATEGORIES, { Name: 'Old rules', RetentionDays: 30 })
  await send('PUT', `${CATEGORIES}/${old.CategoryId}`, {
    Name: 'Old rules',
    RetentionDays: 30,
    Enabled: false,
    ConcurrencyId: old.ConcurrencyId,
  })
  await send('PUT', '/customfieldservice/api/v1/template/station', TEMPLATE)
  const caseId: string = (await station.made({ Title: 'Burglary' })).CaseId
  const evidenceId = await station.evidence(
    'R1',
    {
      StartTimeUtc: '2026-11-20T10:00:00Z',
      EndTimeUtc: '2026-11-20T10:20:00Z',
      Tags: ['night', 'rear window'],
      LocationText: '14 Tanner’s Row',
      LocationWKT: 'POINT (-0.11399999999999999 51.616)',
    },
    caseId,
  )
  await station.evidence('R2', { Tags: ['night', 'nightshift', 'Quay Road'] }, caseId)
  await station.evidence('Secret', { Tags: ['nightingale'] })
  await station.share(caseId, station.okafor, 'Edit')
  await station.share(caseId, station.lindqvist, 'View')
  const place = (id: string): string => `${given.documents}/evidence/${id}`
  return {
    ...station,
    evidenceId,
    caseId,
    record: (id = evidenceId) => send('GET', place(id)),
    patch: (body, id = evidenceId) => send('PATCH', place(id), body),
    changes: (id = evidenceId) =>
      given
        .ledger()
        .filter(({ action, object }) => action === 'evidence.changed' && object.id === id)
        .map(({ reason, detail }) => ({ reason, detail: detail as Json }))
        .reverse(),
  }
}
