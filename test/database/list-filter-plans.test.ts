import type { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lastRead } from '../../server/features/integrity/fixity/blob-checks.store.ts'
import type { Database } from '../../server/kernel/database/database.ts'
import { countListed, type ListFilter, listedPage } from '../../server/kernel/evidence/list.store.ts'
import { openPlans, type Plans } from '../support/plans.ts'

/** How SQLite reads the filters of the list (promise L4), whoever may view what: each begins at an index of its own, and a page follows the order of an index. */
let plans: Plans
let db: Database
beforeAll(async () => {
  plans = await openPlans()
  db = plans.db
})
afterAll(() => plans?.close())
const planOf = (query: CompiledQuery): string => plans.planOf(query)

const FILTERS: readonly (readonly [name: string, filter: ListFilter, index: RegExp])[] = [
  ['officers', { officers: [7] }, /SEARCH a USING .*device_associations_by_principal[^]*evidence_recordings_by_device/],
  ['devices', { devices: ['a'.repeat(32)] }, /search_list_by_device/],
  ['categories', { categories: ['1', '2'] }, /evidence_by_category/],
  ['notes', { notes: true }, /notes_by_evidence/],
  ['marks', { marks: true }, /bookmarks_by_evidence/],
  ['protected', { protected: true }, /evidence_list_by_status/],
  ['size', { leastLength: 1_000_000_000 }, /evidence_list_by_length/],
]
/** A large table without an index, or an index of all of it from end to end. What lies in the recycle bin (d) has an index of its own. */
const WHOLE = /SCAN (l|e|s|r|c|p)\b.*/

describe('L4: filters of the list at a million', () => {
  it.each(FILTERS)('%s: what matches is counted from its index, and no table is read whole', (_name, filter, index) => {
    const plan = planOf(countListed(db.read, 'station', filter, null, 10_000))
    expect(plan).toMatch(index)
    expect(plan.match(WHOLE)?.[0]).toBeUndefined()
  })

  it.each(FILTERS)('%s: a page follows the order, and asks each row by its key', (_name, filter) => {
    const page = { sort: 'recorded', direction: 'desc', offset: 0, count: 100 } as const
    const plan = planOf(listedPage(db.read, 'station', filter, null, page, 'walk'))
    expect(plan).toMatch(/SEARCH l USING (COVERING )?INDEX evidence_list_by_recording/)
    expect(plan).not.toMatch(/USE TEMP B-TREE FOR ORDER BY/)
    expect(plan.match(WHOLE)?.[0]).toBeUndefined()
  })

  // What is in no case has no index of its own: 100,000 rows of which 50 are in none take 20 ms of a processor by time and 30 by name.
  it('in no case: each row asks the index of links by its key, in the order of the page', () => {
    const page = { sort: 'recorded', direction: 'desc', offset: 0, count: 100 } as const
    const plan = planOf(listedPage(db.read, 'station', { inNoCase: true }, null, page, 'walk'))
    expect(plan).toMatch(/SEARCH l USING (COVERING )?INDEX evidence_list_by_recording/)
    expect(plan).toMatch(/SEARCH k USING COVERING INDEX case_links_by_evidence/)
    expect(plan).not.toMatch(/USE TEMP B-TREE FOR ORDER BY|SCAN [lk]\b/)
  })
})

describe('L4: the page of fixity at a million', () => {
  it('the blobs that were read again last: from an index of these alone, in its order', () => {
    const plan = planOf(lastRead(db.read, 8).compile())
    expect(plan).toBe('SCAN blob_checks USING INDEX blob_checks_read_again')
  })
})
