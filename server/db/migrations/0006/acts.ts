/** What is done with whole evidence and files: protection, the recycle bin, encrypted uploads. */
export const sql = ``
