/** One thread of the verifier, with a read-only connection of its own. Answers one request after the other. */
import { parentPort, workerData } from 'node:worker_threads'
import { openRaw } from '../db/raw.ts'
import { extentOf, type LedgerExtent, type UnexplainedBytes, unexplainedBytes } from './verify.repository.ts'
import { type Segment, type SegmentResult, verifySegment } from './verify-segment.ts'

export type VerifyRequest = 'extent' | 'records' | Segment

export type VerifyAnswer =
  | { readonly progress: number }
  | { readonly extent: LedgerExtent }
  | { readonly unexplained: readonly UnexplainedBytes[] }
  | { readonly segment: SegmentResult }
  | { readonly failure: string }

const port = parentPort
if (port === null) throw new Error('verify.worker.ts runs only as a worker thread')
const answer = (value: VerifyAnswer): void => port.postMessage(value)
const db = openRaw(workerData.file as string, { readOnly: true })

port.on('message', (request: VerifyRequest) => {
  try {
    if (request === 'extent') answer({ extent: extentOf(db) })
    else if (request === 'records') answer({ unexplained: unexplainedBytes(db) })
    else answer({ segment: verifySegment(db, request, (progress) => answer({ progress })) })
  } catch (error) {
    answer({ failure: (error as Error).message })
  }
})
