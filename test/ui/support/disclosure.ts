/** A case of which evidence was disclosed, and people with different rights on it. */
import type { Json } from '../../support/given.ts'
import { CASES, type CasesStation, casesStation } from './cases.ts'
import type { Credentials } from './window.ts'

export const DISCLOSURES = '/api/v1/tenant/station/disclosures'

export interface DisclosureStation extends CasesStation {
  readonly caseId: string
  readonly guest: Credentials
  /** Of what is in the case, in its order. */
  readonly titles: readonly string[]
  readonly ids: readonly string[]
  disclosed(members?: Json): Promise<Json>
  restricted(evidenceId: string, Kind?: string): Promise<void>
  /** Records to three recipients: acknowledged, replaced, waiting, with supplements due for every reason. */
  inEveryState(): Promise<void>
}

const TITLES = [
  'Statement of Mrs. Quill',
  'Rear window, Tanner’s Row',
  'BWC 0410, 14:10',
  'Informant at the harbour',
] as const

export const DEFENCE = { Name: 'A. Mercer', Role: 'defence', Organisation: 'Mercer & Cole' }
export const PROSECUTOR = { Name: 'J. Adeyemi', Role: 'prosecutor', Organisation: 'Crown Prosecution Service' }

/** okafor can edit the case, lindqvist can download it. */
export async function disclosureStation(settings: Json = {}): Promise<DisclosureStation> {
  const station = await casesStation(settings)
  const { sergeant, okafor, lindqvist } = station
  const caseId: string = (await station.made({ Title: 'Burglary, 14 Tanner’s Row' })).CaseId
  const ids: string[] = []
  for (const title of TITLES) ids.push(await station.evidence(title, {}, caseId))
  const share = (AccessPolicies: Json): Promise<Json> =>
    sergeant.send('POST', `${CASES}/${caseId}/share`, { AccessPolicies })
  const password = 'three blind mice, 1805'
  const counsel = await sergeant.send('POST', '/userservice/api/v1/tenant/station/users', {
    Username: 'counsel',
    Password: password,
    ChangePassword: false,
    FirstName: 'Ada',
    LastName: 'Quill',
    Guest: true,
  })
  await share([
    { Permissions: 'Edit', PrincipalId: okafor.id, KId: okafor.kId, PrincipalType: 'user' },
    { Permissions: 'Download', PrincipalId: lindqvist.id, KId: lindqvist.kId, PrincipalType: 'user' },
    { Permissions: 'Manage', PrincipalId: counsel.PrincipalId, KId: counsel.KId, PrincipalType: 'user' },
  ])
  const disclosed = (members: Json = {}): Promise<Json> =>
    okafor.send('POST', `${DISCLOSURES}/case/${caseId}`, {
      Recipient: DEFENCE,
      Authority: 'Criminal Procedure and Investigations Act 1996, s. 3',
      Medium: 'usb',
      MediumSerial: 'SN-0042',
      EvidenceIds: ids.slice(0, 2),
      ...members,
    })
  const restricted = async (id: string, Kind = 'do-not-disclose'): Promise<void> =>
    void (await sergeant.send('POST', `${DISCLOSURES}/evidence/${id}/restriction`, { Kind, Reason: 'Names a source' }))
  return {
    ...station,
    caseId,
    guest: { username: 'counsel', password },
    titles: TITLES,
    ids,
    disclosed,
    restricted,
    inEveryState: async () => {
      await restricted(ids[3] as string)
      const Request = { Number: 'CPS 114/26', Date: '2026-10-30', Due: '2026-11-13' }
      await disclosed({ Recipient: PROSECUTOR, Request, EvidenceIds: ids.slice(0, 2) })
      await disclosed({
        Withheld: [
          { EvidenceId: ids[2], Description: 'BWC 0410, the way there', Ground: 'Not relevant', Basis: 'MG6C' },
        ],
      })
      await okafor.send('POST', `${DISCLOSURES}/case/${caseId}/record/2/supersede`, {
        Authority: 'Criminal Procedure and Investigations Act 1996, s. 3',
        Medium: 'disc',
        EvidenceIds: ids.slice(0, 2),
        Reason: 'It was another disc',
      })
      await okafor.send('POST', `${DISCLOSURES}/case/${caseId}/record/1/acknowledge`, {
        By: 'J. Adeyemi',
        How: 'in-person',
        Witnesses: ['P. Lund', 'R. Okafor'],
      })
      const late = await station.evidence('Doorbell camera, 16 Tanner’s Row', {}, caseId)
      await restricted(ids[0] as string, 'privileged')
      await sergeant.send('POST', `${DISCLOSURES}/evidence/${ids[3]}/restriction/lift`, {
        Kind: 'do-not-disclose',
        Reason: 'The source agreed',
      })
      return void late
    },
  }
}
