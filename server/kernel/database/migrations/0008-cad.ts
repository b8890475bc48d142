/** Calls: CAD push and the correlation engine. One step made of the parts of its house. */
import * as correlation from './0008/correlation.ts'
import * as push from './0008/push.ts'

export const version = 8
export const name = 'cad'
export const sql = [push, correlation].map((part) => part.sql).join('\n')
