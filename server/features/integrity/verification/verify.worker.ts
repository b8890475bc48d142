/** A thread of the verifier with its own read-only connection. It answers one request after another. */
import { parentPort, workerData } from 'node:worker_threads'
import { openRaw } from '../../../kernel/database/sqlite/raw.ts'
import { extentOf, type LedgerExtent } from './verify.store.ts'
import { type EvidenceRows, type RowReport, rowsInDoubt, verifyEvidenceRows, verifyRows } from './verify-rows.ts'
import { type Segment, type SegmentResult, verifySegment } from './verify-segment.ts'
import { verifyStructure } from './verify-structure.ts'
import type { Problem } from './verify.types.ts'

export type VerifyRequest =
  | 'extent'
  | 'rows'
  | 'rowsInDoubt'
  | EvidenceRows
  | { readonly structure: { readonly fast: boolean } }
  | Segment

export type VerifyAnswer =
  | { readonly progress: number }
  | { readonly extent: LedgerExtent }
  | { readonly rows: RowReport }
  | { readonly rowsInDoubt: ReturnType<typeof rowsInDoubt> }
  | { readonly ofEvidence: ReturnType<typeof verifyEvidenceRows> }
  | { readonly structure: readonly Problem[] }
  | { readonly segment: SegmentResult }
  | { readonly failure: string; readonly code: string }

const port = parentPort
if (port === null) throw new Error('verify.worker.ts runs only as a worker thread')
const answer = (value: VerifyAnswer): void => port.postMessage(value)
const db = openRaw(workerData.file as string, { readOnly: true })

port.on('message', (request: VerifyRequest) => {
  try {
    if (request === 'extent') answer({ extent: extentOf(db) })
    else if (request === 'rows') answer({ rows: verifyRows(db, (progress) => answer({ progress })) })
    else if (request === 'rowsInDoubt') answer({ rowsInDoubt: rowsInDoubt(db) })
    else if ('evidenceId' in request) answer({ ofEvidence: verifyEvidenceRows(db, request) })
    else if ('structure' in request) answer({ structure: verifyStructure(db, request.structure.fast) })
    else answer({ segment: verifySegment(db, request, (progress) => answer({ progress })) })
  } catch (error) {
    const { message, code = '' } = error as Error & { code?: string }
    answer({ failure: message, code })
  }
})
