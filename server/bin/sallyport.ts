#!/usr/bin/env node
/** The command line (decisions 11). Results on stdout, problems and progress on stderr, exit code 0 only when it did what it says. */
import { askForFileThreads } from '../config/file-threads.ts'
import { COMMANDS, commandsOf, usage } from './commands.ts'
import { problemLines } from './error-messages.ts'

askForFileThreads()

// Whoever reads the results may have seen enough (`| head`).
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(1)
})

const isHelp = (word: string): boolean => ['help', '--help', '-h'].includes(word)

const [name = 'help', ...rest] = process.argv.slice(2)
const twoWords = `${name} ${rest[0] ?? ''}`
const key = COMMANDS.has(twoWords) ? twoWords : name
const command = COMMANDS.get(key)

/** Whoever started this waits for its end: a thread or a socket that was left open must not keep it. */
const END_WITHIN_MILLIS = 5_000
function endSoon(): void {
  setTimeout(() => {
    // A pager that reads slowly gets the whole result.
    if (process.stdout.writableLength > 0) endSoon()
    else process.exit()
  }, END_WITHIN_MILLIS).unref()
}

if (command !== undefined) {
  try {
    process.exitCode = await command.run(key === name ? rest : rest.slice(1))
  } catch (error) {
    const { lines, exitCode } = problemLines(error, command.usage)
    process.stderr.write(`${lines.join('\n')}\n`)
    process.exitCode = exitCode
  }
  endSoon()
} else if (isHelp(name)) {
  process.stdout.write(usage())
} else {
  const [second] = rest
  const group = second === undefined || isHelp(second) ? commandsOf(name) : null
  if (group !== null && second !== undefined) {
    process.stdout.write(group)
  } else {
    process.stderr.write(
      group === null
        ? `There is no command ${JSON.stringify([name, second].filter((word) => word !== undefined).join(' '))}.\n\n${usage()}`
        : `${JSON.stringify(name)} needs one of these words after it.\n\n${group}`,
    )
    process.exitCode = 2
  }
}
