/** Files of the station that a person keeps. A refusal would only be a failed download in the browser, without its reason: it is thrown. */
import { reached, refusalOf } from './api.ts'

/** @throws Fault as the station refuses it */
export async function bytesOf(address: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  let answer: Response
  try {
    answer = await fetch(address, { headers, credentials: 'same-origin', cache: 'no-store' })
  } catch (error) {
    reached(false)
    throw error
  }
  reached(true)
  if (!answer.ok) throw await refusalOf(answer)
  return answer
}

/** @param name empty: as the station calls it */
export function saveAs(address: string, name: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}

const KEPT_FOR_MS = 60_000

/** Fetched whole, for it is small. @throws Fault as the station refuses it */
export async function saveFetched(address: string, name: string): Promise<void> {
  const answer = await bytesOf(address)
  const url = URL.createObjectURL(await answer.blob())
  saveAs(url, name)
  setTimeout(() => URL.revokeObjectURL(url), KEPT_FOR_MS)
}
