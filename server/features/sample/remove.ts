/** The job that removes sample data: evidence by disposition, cases by the case service, one after the other. It goes on after any stop. */
import { setTimeout as passed } from 'node:timers/promises'
import { Fault } from '../../../shared/kernel/errors.ts'
import { isOfPeople } from '../../../shared/retention/retention.ts'
import type { HttpCall } from '../../http/handlers.ts'
import type { Tx } from '../../kernel/database/database.ts'
import { evidenceById } from '../../kernel/evidence/records.store.ts'
import { FinalFailure, NotYet } from '../../kernel/jobs/types.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { forgetSampleData, type SampleItem, sampleData, type SampleRemoval } from '../../kernel/sample-data.ts'
import { callOf, changeSampleData, type NeedsOfSample, requireAdministrator, type SampleJob } from './sample-job.ts'
import { evidenceOfSample, resourceIdsOf } from './sample.store.ts'

type Deps = Pick<NeedsOfSample, 'cases' | 'disposition' | 'holdsOf'> &
  Pick<Kernel, 'db' | 'ledger' | 'jobs' | 'isAdministrator'>

/** How often, and how long apart, the end of cancelled work is waited for, before the job itself waits. */
const LOOKS = 50
const LOOK_EVERY_MS = 100
const TRY_AGAIN_MS = 2_000

export async function removeSample(deps: Deps, job: SampleJob): Promise<void> {
  const { db, ledger, disposition, isAdministrator } = deps
  const call = callOf(job)
  for (;;) {
    job.signal.throwIfAborted()
    await requireAdministrator(isAdministrator, call)
    const now = await sampleData(db.read)
    if (now === null || now.removal === null) return
    const { removal, items } = now
    const next = items.find(({ kind }) => kind === 'evidence') ?? items[0]
    job.progress(removal.total === 0 ? 1 : 1 - items.length / removal.total, '')
    if (next === undefined) {
      await db.transaction(async (tx) => {
        await job.requireLease(tx)
        await forgetSampleData(tx)
        const { evidence, cases, kept } = removal
        await ledger.append(tx, call, {
          action: 'sample.removed',
          object: { type: 'station', id: '1', name: '' },
          detail: { evidence, cases, kept },
        })
      })
      return
    }
    if (next.kind === 'evidence') await endWorkOn(deps, next.id)
    await db.transaction((tx) => removeOne(deps, tx, job, call, next)).catch(refused)
    await disposition.removeFiles()
  }
}

async function removeOne(deps: Deps, tx: Tx, job: SampleJob, call: HttpCall, item: SampleItem): Promise<void> {
  await job.requireLease(tx)
  const end = item.kind === 'case' ? await removeCase(deps, tx, call, item) : await removeEvidence(deps, tx, call, item)
  await changeSampleData(tx, ({ items, removal, ...now }) => ({
    ...now,
    items: items.filter(({ kind, id }) => kind !== item.kind || id !== item.id),
    removal: removal === null ? null : { ...removal, ...end(removal) },
  }))
}

type Counted = (removal: SampleRemoval) => Partial<SampleRemoval>

async function removeCase({ cases }: Deps, tx: Tx, call: HttpCall, { id }: SampleItem): Promise<Counted> {
  await cases.destroy(tx, call, call.tenant, id)
  return (removal) => ({ cases: removal.cases + 1 })
}

async function removeEvidence(
  { cases, disposition, holdsOf }: Deps,
  tx: Tx,
  call: HttpCall,
  { id }: SampleItem,
): Promise<Counted> {
  const [found] = await evidenceOfSample(tx, [id])
  const evidence = await evidenceById(tx, call.tenant, id)
  // Disposition destroyed it meanwhile.
  if (found === undefined || evidence === undefined) return (removal) => ({ evidence: removal.evidence + 1 })
  if (found.originals > 1) return (removal) => ({ kept: [...removal.kept, String(id)] })
  // Before it leaves its cases: one of them may have been protected since the removal was asked for.
  if ((await holdsOf(tx, [id])).get(id)?.some((code) => isOfPeople({ code })) === true)
    throw new FinalFailure(`“${found.name}” is protected, or somebody decided to keep it.`)
  await cases.unlinkEvidence(tx, call, evidence)
  // Undoes the transaction: what is worked on is tried again.
  if ((await disposition.destroySample(tx, call, id)) === 'busy')
    throw new NotYet('Work on it has not ended.', TRY_AGAIN_MS)
  return (removal) => ({ evidence: removal.evidence + 1 })
}

/** Nobody needs what is derived from it any more. */
async function endWorkOn({ db, jobs }: Deps, evidenceId: number): Promise<void> {
  const resources = await resourceIdsOf(db.read, evidenceId)
  const subjects = [`evidence:${evidenceId}`, ...resources.map((id) => `resource:${id}`)]
  for (let look = 0; look < LOOKS; look++) {
    const open = (await jobs.ofSubjects(subjects)).filter(({ state }) => state === 'queued' || state === 'running')
    if (open.length === 0) return
    await db.transaction(async (tx) => {
      for (const { id } of open) await jobs.cancel(tx, id)
    })
    await passed(LOOK_EVERY_MS)
  }
}

/** What is refused now is refused again: the job ends, and says why. */
function refused(error: unknown): never {
  if (error instanceof Fault) throw new FinalFailure(error.message)
  throw error
}
