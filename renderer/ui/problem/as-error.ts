/** Whatever was thrown, as an error that can be shown. */
export const asError = (failure: unknown): Error => (failure instanceof Error ? failure : new Error(String(failure)))
