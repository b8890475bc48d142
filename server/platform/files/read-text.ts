import { readFile } from 'node:fs/promises'

/** A small text file, whole. */
export const readText = (path: string): Promise<string> => readFile(path, 'utf8')
