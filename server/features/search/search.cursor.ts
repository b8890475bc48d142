/** Where a page of hits ended, as text that clients give back. */
import { fault } from '../../../shared/kernel/errors.ts'
import type { Place, Sort } from './search.question.ts'

/** The cursor contains the order, because its place is valid only in that order. */
export const writeCursor = (sort: Sort, { tier, id, key }: Place): string =>
  Buffer.from(JSON.stringify([sort, tier, id, ...(sort === 'name' ? [key] : [])])).toString('base64url')

/** @throws Fault InvalidModel for a text that this search did not give in this order */
export function readCursor(cursor: string, sort: Sort): Place {
  const refuse = () =>
    fault('InvalidModel', 'The cursor is not one that this search gave.', [
      { Path: 'Cursor', Message: 'is not one that this search gave in this order' },
    ])
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    throw refuse()
  }
  if (!Array.isArray(value)) throw refuse()
  const [ofSort, tier, id, key = ''] = value as unknown[]
  if (ofSort !== sort || !Number.isSafeInteger(tier) || !Number.isSafeInteger(id) || typeof key !== 'string')
    throw refuse()
  return { tier: tier as number, id: id as number, key }
}
