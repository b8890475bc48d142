export interface Command {
  readonly usage: string
  readonly does: string
  /** @returns the exit code. */
  readonly run: (argv: string[]) => Promise<number>
}
