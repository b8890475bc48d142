/** Tables of migrations/first-release/cad.ts: calls versus footage. */

export interface BoardShiftsTable {
  tenant_id: string
  /** Minutes after midnight in the station's time zone. */
  start_minute: number
  /** Empty when the shift is named by its hours. */
  name: string
}

export interface BoardTables {
  board_shifts: BoardShiftsTable
}
