/** How a dialect writes what is hashed of a row. Both write the same text for the same row. */
export interface RowText {
  /** SQL for the text that names a row within its table. @param keys columns of the primary key, with their alias */
  key(keys: readonly string[]): string
  /** SQL for the JSON object of a row. @param columns with their alias */
  state(columns: readonly { readonly name: string; readonly type: string; readonly column: string }[]): string
}
