/**
 * Units of work on PostgreSQL beside each other, and one group at a time as with one connection that writes, in turn in one run: calls a second of
 * creating, changing and linking a case, without HTTP, one at a time and 32 at once, at one node and at two (promise B8).
 *   npm run bench -- units [seconds a measurement = 3] [rounds = 3]
 * Prints one line of JSON a measurement: the median of the rounds for either way, and their ratio.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { LinkEvidencesRequestModel } from '../../shared/cases/case-links.contract.ts'
import { CreateCaseModel, PatchCaseModel } from '../../shared/cases/contract.ts'
import { CreateEvidenceModel } from '../../shared/evidence/contract.ts'
import { createCaseUnit, patchCaseUnit } from '../../server/features/cases/case-changes.ts'
import { linkEvidencesUnit } from '../../server/features/cases/case-linking.ts'
import { type PostgresDatabase, openPostgres } from '../../server/kernel/database/postgres/database.ts'
import { createRecords } from '../../server/kernel/evidence/records.ts'
import { insertJob } from '../../server/kernel/jobs/jobs.store.ts'
import { createLedger } from '../../server/kernel/ledger/ledger.ts'
import { createVersions } from '../../server/kernel/versions/versions.ts'
import { systemClock as clock } from '../../server/platform/clock/clock.ts'
import { createLog } from '../../server/platform/log/log.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { closedLoop, print, round, type Subjects } from './case-client.ts'

const KINDS = ['create', 'patch', 'link'] as const
type Kind = (typeof KINDS)[number]
const LANES = [1, 32] as const
const NODES = [1, 2] as const
/** Connections that write: before and after. */
const WRITERS = [1, 2] as const
/** Cases and evidence for the lanes of all nodes. */
const SUBJECTS = 32 * 2

const principal = { kind: 'user' as const, id: '1', name: 'bench', kId: 'bench' }
const given = <Input>(input: Input) => ({
  call: { actor: principal, principal, source: 'bench', correlationId: randomUUID(), answerKey: null },
  input,
})
const createCase = (db: PostgresDatabase) =>
  db.run(
    createCaseUnit,
    given({ tenant: 's', input: CreateCaseModel.parse({ Title: 'Bench' }), wantedEvidence: null }),
    clock.now,
  )

const open = (url: string, writers: number): Promise<PostgresDatabase> =>
  openPostgres({ url, writers, units: new URL('../../server/app/units.ts', import.meta.url) })

async function seed(url: string): Promise<Subjects> {
  const db = await open(url, 1)
  const ledger = createLedger({ db, clock, log: createLog('silent') })
  const records = createRecords({
    ledger,
    versions: createVersions({ db }),
    jobs: { enqueue: (tx, job) => insertJob(tx, job, '', null) },
    clock,
  })
  await db.transaction(async (tx) => {
    await tx.insertInto('tenants').values({ tenant_id: 's', name_key: 's', created_utc: '' }).execute()
    const named = { tenant_id: 's', kind: 'user' as const, name: 'bench', name_key: 'bench', k_id: 'bench' }
    await tx
      .insertInto('principals')
      .values({ ...named, principal_id: 1, created_utc: '', created_by: '{}' } as never)
      .execute()
  })
  const cases: string[] = []
  const evidences: string[] = []
  for (let at = 0; at < SUBJECTS; at++) {
    cases.push((await createCase(db)).output.CaseId as string)
    const film = { ...CreateEvidenceModel.parse({ Name: 'Bench' }), device: null, deviceIdentity: null }
    const row = await db.transaction((tx) => records.createEvidence(tx, given(null).call, 's', film))
    evidences.push(String(row.evidence_id))
  }
  await db.close()
  return { cases, evidences }
}

interface ToMeasure {
  readonly kind: Kind
  readonly lanes: number
  readonly seconds: number
}

/** A process that stands for a node. Each lane has a case and an evidence of its own. */
async function beNode(url: string, writers: number, { cases, evidences }: Subjects): Promise<void> {
  const db = await open(url, writers)
  const works: Readonly<Record<Kind, (lane: number) => Promise<unknown>>> = {
    create: () => createCase(db),
    patch: (lane) => {
      const input = PatchCaseModel.parse({ Description: randomUUID() })
      return db.run(
        patchCaseUnit,
        given({ tenant: 's', id: cases[lane] as string, input, wantedEvidence: null }),
        clock.now,
      )
    },
    // Two calls: the next measurement finds every evidence unlinked again.
    link: async (lane) => {
      for (const Action of ['Add', 'Remove'] as const) {
        const request = LinkEvidencesRequestModel.parse({ Evidences: [{ EvidenceId: evidences[lane], Action }] })
        await db.run(linkEvidencesUnit, given({ tenant: 's', caseId: cases[lane] as string, request }), clock.now)
      }
    },
  }
  process.on('message', ({ kind, lanes, seconds }: ToMeasure) => {
    void closedLoop(lanes, seconds, works[kind]).then((rate) => process.send?.(kind === 'link' ? 2 * rate : rate))
  })
  process.on('disconnect', () => void db.close())
  process.send?.('ready')
}

async function startNode(url: string, writers: number, subjects: Subjects): Promise<ChildProcess> {
  const child = fork(import.meta.filename, ['node', url, String(writers), JSON.stringify(subjects)])
  await once(child, 'message')
  return child
}

async function rateOf(nodes: readonly ChildProcess[], what: ToMeasure): Promise<number> {
  const rates = nodes.map(async (node) => {
    node.send(what)
    return (await once(node, 'message'))[0] as number
  })
  return (await Promise.all(rates)).reduce((sum, rate) => sum + rate, 0)
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] as number

async function measure(url: string, seconds: number, rounds: number): Promise<void> {
  const { cases, evidences } = await seed(url)
  const rates = new Map<string, number[]>()
  const key = (...parts: readonly (string | number)[]): string => parts.join(' ')
  for (let turn = 0; turn < rounds; turn++)
    for (const nodes of NODES)
      for (const writers of WRITERS) {
        const parts = Array.from({ length: nodes }, (_, at): Subjects => {
          const own = <T>(all: readonly T[]): T[] => all.slice(32 * at, 32 * (at + 1))
          return { cases: own(cases), evidences: own(evidences) }
        })
        const children = await Promise.all(parts.map((part) => startNode(url, writers, part)))
        for (const kind of KINDS)
          for (const lanes of LANES) {
            await rateOf(children, { kind, lanes, seconds: seconds / 4 })
            const rate = await rateOf(children, { kind, lanes, seconds })
            const measured = key(nodes, kind, lanes, writers)
            rates.set(measured, [...(rates.get(measured) ?? []), rate])
          }
        for (const child of children) {
          child.disconnect()
          await once(child, 'exit')
        }
      }
  for (const nodes of NODES)
    for (const kind of KINDS)
      for (const lanes of LANES) {
        const [before = 0, after = 0] = WRITERS.map((writers) =>
          median(rates.get(key(nodes, kind, lanes, writers)) ?? []),
        )
        print({
          nodes,
          kind,
          lanes,
          oneGroup: round(before, 10),
          beside: round(after, 10),
          ratio: round(after / before),
        })
      }
}

const [first = '3', second = '3', writers = '1', subjects = ''] = process.argv.slice(2)
if (first === 'node') await beNode(second, Number(writers), JSON.parse(subjects))
else {
  const server = await startPostgres()
  try {
    await measure(await server.create('units'), Number(first), Number(second))
  } finally {
    await server.stop()
  }
}
