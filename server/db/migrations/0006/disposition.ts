/** Retention rules, what is due, who approved, what was destroyed. */
export const sql = ``
