/** A station with a film that people marked, wrote about and put captions to; and somebody whom a case was shared with. */
import { readFileSync } from 'node:fs'
import type { Json } from '../../support/given.ts'
import { casesStation, type CasesStation, settled } from './cases.ts'
import { media } from './media.ts'

export interface AnnotationStation extends CasesStation {
  readonly evidenceId: string
  /** Of the film. */
  readonly resourceId: string
  /** Of the evidence. */
  readonly place: string
  /** Of the case that the film is in. */
  readonly caseId: string
}

export const SRT =
  '1\n00:00:00,500 --> 00:00:01,800\nOfficer: Step back from the window, please.\n\n2\n00:00:02,000 --> 00:00:03,500\n- I live here.\n- Then show me the key.\n'

/** The film is sergeant’s; okafor may edit, lindqvist may look. */
export async function annotationStation(): Promise<AnnotationStation> {
  const station = await casesStation()
  const { given, sergeant, okafor, lindqvist } = station
  const documents = given.documents
  const made: Json = await sergeant.send('POST', `${documents}/evidence`, { Name: 'Tanner’s Row, rear' })
  const place = `${documents}/evidence/${made.EvidenceId}`
  const { video } = await media()
  const open: Json = await sergeant.send('POST', `${place}/resource`, {
    Name: 'Tanners Row.mp4',
    StartTimeUtc: '2026-11-20T01:46:19.240Z',
    TimeOffset: 'PT1M12S',
  })
  await given.put(open.UploadUri, readFileSync(video))
  await sergeant.send('POST', `${place}/resource/${open.ResourceId}/complete`, {})
  await sergeant.send('POST', `${place}/complete`, {})
  await settled(sergeant.send, place)
  const { CaseId } = await station.made({ Title: 'Burglary, 14 Tanner’s Row' })
  await sergeant.send('POST', `/api/v1/case/station/${CaseId}/link-evidences`, {
    Evidences: [{ EvidenceId: made.EvidenceId }],
  })
  await station.share(CaseId, okafor, 'Edit')
  await station.share(CaseId, lindqvist, 'View')
  return { ...station, evidenceId: made.EvidenceId, resourceId: open.ResourceId, place, caseId: CaseId }
}

/** Marks, notes and captions of several people. */
export async function written({
  given,
  sergeant,
  okafor,
  place,
  resourceId,
  caseId,
}: AnnotationStation): Promise<void> {
  const mark = (by: typeof okafor, body: Json) =>
    by.send('POST', `${place}/bookmark`, { ResourceId: resourceId, ...body })
  await mark(okafor, { StartSeconds: 0.48, Title: 'Light on the stairs', State: 'ok' })
  await mark(sergeant, {
    StartSeconds: 1.2,
    EndSeconds: 2.4,
    Title: 'Two people at the rear window',
    Text: 'The taller one carries something under the left arm.',
    State: 'attention',
  })
  await mark(okafor, { StartSeconds: 3.2, Title: 'Car door, out of sight' })
  const first: Json = await okafor.send('POST', `${place}/note`, { Text: 'The sound of the door is before the light.' })
  await okafor.send('PUT', `${place}/note/${first.NoteId}`, {
    Text: 'The sound of the door comes 0.4 s before the light.',
    ConcurrencyId: first.ConcurrencyId,
  })
  await sergeant.send('POST', `${place}/note`, {
    Text: 'Compare with the camera of 12 Tanner’s Row.\nIts clock is 3 s ahead.',
  })
  await okafor.send('POST', `/api/v1/case/station/${caseId}/note`, { Text: 'Owner comes in on Monday with the keys.' })
  const file: Json = await sergeant.send('POST', `${place}/resource`, { Name: 'said.srt' })
  await given.put(file.UploadUri, Buffer.from(SRT))
  await sergeant.send('POST', `${place}/resource/${file.ResourceId}/complete`, {})
  await sergeant.send('POST', `${place}/resource/${resourceId}/captions`, {
    FileResourceId: file.ResourceId,
    Language: 'en',
    Label: 'Transcript',
  })
}
