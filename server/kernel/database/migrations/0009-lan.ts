/** The station on its network, its notices and its board. One step made of the parts of its house. */
import * as alarmsOfSources from './0009/alarms-of-sources.ts'
import * as board from './0009/board.ts'
import * as byTime from './0009/by-time.ts'
import * as cad from './0009/cad.ts'
import * as deviceSearch from './0009/device-search.ts'
import * as lan from './0009/lan.ts'
import * as notices from './0009/notices.ts'

export const version = 9
export const name = 'lan'
export const sql = [byTime, deviceSearch, lan, notices, board, cad, alarmsOfSources].map((part) => part.sql).join('\n')
