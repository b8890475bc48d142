/** The same operations as over HTTP, ledger included, without the server: what (b) of the benchmark is measured against. */
import { randomUUID } from 'node:crypto'
import { createLedger } from '../../server/kernel/ledger/ledger.ts'
import { createVersions } from '../../server/kernel/versions/versions.ts'
import { openDatabase } from '../../server/kernel/database/database.ts'
import { createAccess } from '../../server/kernel/access/access.ts'
import { createRecords } from '../../server/kernel/evidence/records.ts'
import { createCaseList } from '../../server/features/cases/case-list.service.ts'
import { createCaseCore } from '../../server/features/cases/case-aggregate.ts'
import { createCaseChanges } from '../../server/features/cases/case-changes.ts'
import { createCaseLinking } from '../../server/features/cases/case-linking.ts'
import { createStartUnit } from '../../server/kernel/unit-calls.ts'
import { createCases } from '../../server/features/cases/cases.service.ts'
import { createLinks } from '../../server/features/cases/links.service.ts'
import type { HttpCall } from '../../server/http/handlers.ts'
import { isAdministrator, isInPolicy } from '../../server/features/identity/users/users.store.ts'
import { createJobQueue } from '../../server/kernel/jobs/queue.ts'
import { systemClock as clock } from '../../server/platform/clock/clock.ts'
import { createLog } from '../../server/platform/log/log.ts'
import type { Does } from './case-client.ts'

export async function withoutServer(
  file: string,
  principalId: string,
): Promise<{ does: Does; close(): Promise<void> }> {
  const log = createLog('silent')
  const db = await openDatabase({ file, units: new URL('../../server/app/units.ts', import.meta.url) })
  const ledger = createLedger({ db, clock, log })
  const versions = createVersions({ db })
  const access = createAccess({ clock })
  const jobs = createJobQueue({ db, clock, log, handlers: () => ({}), concurrency: 1 })
  const records = createRecords({ ledger, versions, jobs, clock })
  const people = {
    isInPolicy: (id: string, policy: Parameters<typeof isInPolicy>[2]) => isInPolicy(db.read, Number(id), policy),
    isAdministrator: (id: string) => isAdministrator(db.read, Number(id)),
  }
  const core = createCaseCore({ ledger, versions, clock, access })
  const linking = createCaseLinking({ core, records, access, clock })
  const start = createStartUnit(db, clock)
  const links = createLinks({ db, start, linking, versions, access, ...people })
  const customFields = async () => []
  const changes = createCaseChanges({ core, linking, ledger, clock, customFields })
  const cases = createCases({ db, start, core, changes, linking, versions, ...people })
  const list = createCaseList({ db, access, ...people })
  const call = (): HttpCall => {
    const principal = { kind: 'service' as const, id: principalId, name: 'bench', kId: 'k' }
    return {
      actor: principal,
      principal,
      source: '127.0.0.1',
      correlationId: randomUUID(),
      rememberAnswer: async (_tx, answer) => answer,
      answerKey: null,
      tenant: 'station',
      describeRead: () => {},
      reportDecision: () => {},
    }
  }
  const read = async <T>(action: 'case.read' | 'case.history' | 'list.read', id: string, work: Promise<T>) => {
    const answer = await work
    await ledger.record(call(), { action, object: { type: 'case', id, name: '' } })
    return JSON.stringify(answer)
  }
  const blank = { count: 50 }
  const does: Does = {
    create: async () => {
      await cases.create(call(), 'station', { Title: 'Burglary' } as never)
    },
    get: async (id) => void (await read('case.read', id, cases.read(call(), 'station', id))),
    patch: async (id) => {
      await cases.patch(call(), 'station', id, { Description: randomUUID() } as never)
    },
    list: async () => void (await read('list.read', '', list.list(call(), 'station', blank as never))),
    link: async (id, evidenceId, add) => {
      const Evidences = [{ EvidenceId: evidenceId, Action: add ? 'Add' : 'Remove' }]
      await links.link(call(), 'station', id, { Evidences })
    },
    history: async (id) => void (await read('case.history', id, cases.history(call(), 'station', id, { count: 100 }))),
  }
  return { does, close: () => db.close() }
}
