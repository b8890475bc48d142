/** What everything is found by. */
export const sql = ``
