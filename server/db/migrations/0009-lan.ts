import * as cad from './0009/cad.ts'

/** The station on its network, its notices and its board. One step made of the parts of its house. */
const parts: readonly { readonly sql: string }[] = [cad]

export const version = 9
export const name = 'lan'
export const sql = parts.map((part) => part.sql).join('\n')
