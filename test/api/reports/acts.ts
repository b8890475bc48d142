import { sha256Of, type Json } from '../../support/given.ts'
import type { Act, World } from '../documents/acts.ts'

const REPORTS = '/api/v1/tenant/station/reports'

/** One good call of each route of reports and of what is printed (promise I1). */
export const REPORT_ACTS: Readonly<Record<string, (world: World) => Promise<Act> | Act>> = {
  printEvidenceSheet: ({ given, photo }) =>
    printed(() => given.call('GET', `${REPORTS}/evidence/${photo.evidenceId}/sheet`), 'evidence', photo.evidenceId),
  printCustody: ({ given, photo }) =>
    printed(
      () => given.call('GET', `${REPORTS}/evidence/${photo.evidenceId}/custody?kind=all`),
      'evidence',
      photo.evidenceId,
    ),
  printLabels: ({ given, photo }) =>
    printed(() => given.call('GET', `${REPORTS}/labels?id=${photo.evidenceId}`), 'evidence', ''),
  printCaseSummary: async (world) => {
    const { CaseId } = await caseOf(world)
    return { ...printed(() => asChief(world, `${REPORTS}/case/${CaseId}/summary`), 'case', CaseId), actor: 'chief' }
  },
  printCaseLabels: async (world) => {
    const { CaseId } = await caseOf(world)
    return { ...printed(() => asChief(world, `${REPORTS}/case/${CaseId}/labels`), 'case', CaseId), actor: 'chief' }
  },
  getReport: (world) => ({
    call: () => asChief(world, `${REPORTS}/figures/cameras?days=30`),
    status: 200,
    actor: 'chief',
    entries: ({ json }) => [['report.read', 'report', 'cameras', { detail: { days: 30, returned: json.Rows.length } }]],
  }),
  exportReport: (world) => ({
    call: () => asChief(world, `${REPORTS}/figures/jobs/export?format=csv`),
    status: 200,
    actor: 'chief',
    entries: ({ bytes }) => [
      ['list.exportStarted', 'report', 'jobs'],
      ['list.exported', 'report', 'jobs', { bytes: (bytes as Uint8Array).length }],
    ],
  }),
  getRetentionCalendar: (world) => ({
    call: () => asChief(world, `${REPORTS}/retention/calendar?month=2026-11`),
    status: 200,
    actor: 'chief',
    entries: () => [['report.read', 'report', 'retentionCalendar', { detail: { month: '2026-11' } }]],
  }),
  getCaseHolds: async (world) => {
    const { CaseId } = await caseOf(world)
    return {
      call: () => asChief(world, `${REPORTS}/case/${CaseId}/holds`),
      status: 200,
      actor: 'chief',
      entries: () => [['report.read', 'case', CaseId, { detail: { report: 'holds', returned: 0 } }]],
    }
  },
}

const asChief = ({ given, admin }: World, place: string) => given.call('GET', place, { token: admin })
const caseOf = ({ given, admin }: World): Promise<Json> =>
  given.expecting(201, given.call('POST', '/api/v1/case/station', { token: admin, body: { Title: 'On paper' } }))

function printed(call: Act['call'], type: string, id: string): Act {
  return {
    call,
    status: 200,
    entries: ({ bytes }) => [
      ['document.begun', type, id],
      ['document.made', type, id, { sha256: sha256Of(bytes as Uint8Array), bytes: (bytes as Uint8Array).length }],
    ],
  }
}
