/** The fewest characters of a password (decisions 10). */
export const PASSWORD_MIN = 12

/** Counted are the code points of its composed form, in which it is hashed too. */
export const isShortPassword = (password: string): boolean => [...password.normalize('NFC')].length < PASSWORD_MIN

/** Of the authenticator, or of those for a lost phone. */
export const LONGEST_CODE = 64

/** The end of a lock that only an administrator ends: 9999-12-31T23:59:59.000Z, in milliseconds since 1970. */
export const RELEASE_ONLY = Date.UTC(9999, 11, 31, 23, 59, 59)

/** Whether a lock that ends at this time is one that only an administrator ends. */
export const isReleaseOnly = (untilUtc: string): boolean => Date.parse(untilUtc) >= RELEASE_ONLY
