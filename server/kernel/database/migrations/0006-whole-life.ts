/** Evidence for its whole life. One step made of the parts of its house, in an order that lets a later one name an earlier one's tables. */
import * as acts from './0006/acts.ts'
import * as disposition from './0006/disposition.ts'
import * as keeping from './0006/keeping.ts'
import * as passkeys from './0006/passkeys.ts'
import * as reading from './0006/reading.ts'
import * as search from './0006/search.ts'

export const version = 6
export const name = 'whole life'
export const sql = [acts, disposition, keeping, passkeys, reading, search].map((part) => part.sql).join('\n')
