/** The job that adds sample data, one step of the plan after the other. Each step is whole in a transaction, so that it can go on after any stop. */
import { CreateCaseModel } from '../../../shared/cases/contract.ts'
import { CreateEvidenceModel } from '../../../shared/evidence/contract.ts'
import { dayIn } from '../../../shared/kernel/days.ts'
import { parseTime } from '../../../shared/kernel/time.ts'
import { DAY } from '../../../shared/retention/retention.ts'
import type { HttpCall } from '../../http/handlers.ts'
import type { Tx } from '../../kernel/database/database.ts'
import { placeAndCommit } from '../../kernel/evidence/place-and-commit.ts'
import { evidenceObject } from '../../kernel/evidence/records.ts'
import { evidenceOf } from '../../kernel/evidence/records.store.ts'
import { FinalFailure } from '../../kernel/jobs/types.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { type SampleData, type SampleItem, sampleData } from '../../kernel/sample-data.ts'
import type { PlacedBlob } from '../../storage/store.ts'
import { makeSampleFile } from './make-file.ts'
import { type CaseStep, type EvidenceStep, samplePlan, type Step, type WrittenStep } from './plan.ts'
import { callOf, changeSampleData, type NeedsOfSample, requireAdministrator, type SampleJob } from './sample-job.ts'
import { firstCategory, isWritten, resourceIdsOf } from './sample.store.ts'

type Deps = NeedsOfSample &
  Pick<Kernel, 'db' | 'store' | 'ledger' | 'records' | 'jobs' | 'clock' | 'isAdministrator' | 'timeZone'> & {
    readonly requireBytes: (bytes: number) => Promise<void>
  }

/** By which everything of it is found in lists and searches, in every language. */
const TAG = 'sample'
const MARK_AT = 3
const TASK_DAYS = 2

export async function addSample(deps: Deps, job: SampleJob): Promise<void> {
  const call = callOf(job)
  const begun = await sampleData(deps.db.read)
  if (begun === null) return
  const plan = samplePlan(begun.language, begun.startedAt)
  for (const [at, step] of plan.entries()) {
    job.signal.throwIfAborted()
    const now = await sampleData(deps.db.read)
    if (now === null || now.removal !== null) throw new FinalFailure('The sample data is being removed.')
    await requireAdministrator(deps.isAdministrator, call)
    if (!now.done.includes(step.key)) await take(deps, job, call, step, now)
    job.progress((at + 1) / plan.length, '')
  }
  deps.jobs.kick()
}

function take(deps: Deps, job: SampleJob, call: HttpCall, step: Step, now: SampleData): Promise<void> {
  if (step.kind === 'case') return takeCase(deps, job, call, step)
  if (step.kind === 'evidence') return takeEvidence(deps, job, call, step, now)
  return takeWritten(deps, job, call, step, now)
}

/** The step is done, in the transaction of its effect. */
async function record({ ledger }: Deps, tx: Tx, job: SampleJob, call: HttpCall, step: Step, made: Made | null) {
  await job.requireLease(tx)
  if (made !== null)
    await ledger.append(tx, call, {
      action: 'sample.added',
      object: { type: made.item.kind, id: String(made.item.id), name: made.name },
      detail: made.resourceId === null ? {} : { resourceId: made.resourceId },
    })
  await changeSampleData(tx, (now) => {
    if (now.removal !== null) throw new FinalFailure('The sample data is being removed.')
    return {
      ...now,
      done: [...now.done, step.key],
      items: made === null ? now.items : [...now.items, made.item],
    }
  })
}

interface Made {
  readonly item: SampleItem
  readonly name: string
  readonly resourceId: string | null
}

function takeCase(deps: Deps, job: SampleJob, call: HttpCall, step: CaseStep): Promise<void> {
  const { db, cases } = deps
  const { tenant } = call
  return db.transaction(async (tx) => {
    const input = CreateCaseModel.parse({
      Title: step.title,
      Description: step.description,
      CategoryId: await firstCategory(tx, tenant),
      LocationText: step.place,
      LocationWKT: step.wkt,
      OccurredOn: step.occurred,
      EndedOn: step.ended,
      Tags: [TAG],
      PersonnelRelations: call.actor.kind === 'user' ? [{ PrincipalId: call.actor.id, Role: 'Assigned' }] : [],
    })
    const { CaseId } = await cases.create(tx, call, tenant, input)
    const item: SampleItem = { kind: 'case', id: Number(CaseId), step: step.key }
    await record(deps, tx, job, call, step, { item, name: step.title, resourceId: null })
  })
}

/** The way of every file: copied while it is hashed, read back, placed, and committed with its entries and jobs. */
async function takeEvidence(deps: Deps, job: SampleJob, call: HttpCall, step: EvidenceStep, now: SampleData) {
  const { db, store, tools, clock, jobs, requireBytes } = deps
  const { signal } = job
  const folder = await store.temporary('sample')
  try {
    const file = await makeSampleFile(tools, step, {
      dir: folder.dir,
      language: now.language,
      now: clock.now(),
      signal,
    })
    await requireBytes((await tools.scratch.lengthOf(folder.dir, step.file)) ?? 0)
    const staged = await store.copyIn(file, { signal })
    await placeAndCommit({ db, store }, staged, (tx, placed) => commit(deps, tx, job, call, step, placed))
  } finally {
    await folder.dispose()
  }
  jobs.kick()
}

async function commit(deps: Deps, tx: Tx, job: SampleJob, call: HttpCall, step: EvidenceStep, placed: PlacedBlob) {
  const { records, linkNew } = deps
  const { tenant } = call
  const times = {
    start: parseTime(step.start, { utcMember: true }),
    end: step.end && parseTime(step.end, { utcMember: true }),
  }
  const {
    Device: _device,
    CaseIds: _cases,
    DeviceCredential: _credential,
    ...described
  } = CreateEvidenceModel.parse({
    Name: step.title,
    Description: step.description,
    CategoryId: await firstCategory(tx, tenant),
    StartTimeUtc: step.start,
    EndTimeUtc: step.end,
    LocationText: step.place,
    LocationWKT: step.wkt,
    Tags: [TAG],
  })
  const device = step.device === null ? null : { DeviceType: 'BodyWornCamera', ...step.device }
  const made = await records.createEvidence(tx, call, tenant, {
    ...described,
    device,
    deviceIdentity: device === null ? null : 'Claimed',
  })
  const open = await records.createResource(tx, call, made, {
    name: step.file,
    mimeType: step.mimeType,
    start: times.start,
    end: times.end || null,
    timeOffset: null,
    expectedSha256: null,
    expectedLength: null,
  })
  await records.completeResource(tx, call, open, placed)
  await records.completeEvidence(tx, call, made)
  const evidence = await evidenceOf(tx, made.evidence_id)
  const inCase = await itemOf(tx, step.inCase)
  if (inCase !== null) await linkNew(tx, call, evidence, [String(inCase.id)])
  const item: SampleItem = { kind: 'evidence', id: evidence.evidence_id, step: step.key }
  const { name } = evidenceObject(evidence)
  await record(deps, tx, job, call, step, { item, name, resourceId: String(open.resource_id) })
}

async function takeWritten(deps: Deps, job: SampleJob, call: HttpCall, step: WrittenStep, now: SampleData) {
  const { db, notes, addBookmark, cases, clock, timeZone } = deps
  const on = now.items.find((item) => item.step === step.on)
  // Its services commit for themselves: after a crash between their commit and ours it is there already.
  if (on !== undefined && !(await isWritten(db.read, step.kind, on))) {
    const id = String(on.id)
    if (step.kind === 'note')
      await notes.add(
        call,
        async () => ({
          on: { column: on.kind === 'case' ? 'case_id' : 'evidence_id', id: on.id },
          object: { type: on.kind, id, name: '' },
          manages: true,
          reason: '',
        }),
        step.text,
      )
    else if (step.kind === 'bookmark') {
      const [resource] = await resourceIdsOf(db.read, on.id)
      await addBookmark(call, call.tenant, id, {
        ResourceId: String(resource),
        StartSeconds: MARK_AT,
        Title: step.text,
      })
    } else
      await cases.add(call, id, {
        Title: step.text,
        DueDate: dayIn(timeZone, clock.now() + TASK_DAYS * DAY),
        AssigneeId: call.actor.kind === 'user' ? call.actor.id : null,
      })
  }
  await db.transaction((tx) => record(deps, tx, job, call, step, null))
}

async function itemOf(from: Tx, key: string | null): Promise<SampleItem | null> {
  if (key === null) return null
  return (await sampleData(from))?.items.find(({ step }) => step === key) ?? null
}
