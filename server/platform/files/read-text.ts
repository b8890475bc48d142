import { readFile } from 'node:fs/promises'

/** Reads a whole small text file. */
export const readText = (path: string): Promise<string> => readFile(path, 'utf8')

/** Reads a whole small file. */
export const readBytes = (path: string): Promise<Uint8Array> => readFile(path)
