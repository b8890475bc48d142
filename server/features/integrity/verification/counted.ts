/** A number with its word: `1 entry`, `0 entries`. @param many where it is not the word with an s */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`
