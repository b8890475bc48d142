/** The station on its network, its notices and its board. One step made of the parts of its house. */
import * as alarmsOfSources from './0009/alarms-of-sources.ts'

const parts: readonly { readonly sql: string }[] = [alarmsOfSources]

export const version = 9
export const name = 'lan'
export const sql = parts.map((part) => part.sql).join('\n')
