/** The dock. One step made of the parts of its house, in an order that lets a later one name an earlier one's tables. */
import * as bays from './0007/bays.ts'
import * as devices from './0007/devices.ts'
import * as dock from './0007/dock.ts'
import * as dockEngine from './0007/dock-engine.ts'

export const version = 7
export const name = 'dock'
export const sql = [devices, dock, dockEngine, bays].map((part) => part.sql).join('\n')
