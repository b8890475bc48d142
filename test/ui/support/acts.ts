/** Evidence with a past on a station of its own: protected, deleted, unfinished, twice the same bytes, and cases to move it between. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { openDatabase } from '../../../server/kernel/database/database.ts'
import { CASES, type CasesStation, casesStation, settled } from './cases.ts'

export interface ActsStation extends CasesStation {
  /** A picture in the case `from`; `copy` has the same bytes. */
  readonly photo: string
  readonly copy: string
  readonly sealed: string
  readonly binned: string
  readonly unfinished: string
  /** Nobody's case. */
  readonly loose: string
  readonly from: string
  readonly to: string
}

const DOCUMENTS = '/documentstore/api/v1/tenant/station/evidence'

export async function actsStation(): Promise<ActsStation> {
  const station = await casesStation()
  const { given, sergeant, made, share, okafor, lindqvist } = station
  const picture = (color: string, name: string): Uint8Array => {
    const file = path.join(given.dir, name)
    const source = `testsrc2=s=640x480:d=1,drawbox=color=${color}@0.5:t=fill`
    execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', source, '-frames:v', '1', file])
    return readFileSync(file)
  }
  const added = async (name: string, bytes: Uint8Array, members: Record<string, unknown> = {}): Promise<string> => {
    const { EvidenceId } = await sergeant.send('POST', DOCUMENTS, { Name: name, ...members })
    const open = await sergeant.send('POST', `${DOCUMENTS}/${EvidenceId}/resource`, { Name: 'IMG_0417.jpg' })
    await given.put(open.UploadUri, bytes)
    await sergeant.send('POST', `${DOCUMENTS}/${EvidenceId}/resource/${open.ResourceId}/complete`, {})
    await settled(sergeant.send, `${DOCUMENTS}/${EvidenceId}`)
    return EvidenceId as string
  }
  const from = (await made({ Title: 'Burglary, Tanner’s Row' })).CaseId
  const to = (await made({ Title: 'Theft from a car, Mill Lane' })).CaseId
  await share(from, okafor, 'Edit')
  await share(from, lindqvist, 'View')
  const red = picture('red', 'red.jpg')
  const photo = await added('Rear window', red, { Tags: ['entry', 'night'] })
  const copy = await added('Rear window, handed in', red)
  const sealed = await added('Camera 0417', picture('blue', 'blue.jpg'))
  const binned = await added('Test shot', picture('green', 'green.jpg'))
  const loose = await added('Statement', Buffer.from('I heard glass.\n'))
  const unfinished = await added('Hallway', Buffer.from('Two men at the door.\n'))
  const link = (caseId: string, ids: readonly string[]) =>
    sergeant.send('POST', `${CASES}/${caseId}/link-evidences`, {
      Evidences: ids.map((EvidenceId) => ({ EvidenceId })),
    })
  await link(from, [photo, sealed])
  await sergeant.send('POST', `${DOCUMENTS}/${sealed}/protect`, { Reason: 'Appeal' })
  await sergeant.send('DELETE', `${DOCUMENTS}/${binned}`)
  await leftByItsUploader(given.file, unfinished)
  return { ...station, photo, copy, sealed, binned, unfinished, loose, from, to }
}

/** As the station leaves it a day after its uploader went away. */
async function leftByItsUploader(file: string, evidenceId: string): Promise<void> {
  const db = await openDatabase({ file })
  await db.transaction((tx) =>
    tx
      .updateTable('evidence')
      .set({ state: 'UserCompleted', unfinished: 1 })
      .where('evidence_id', '=', Number(evidenceId))
      .execute(),
  )
  await db.close()
}
