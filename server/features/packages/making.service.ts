/**
 * Making what was ordered: begun, stopped and gone on with by people, and done by a job in the name of whoever ordered it (docs/decisions/0034).
 */
import { packageProblem } from '../../../shared/messages/package-problems.ts'
import { dirname } from 'node:path'
import { fault } from '../../../shared/kernel/errors.ts'
import type { Principal } from '../../../shared/kernel/principal.ts'
import type { HttpCall } from '../../http/handlers.ts'
import type { Tx } from '../../kernel/database/database.ts'
import { FinalFailure, type JobContext, jobKind, LeaseLost } from '../../kernel/jobs/types.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import { makeFolder } from '../../platform/files/trees.ts'
import { isFinished } from '../../storage/packages/open-package.ts'
import {
  evidenceIn,
  find,
  lastJob,
  modelOf,
  objectOf,
  type OrderDeps,
  requireAll,
  seenInCase,
  subjectOf,
} from './order-access.ts'
import { requireAtHand, requireDriveOf } from './order-places.ts'
import type { PackageOut } from './packages.models.ts'
import * as rows from './packages.store.ts'

export type PackagePayload = {
  readonly packageId: string
  readonly tenant: string
  /** Who asked, as JSON of Principal. */
  readonly by: string
}
/** Its file lies on the machine that was asked. */
export const MAKE_JOB = jobKind<PackagePayload>('package.make', 'the node that queued it')
export type Making = ReturnType<typeof createMaking>

export function createMaking(deps: OrderDeps) {
  const { db, jobs, ledger } = deps
  /** Of encrypted packages, from when they are begun until their job ends. They are kept nowhere else. */
  const passphrases = new Map<number, string>()
  const starting = new Set<string>()
  const enqueue = async (tx: Tx, call: Call, tenant: string, id: number): Promise<void> => {
    const payload = { packageId: String(id), tenant, by: JSON.stringify(call.actor) }
    await jobs.enqueue(tx, MAKE_JOB.newJob(payload, { subject: subjectOf(id), key: subjectOf(id) }))
  }
  const toBegin = async (call: HttpCall, id: string) => {
    deps.requireWrites()
    const row = await find(deps, call, id)
    if (row.state !== 'Making' && !rows.isCutOff(row))
      throw fault('PackageNotOpen', 'The package is made, or cannot be made any more.')
    await requireAll(deps, db.read, call.principal, await evidenceIn(db.read, row))
    const order = await rows.orderOf(db.read, row.package_id)
    if (order?.drive != null) {
      requireAtHand(call)
      await requireDriveOf(deps.drives, row, order.drive)
    }
    return { row, order }
  }
  const begin = async (call: HttpCall, row: rows.PackageRow): Promise<PackageOut> => {
    await db.transaction(async (tx) => {
      await enqueue(tx, call, call.tenant, row.package_id)
      await ledger.append(tx, call, { action: 'package.ordered', object: objectOf(row), detail: { again: true } })
    })
    jobs.kick()
    return modelOf(deps, row)
  }
  return {
    /** To be kicked after the commit. */
    enqueue,
    stop: async (call: HttpCall, id: string): Promise<PackageOut> => {
      const row = await find(deps, call, id)
      const job = await lastJob(deps, row.package_id)
      await db.transaction(async (tx) => {
        if (job === undefined || (await jobs.cancel(tx, job.id)) === null)
          throw fault('PackageNotOpen', 'The package is not being made.')
        await ledger.append(tx, call, { action: 'package.stopped', object: objectOf(row) })
      })
      passphrases.delete(row.package_id)
      return modelOf(deps, row)
    },
    resume: async (call: HttpCall, id: string): Promise<PackageOut> => {
      const { row, order: given } = await toBegin(call, id)
      if (given?.encrypted === 1)
        throw fault('PassphraseNeeded', 'The station does not keep the passphrase of this package. Give it again.')
      return begin(call, row)
    },
    /** An encrypted one, for the first time or again. */
    start: async (call: HttpCall, id: string, passphrase: string): Promise<PackageOut> => {
      // Of two who start it at once, one would believe in a passphrase that the container does not have.
      if (starting.has(id)) throw isBeingMade()
      starting.add(id)
      try {
        const { row, order: given } = await toBegin(call, id)
        if (given?.encrypted !== 1) throw fault('PackageNotOpen', 'This package was not ordered with a passphrase.')
        if (isOpen(await lastJob(deps, row.package_id))) throw isBeingMade()
        // Before the job can begin.
        passphrases.set(row.package_id, passphrase)
        return await begin(call, row)
      } finally {
        starting.delete(id)
      }
    },
    /** The job. */
    make: async (job: JobContext<PackagePayload>): Promise<void> => {
      const id = Number(job.payload.packageId)
      try {
        await makeOrdered(deps, passphrases.get(id) ?? null, job)
      } finally {
        passphrases.delete(id)
      }
    },
  }
}

const isBeingMade = () => fault('PackageInProgress', 'This package is being made already.')
const isOpen = (job: { readonly state: string } | undefined): boolean =>
  job !== undefined && ['queued', 'waiting', 'running'].includes(job.state)

async function makeOrdered(deps: OrderDeps, passphrase: string | null, job: JobContext<PackagePayload>): Promise<void> {
  const { packageId, tenant, by } = job.payload
  const principal = JSON.parse(by) as Principal
  const row = await rows.packageById(deps.db.read, tenant, Number(packageId))
  if (row === undefined || row.state === 'Failed' || (await recordWhetherNamed(deps, row))) return
  const order = await rows.orderOf(deps.db.read, row.package_id)
  const call: Call = { actor: principal, source: 'station', correlationId: `job-${job.id}` }
  try {
    if (order?.encrypted === 1 && passphrase === null) throw fault('PassphraseNeeded', packageProblem('startedAgain'))
    await requireMember(deps, principal)
    await requireAll(deps, deps.db.read, principal, await evidenceIn(deps.db.read, row))
    if (order?.drive != null) await requireDriveOf(deps.drives, row, order.drive)
    else await makeFolder(dirname(row.target))
    const among = row.case_id === null ? [] : (await seenInCase(deps, principal, row.case_id)).seen
    await deps.packages.makeOrdered(call, row, among, {
      passphrase,
      signal: job.signal,
      authorize: async (tx, ids) => {
        await job.requireLease(tx)
        await requireMember(deps, principal)
        await requireAll(deps, tx, principal, ids)
      },
      onProgress: ({ bytes, total }) => job.progress(total === 0 ? 1 : bytes / total, ''),
    })
  } catch (error) {
    // People see why, and go on with it when that is mended: a second try by itself would only hide the reason.
    if (job.signal.aborted || error instanceof LeaseLost) throw error
    throw new FinalFailure((error as Error).message, { cause: error })
  }
}

/**
 * A package is recorded as made before it has its name. One that has none there is marked as cut off: if its drive is away, it stays so until
 * somebody goes on with it. @returns whether it has its name, so that nothing is left to do
 */
async function recordWhetherNamed({ db }: Pick<OrderDeps, 'db'>, row: rows.PackageRow): Promise<boolean> {
  if (row.state !== 'Made') return false
  const problem = (await isFinished(row)) ? '' : packageProblem('withoutName')
  if (problem !== row.problem) await db.transaction((tx) => rows.updatePackage(tx, row.package_id, { problem }))
  return problem === ''
}

async function requireMember({ isMember }: Pick<OrderDeps, 'isMember'>, principal: Principal): Promise<void> {
  if (principal.kind !== 'user' && principal.kind !== 'service') return
  if (!(await isMember(Number(principal.id))))
    throw new FinalFailure(packageProblem('noAccount', { who: principal.name }))
}
