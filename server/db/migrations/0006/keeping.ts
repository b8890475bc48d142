/** Fixity over the whole store, its alarms, checkpoints kept elsewhere, backups. */
export const sql = ``
