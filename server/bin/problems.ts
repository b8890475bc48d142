/** What a person at the terminal is told of a failure. Never a stack: that is for the log. */

/** The command was not understood, or cannot be done by this version. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export function problemLines(error: unknown): { lines: string[]; exitCode: number } {
  const { message, code, details } = error as {
    message?: string
    code?: string
    details?: readonly { Path: string; Message: string }[]
  }
  const lines = [message ?? String(error)]
  for (const { Path, Message } of details ?? []) lines.push(`  ${Path === '' ? '' : `${Path}: `}${Message}`)
  if (error instanceof UsageError || code?.startsWith('ERR_PARSE_ARGS') === true)
    return { lines: [...lines, 'See: npm run -s sallyport -- help'], exitCode: 2 }
  return { lines, exitCode: 1 }
}
