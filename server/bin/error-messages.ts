/** What a person at the terminal is told of a failure. Never a stack: that is for the log. */
import { constants } from 'node:os'
import { oneLine } from './format.ts'

/** The command was not understood, or cannot be done by this version. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Ctrl-C, or whoever manages processes here. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
  /** As shells count it: 128 and the signal's number. */
  readonly exitCode: number
  constructor(signal: NodeJS.Signals) {
    super('Stopped. What was taken in is kept; run the command again for the rest.')
    this.exitCode = 128 + constants.signals[signal]
  }
}

/** @param usage of the command that was meant, for a command that was not understood. */
export function problemLines(error: unknown, usage: string): { lines: string[]; exitCode: number } {
  const { message, code, details } = error as {
    message?: string
    code?: string
    details?: readonly { Path: string; Message: string }[]
  }
  const lines = (message ?? String(error)).split('\n')
  // One problem alone is the message already.
  for (const { Path, Message } of details?.length === 1 && details[0]?.Message === message ? [] : (details ?? []))
    lines.push(`  ${Path === '' ? '' : `${Path}: `}${Message}`)
  if (error instanceof UsageError || code?.startsWith('ERR_PARSE_ARGS') === true)
    return { lines: [...lines.map(oneLine), `Usage: ${usage}`], exitCode: 2 }
  return { lines: lines.map(oneLine), exitCode: error instanceof Stopped ? error.exitCode : 1 }
}
