import { resolve } from 'node:path'
import { settingsFromEnvironment } from '../config/environment.ts'
import { oneLine, progressLine } from './format.ts'
import { UsageError } from './error-messages.ts'

/** What commands have in common: their words, what they print, what they read. */

export const DATA = { data: { type: 'string' } } as const
export const JSON_FLAG = { json: { type: 'boolean', default: false } } as const

export const out = (text: string): void => {
  process.stdout.write(`${text}\n`)
}
/** Each on its line, whatever is in a name. */
export const row = (...columns: readonly string[]): void => out(columns.map(oneLine).join('  '))
export const note = (text: string): void => {
  process.stderr.write(`${text}\n`)
}

/** The line of progress is gone before anything else is said, also when the command fails. */
export async function withProgress<T>(work: (onProgress: (value: unknown) => void) => Promise<T>): Promise<T> {
  const show = progressLine()
  try {
    return await work((value) => show(value as string))
  } finally {
    show(null)
  }
}

export function settings(values: { data?: string | undefined }) {
  return settingsFromEnvironment(values.data === undefined ? {} : { data: resolve(values.data) })
}

export function one(positionals: readonly string[], message: string): string {
  const [first, ...more] = positionals
  if (first === undefined || more.length > 0) throw new UsageError(message)
  return first
}

/** A secret, only from a pipe: on the command line it is read by everybody on the machine. */
export async function fromStdin(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '')
}
