/** A station with something to find, of every kind. */
import { type CasesStation, casesStation } from './cases.ts'

export interface SearchStation extends CasesStation {
  readonly burglary: { readonly CaseId: string; readonly Ordinal: string }
}

const PLACES = [
  ['Tanner’s Row 14', 'POINT (13.405 52.52)'],
  ['Quay Road 3', 'POINT (13.42 52.51)'],
  ['Mill Lane 88', 'POINT (9.99 53.55)'],
] as const

export async function searchStation(): Promise<SearchStation> {
  const station = await casesStation()
  const { sergeant, okafor, lindqvist, made, share, evidence } = station
  const category = async (Name: string): Promise<string> =>
    (await sergeant.send('POST', '/api/v1/category/station', { Name })).CategoryId
  const [burglaries, traffic] = [await category('Burglary'), await category('Traffic')]
  for (const type of ['Case', 'Evidence'])
    await sergeant.send('PUT', '/customfieldservice/api/v1/template/station', {
      type,
      customFields: [
        { name: 'Weather', type: 'Choice', choices: ['Dry', 'Rain'] },
        { name: 'Suspects', type: 'Number' },
        { name: 'Reported on', type: 'Date' },
      ],
    })
  const burglary = await made({
    Title: 'Burglary, 14 Tanner’s Row',
    Description: 'The rear window was forced with a crowbar; a bicycle and a laptop are missing from the hall.',
    CategoryId: burglaries,
    OccurredOn: '2026-11-20T01:38:00Z',
    EndedOn: '2026-11-20T01:58:00Z',
    ExternalReferenceId1: 'RN-2026-4411',
    LocationText: PLACES[0][0],
    LocationWKT: PLACES[0][1],
    Tags: ['entry', 'night'],
    CustomFields: { Weather: 'Rain', Suspects: '2', 'Reported on': '2026-11-20' },
  })
  const stop = await made({
    Title: 'Vehicle stop, Mill Lane',
    Description: 'Driver known from the burglary in Tanner’s Row.',
    CategoryId: traffic,
    OccurredOn: '2026-11-18T21:10:00Z',
    LocationText: PLACES[2][0],
    LocationWKT: PLACES[2][1],
    CustomFields: { Weather: 'Dry', Suspects: '1' },
  })
  await made({
    Title: 'Theft of a bicycle, Quay Road',
    CategoryId: burglaries,
    LocationText: PLACES[1][0],
    Tags: ['day'],
  })
  const closed = await made({ Title: 'Burglary, Ferry Street (cleared)', CategoryId: burglaries })
  await sergeant.send('POST', `/api/v1/case/station/${closed.CaseId}/close`)
  await share(burglary.CaseId, okafor, 'Edit')
  await share(stop.CaseId, lindqvist, 'View')
  const times = { StartTimeUtc: '2026-11-20T01:41:07Z', EndTimeUtc: '2026-11-20T01:59:47Z' }
  await evidence(
    'BWC 0417, Tanner’s Row',
    {
      ...times,
      Description: 'Officer enters by the rear window.',
      LocationText: PLACES[0][0],
      LocationWKT: PLACES[0][1],
      CategoryId: burglaries,
      Tags: ['entry'],
      Device: { DeviceType: 'BodyWornCamera', Manufacturer: 'Axon', SerialNumber: 'X81A', Model: 'B4' },
    },
    burglary.CaseId,
  )
  await evidence('Photograph of the window latch', { Tags: ['scene'], LocationText: PLACES[0][0] }, burglary.CaseId)
  await evidence('Witness statement, D. Mill', { Description: 'Heard glass break after the burglary alarm.' })
  return { ...station, burglary }
}
