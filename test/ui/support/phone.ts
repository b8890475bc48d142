/** A station as somebody meets it on a phone: pictures and recordings in a case, with notes and tasks. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { casesStation, CASES, settled } from './cases.ts'
import { media } from './media.ts'

export type PhoneStation = Awaited<ReturnType<typeof phoneStation>>

export async function phoneStation() {
  const station = await casesStation()
  const { given, sergeant, okafor, made, share } = station
  const { CaseId: caseId, Ordinal: ordinal } = await made({
    Title: 'Burglary, 14 Tanner’s Row, rear entrance and the yard behind it',
    OccurredOn: '2026-11-20T01:30:00Z',
    LocationText: '14 Tanner’s Row',
  })
  await made({ Title: 'Shop theft, Market Street' })
  const { CaseId: closedId } = await made({ Title: 'Criminal damage, Quay Road' })
  await sergeant.send('POST', `${CASES}/${closedId}/close`, {})
  await share(caseId, okafor, 'Edit')
  const { picture, video } = await media()
  const add = async (file: string, name: string, start: string | null): Promise<string> => {
    const { EvidenceId } = await sergeant.send('POST', `${given.documents}/evidence`, {
      Name: name,
      ...(start === null ? {} : { StartTimeUtc: start }),
      Tags: ['entry', 'rear door'],
    })
    const place = `${given.documents}/evidence/${EvidenceId}`
    const open = await sergeant.send('POST', `${place}/resource`, { Name: path.basename(file) })
    await given.put(open.UploadUri, readFileSync(file))
    await sergeant.send('POST', `${place}/resource/${open.ResourceId}/complete`, {})
    await sergeant.send('POST', `${place}/complete`, {})
    await settled(sergeant.send, place)
    return EvidenceId
  }
  const pictureId = await add(picture, 'Window latch, scale 10 cm, seen from the yard', '2026-11-20T02:06:19Z')
  const videoId = await add(video, 'BWC 0417, Tanner’s Row', '2026-11-20T01:39:55Z')
  const looseId = await add(picture, 'Latch of the yard gate', null)
  await sergeant.send('POST', `${CASES}/${caseId}/link-evidences`, {
    Evidences: [{ EvidenceId: pictureId }, { EvidenceId: videoId }],
  })
  return { ...station, caseId, ordinal, closedId, pictureId, videoId, looseId }
}
