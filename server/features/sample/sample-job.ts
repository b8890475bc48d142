/** What the jobs of sample data share: their payload, the call in whose name they act, and what they need. */
import type { z } from 'zod'
import type { CreateCaseModel } from '../../../shared/cases/contract.ts'
import type { Principal } from '../../../shared/kernel/principal.ts'
import type { HoldCode } from '../../../shared/retention/retention.ts'
import type { HttpCall } from '../../http/handlers.ts'
import type { Notes } from '../../kernel/annotations/notes.ts'
import type { Tx } from '../../kernel/database/database.ts'
import type { EvidenceRow } from '../../kernel/evidence/records.store.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { UnitCall } from '../../kernel/unit-calls.ts'
import { FinalFailure, type JobContext, jobKind } from '../../kernel/jobs/types.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { type SampleData, sampleData, setSampleData } from '../../kernel/sample-data.ts'
import type { MediaTools } from '../../platform/ffmpeg/media-tools.ts'

export type SamplePayload = {
  readonly tenant: string
  /** Who asked, as JSON of Principal. */
  readonly by: string
}
export const ADD_JOB = jobKind<SamplePayload>('sample.add', 'any node')
export const REMOVE_JOB = jobKind<SamplePayload>('sample.remove', 'any node')
export const SUBJECT = 'station:sample-data'

export type SampleJob = JobContext<SamplePayload>

/** What other features do for sample data, as they do it for people. */
export interface NeedsOfSample {
  readonly tools: Pick<MediaTools, 'ffmpeg' | 'scratch'>
  readonly notes: Pick<Notes, 'add'>
  readonly addBookmark: (
    call: HttpCall,
    tenant: string,
    evidenceId: string,
    given: { readonly ResourceId: string; readonly StartSeconds: number; readonly Title: string },
  ) => Promise<unknown>
  readonly linkNew: (tx: Tx, call: UnitCall, evidence: EvidenceRow, caseIds: readonly string[]) => Promise<EvidenceRow>
  readonly cases: {
    create(
      tx: Tx,
      call: UnitCall,
      tenant: string,
      input: z.output<typeof CreateCaseModel>,
    ): Promise<{ readonly CaseId?: string | null | undefined }>
    add(
      call: HttpCall,
      caseId: string,
      given: { readonly Title: string; readonly DueDate: string; readonly AssigneeId: string | null },
    ): Promise<unknown>
    unlinkEvidence(tx: Tx, call: UnitCall, evidence: EvidenceRow): Promise<number>
    destroy(tx: Tx, call: UnitCall, tenant: string, caseId: number): Promise<number | null>
  }
  readonly disposition: {
    destroySample(tx: Tx, call: Call, evidenceId: number): Promise<'destroyed' | 'gone' | 'busy'>
    removeFiles(): Promise<number>
  }
  readonly holdsOf: (from: Tx, evidenceIds: readonly number[]) => Promise<ReadonlyMap<number, readonly HoldCode[]>>
}

/** The call that asked, as it is when the job commits: with the rights that its person has then. */
export function callOf({ id, payload }: Pick<SampleJob, 'id' | 'payload'>): HttpCall {
  const by = JSON.parse(payload.by) as Principal
  return {
    actor: by,
    principal: by,
    source: 'station',
    correlationId: `job-${id}`,
    tenant: payload.tenant,
    answerKey: null,
    rememberAnswer: async (_tx: Tx, answer) => answer,
    reportDecision: () => {},
    describeRead: () => {},
  }
}

/** @throws FinalFailure when whoever asked does not administer the station any more */
export async function requireAdministrator(isAdministrator: Kernel['isAdministrator'], call: HttpCall): Promise<void> {
  if (!(await isAdministrator(call.actor.id)))
    throw new FinalFailure(`${call.actor.name} does not administer this station any more.`)
}

/** Changes the list in the caller's transaction. @throws FinalFailure when it is gone */
export async function changeSampleData(tx: Tx, change: (now: SampleData) => SampleData): Promise<SampleData> {
  const now = await sampleData(tx)
  if (now === null) throw new FinalFailure('There is no sample data any more.')
  const next = change(now)
  await setSampleData(tx, next)
  return next
}
