/** Tables of migrations/first-release/cad.ts: calls versus footage. */

export interface BoardShiftsTable {
  tenant_id: string
  /** After midnight on the station's wall. */
  start_minute: number
  /** Empty: its hours say what it is. */
  name: string
}

export interface BoardTables {
  board_shifts: BoardShiftsTable
}
