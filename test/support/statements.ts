/** What an act asks of the database. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'

const ROUNDS = 4

/** The statements of an act: the fewest of a few times, for the station's own work goes on beside it. */
export async function statementsOf(act: () => Promise<unknown>): Promise<readonly string[]> {
  let fewest: string[] | null = null
  for (let round = 0; round < ROUNDS; round++) {
    const found: string[] = []
    const hear = (sql: unknown): void => void found.push(sql as string)
    subscribe('sallyport:statement', hear)
    try {
      await act()
    } finally {
      unsubscribe('sallyport:statement', hear)
    }
    if (fewest === null || found.length < fewest.length) fewest = found
  }
  return fewest ?? []
}
