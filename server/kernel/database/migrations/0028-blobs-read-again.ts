/** The blobs that were read again last, which the page of fixity shows: of a million that only came in none had to be read for it. */
export const version = 28
export const name = 'blobs that were read again'
/** It only adds an index. */
export const oldestProgram = 16
export const sql = `
CREATE INDEX blob_checks_read_again ON blob_checks (checked_at, sha256) WHERE times > 0;
`
