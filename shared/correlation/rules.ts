/** What correlation and the calls board agree on. */

/** A window is never longer; and of a longer recording no more than this is looked at. */
export const DAY = 24 * 3_600_000
