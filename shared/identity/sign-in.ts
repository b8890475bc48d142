/** The end of a lock that only an administrator ends: 9999-12-31T23:59:59.000Z, in milliseconds since 1970. */
export const RELEASE_ONLY = Date.UTC(9999, 11, 31, 23, 59, 59)

/** Whether a lock that ends at this time is one that only an administrator ends. */
export const isReleaseOnly = (untilUtc: string): boolean => Date.parse(untilUtc) >= RELEASE_ONLY
