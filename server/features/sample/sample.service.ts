/** Sample data for people: whether it is there, and the orders to add, stop and remove it (decisions 33). */
import type { z } from 'zod'
import { fault } from '../../../shared/kernel/errors.ts'
import { timeOf } from '../../../shared/kernel/time.ts'
import { isOfPeople } from '../../../shared/retention/retention.ts'
import type { SampleDataModel } from '../../../shared/sample/contract.ts'
import type { HttpCall } from '../../http/handlers.ts'
import type { Tx } from '../../kernel/database/database.ts'
import type { JobView } from '../../kernel/jobs/types.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { type SampleData, sampleData, setSampleData } from '../../kernel/sample-data.ts'
import { type Language, samplePlan } from './plan.ts'
import { ADD_JOB, type NeedsOfSample, REMOVE_JOB, type SamplePayload, SUBJECT } from './sample-job.ts'
import * as rows from './sample.store.ts'

type SampleOut = z.input<typeof SampleDataModel>

export interface SampleService {
  state(): Promise<SampleOut>
  /** @throws Fault SampleDataRefused */
  add(call: HttpCall, language: Language): Promise<SampleOut>
  /** @throws Fault SampleDataRefused when nothing is being added */
  stop(call: HttpCall): Promise<SampleOut>
  /** @throws Fault SampleDataRefused */
  remove(call: HttpCall): Promise<SampleOut>
}

type Deps = Pick<NeedsOfSample, 'holdsOf'> &
  Pick<Kernel, 'db' | 'ledger' | 'clock' | 'jobs'> & {
    readonly requireWrites: () => void
  }

const STATION = { type: 'station', id: '1', name: '' } as const
const OPEN: ReadonlySet<JobView['state']> = new Set(['queued', 'running', 'waiting'])

export function createSampleService(deps: Deps): SampleService {
  const { db, ledger, clock, jobs, requireWrites } = deps
  const state = () => stateOf(deps, db.read)
  return {
    state,
    add: async (call, language) => {
      requireWrites()
      const running = await openJob(deps)
      await db.transaction(async (tx) => {
        const now = await sampleData(tx)
        if (now?.removal != null || running?.kind === REMOVE_JOB.name)
          throw refused('The sample data is being removed. Go on with the removal first.')
        const whyNot = await whyNotAdd(tx, now)
        if (whyNot !== null) throw refused(REFUSALS[whyNot])
        if (now === null)
          await setSampleData(tx, { startedAt: clock.now(), language, done: [], items: [], removal: null })
        await jobs.enqueue(tx, ADD_JOB.newJob(payloadOf(call), { subject: SUBJECT, key: ADD_JOB.name }))
        await ledger.append(tx, call, {
          action: 'sample.requested',
          object: STATION,
          detail: { language: now?.language ?? language },
        })
      })
      jobs.kick()
      return state()
    },
    stop: async (call) => {
      const running = await openJob(deps)
      if (running?.kind !== ADD_JOB.name) throw refused('No sample data is being added.')
      await db.transaction(async (tx) => {
        if ((await jobs.cancel(tx, running.id)) === null) throw refused('No sample data is being added.')
        await ledger.append(tx, call, { action: 'sample.stopped', object: STATION })
      })
      return state()
    },
    remove: async (call) => {
      requireWrites()
      const running = await openJob(deps)
      if (running?.kind === ADD_JOB.name) throw refused('Sample data is being added. Stop that first.')
      await db.transaction(async (tx) => {
        const now = await sampleData(tx)
        if (now === null) throw refused('There is no sample data.')
        const { Held, Kept, ...counts } = await removalOf(deps, tx, now)
        if (Held.length > 0)
          throw refused(
            `Protected or kept: ${Held.map(({ Name }) => Name).join(', ')}. Take the protection away first, then remove the sample data.`,
          )
        if (now.removal === null)
          await setSampleData(tx, {
            ...now,
            removal: { total: now.items.length, evidence: 0, cases: 0, kept: [] },
          })
        await jobs.enqueue(tx, REMOVE_JOB.newJob(payloadOf(call), { subject: SUBJECT, key: REMOVE_JOB.name }))
        await ledger.append(tx, call, {
          action: 'sample.removalRequested',
          object: STATION,
          detail: { evidence: counts.Evidence, cases: counts.Cases, kept: Kept.map(({ Id }) => Id) },
        })
      })
      jobs.kick()
      return state()
    },
  }
}

const REFUSALS = {
  OwnEvidence: 'Sample data is only added to a station without evidence of its own, also in the recycle bin.',
  Headquarters: 'This station forwards evidence to a headquarters, which shall get no sample data.',
} as const

const refused = (message: string) => fault('SampleDataRefused', message)

const payloadOf = (call: HttpCall): SamplePayload => ({ tenant: call.tenant, by: JSON.stringify(call.actor) })

const lastJob = async ({ jobs }: Deps): Promise<JobView | undefined> => (await jobs.ofSubjects([SUBJECT])).at(-1)

async function openJob(deps: Deps): Promise<JobView | null> {
  const job = await lastJob(deps)
  return job !== undefined && OPEN.has(job.state) ? job : null
}

const idsOf = (data: SampleData | null, wanted: 'evidence' | 'case'): number[] =>
  (data?.items ?? []).flatMap(({ kind, id }) => (kind === wanted ? [id] : []))

async function whyNotAdd(from: Tx, data: SampleData | null): Promise<keyof typeof REFUSALS | null> {
  if (await rows.hasHeadquarters(from)) return 'Headquarters'
  return (await rows.hasOtherEvidence(from, idsOf(data, 'evidence'))) ? 'OwnEvidence' : null
}

async function stateOf(deps: Deps, from: Tx): Promise<SampleOut> {
  const data = await sampleData(from)
  const job = await lastJob(deps)
  const plan = samplePlan(data?.language ?? 'en', 0)
  const removal = data?.removal ?? null
  return {
    State: stateWord(data, job, plan.length),
    Done: removal === null ? (data?.done.length ?? 0) : removal.total - (data?.items.length ?? 0),
    Total: removal === null ? plan.length : removal.total,
    Problem: data !== null && job?.state === 'failed' ? job.message : null,
    WhyNot: await whyNotAdd(from, data),
    RemovalBegun: removal !== null,
    EvidenceIds: idsOf(data, 'evidence').map(String),
    CaseIds: idsOf(data, 'case').map(String),
    Removal: data === null ? null : await removalOf(deps, from, data),
  }
}

function stateWord(data: SampleData | null, job: JobView | undefined, steps: number): SampleOut['State'] {
  const isOpen = job !== undefined && OPEN.has(job.state)
  if (isOpen && job.kind === REMOVE_JOB.name) return 'Removing'
  if (isOpen) return 'Adding'
  if (data === null) return 'None'
  return data.removal === null && data.done.length === steps ? 'Added' : 'Partial'
}

async function removalOf(
  { holdsOf, clock }: Deps,
  from: Tx,
  data: SampleData,
): Promise<NonNullable<SampleOut['Removal']>> {
  const evidence = await rows.evidenceOfSample(from, idsOf(data, 'evidence'))
  const cases = await rows.casesOfSample(from, idsOf(data, 'case'), timeOf(clock.now()).ticks)
  const kept = evidence.filter(({ originals }) => originals > 1)
  const goes = evidence.filter(({ originals }) => originals <= 1)
  const ids = goes.map(({ id }) => id)
  const counts = await rows.countOfSample(
    from,
    ids,
    cases.map(({ id }) => id),
    evidence.map(({ id }) => id),
  )
  const holds = await holdsOf(from, ids)
  const held = goes.filter(({ id }) => holds.get(id)?.some((code) => isOfPeople({ code })))
  return {
    Evidence: goes.length,
    Cases: cases.length,
    Files: counts.files,
    Bytes: counts.bytes,
    Notes: counts.notes,
    Bookmarks: counts.bookmarks,
    Tasks: counts.tasks,
    OwnUnlinked: counts.unlinked,
    Kept: kept.map((row) => named('evidence', row)),
    Held: [
      ...held.map((row) => named('evidence', row)),
      ...cases.filter((row) => row.protected).map((row) => named('case', row)),
    ],
  }
}

const named = (Kind: 'evidence' | 'case', { id, name }: rows.NamedRow) => ({ Kind, Id: String(id), Name: name })
