/** The Block Blob calls of an upload address (decisions 6), as far as the page needs them. */
import { reached } from '../api.ts'
import { UploadRefused } from './refusals.ts'

const VERSION = '2023-11-03'

/** Stable ids: the position in the file. Resuming asks which of them the station has. */
export const blockId = (index: number): string => btoa(`block-${String(index).padStart(8, '0')}`)

/** The address is no longer valid: it is signed for 24 hours and can be renewed. */
export class AddressExpired extends Error {}

async function send(address: string, query: string, init: RequestInit): Promise<Response> {
  let answer: Response
  try {
    answer = await fetch(query === '' ? address : `${address}&${query}`, {
      ...init,
      cache: 'no-store',
      headers: { 'x-ms-version': VERSION, ...init.headers },
    })
  } catch (error) {
    if (error instanceof TypeError) reached(false)
    throw error
  }
  reached(true)
  if (answer.ok) return answer
  const text = await answer.text()
  if (answer.status === 403) throw new AddressExpired()
  throw new UploadRefused(answer.status, /<Message>([^<]*)/.exec(text)?.[1]?.split('\n')[0] ?? '')
}

export async function putBlock(address: string, index: number, bytes: Blob, signal: AbortSignal): Promise<void> {
  await send(address, `comp=block&blockid=${encodeURIComponent(blockId(index))}`, {
    method: 'PUT',
    body: bytes,
    signal,
  })
}

/** @returns lengths of the blocks that the station keeps, by their position. */
export async function keptBlocks(address: string, signal: AbortSignal): Promise<Map<number, number>> {
  let answer: Response
  try {
    answer = await send(address, 'comp=blocklist&blocklisttype=uncommitted', { method: 'GET', signal })
  } catch (error) {
    // The station has nothing of it any more: all of it is sent again.
    if (error instanceof UploadRefused && error.status === 404) return new Map()
    throw error
  }
  const document = new DOMParser().parseFromString(await answer.text(), 'application/xml')
  const kept = new Map<number, number>()
  for (const block of document.querySelectorAll('UncommittedBlocks > Block')) {
    const name = block.querySelector('Name')?.textContent ?? ''
    const match = /^block-(\d{8})$/.exec(safeDecode(name))
    if (match?.[1] !== undefined) kept.set(Number(match[1]), Number(block.querySelector('Size')?.textContent ?? 0))
  }
  return kept
}

export async function putBlockList(address: string, count: number, signal: AbortSignal): Promise<void> {
  const blocks = Array.from({ length: count }, (_none, index) => `<Latest>${blockId(index)}</Latest>`).join('')
  await send(address, 'comp=blocklist', {
    method: 'PUT',
    body: `<?xml version="1.0" encoding="utf-8"?><BlockList>${blocks}</BlockList>`,
    headers: { 'Content-Type': 'application/xml' },
    signal,
  })
}

function safeDecode(text: string): string {
  try {
    return atob(text)
  } catch {
    return ''
  }
}

/** Of a small file that needs no blocks: in one piece. */
export async function putWhole(address: string, bytes: Blob): Promise<void> {
  await send(address, '', { method: 'PUT', body: bytes, headers: { 'x-ms-blob-type': 'BlockBlob' } })
}
