/** Sends a file of a map to the station in parts, and has it checked and kept. */
import { cancelMapImport, completeMapImport, MAP_PART_BYTES, putMapPart } from '../../../../shared/maps/contract.ts'
import { addressOf, type Answer, call, refusalOf } from '../../../client/api.ts'

export interface ImportProgress {
  readonly sent: number
  /** All is there, and the station looks at it. */
  readonly checking: boolean
}

/** @throws Fault for every refusal; TypeError when the station cannot be reached; AbortError. Then nothing of the file is kept. */
export async function importFile(
  tenantId: string,
  file: File,
  name: string,
  onProgress: (progress: ImportProgress) => void,
  signal: AbortSignal,
): Promise<Answer<typeof completeMapImport>> {
  const importId = crypto.randomUUID().replaceAll('-', '')
  const params = { tenantId, importId }
  try {
    for (let at = 0; at < file.size; at += MAP_PART_BYTES) {
      onProgress({ sent: at, checking: false })
      const answer = await fetch(addressOf(putMapPart, { params: { ...params, offset: String(at) } }), {
        method: 'PUT',
        headers: { 'Content-Type': 'application/octet-stream' },
        body: file.slice(at, at + MAP_PART_BYTES),
        credentials: 'same-origin',
        signal,
      })
      if (!answer.ok) throw await refusalOf(answer)
    }
    onProgress({ sent: file.size, checking: true })
    return await call(completeMapImport, { params, body: { Name: name }, signal })
  } catch (error) {
    // The station removes it after an hour in any case.
    await call(cancelMapImport, { params }).catch(() => undefined)
    throw error
  }
}
