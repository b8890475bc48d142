import { readFile } from 'node:fs/promises'

/** Reads a whole small text file. */
export const readText = (path: string): Promise<string> => readFile(path, 'utf8')
