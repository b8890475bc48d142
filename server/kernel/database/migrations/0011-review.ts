/** What the external review of November 2026 asked of the schema. One step, one part for each subject. */
import * as accountControl from './0011/account-control.ts'
import * as folding from './0011/folding.ts'
import * as jobOrder from './0011/job-order.ts'
import * as recordedTimes from './0011/recorded-times.ts'
import * as signIn from './0011/sign-in.ts'

interface Part {
  readonly sql: string
}

// The triggers of the list are made anew by `recordedTimes`, with the letters that `folding` keeps.
const PARTS: readonly Part[] = [accountControl, folding, jobOrder, signIn, recordedTimes]

export const version = 11
export const name = 'review'
export const sql = PARTS.map((part) => part.sql).join('\n')
