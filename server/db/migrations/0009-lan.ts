/** The station on its network, its notices and its board. One step made of the parts of its house. */
import * as board from './0009/board.ts'

const parts: readonly { readonly sql: string }[] = [board]

export const version = 9
export const name = 'lan'
export const sql = parts.map((part) => part.sql).join('\n')
