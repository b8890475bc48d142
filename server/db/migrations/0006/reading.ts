/** Bookmarks, notes and captions of those who read evidence. */
export const sql = ``
