/** Copies rows between databases, or adds up what one holds, on a thread of its own: SQLite reads and writes hold the thread that asks. */
import { parentPort, workerData } from 'node:worker_threads'
import { openPostgresTarget } from './postgres/copy-target.ts'
import {
  copyRows,
  type DatabasePlace,
  type RowCopyAnswer,
  type RowCopyRequest,
  type RowTarget,
  sumsOf,
} from './row-copy.ts'
import { openSqliteTarget } from './sqlite/copy-rows-target.ts'
import { openRowSource } from './row-source.ts'

if (parentPort === null) throw new Error('This file runs on a worker thread')
const port = parentPort
const send = (answer: RowCopyAnswer): void => port.postMessage(answer)

const EVERY_MS = 500
let told = 0
function tell(table: string, rows: number): void {
  if (performance.now() - told < EVERY_MS) return
  told = performance.now()
  send({ table, rows })
}

const openTarget = async (place: DatabasePlace, mark: string): Promise<RowTarget> =>
  place.kind === 'sqlite' ? openSqliteTarget(place, mark) : openPostgresTarget(place, mark)

async function perform({ from, to }: RowCopyRequest): Promise<void> {
  const source = await openRowSource(from)
  try {
    if (to === null) return send({ sums: await sumsOf(source, tell) })
    const target = await openTarget(to.place, to.mark)
    try {
      send({ sums: await copyRows(source, target, tell) })
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

perform(workerData as RowCopyRequest).catch((error: unknown) => {
  const { name, message } = error as Error
  send({ failure: { name, message } })
})
