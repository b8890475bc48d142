#!/usr/bin/env node
/** The command line (decisions 11). Results on stdout, problems and progress on stderr, exit code 0 only when it did what it says. */
import { askForFileThreads } from '../config/file-threads.ts'
import { COMMANDS, usage } from './commands.ts'
import { problemLines } from './problems.ts'

askForFileThreads()

// Whoever reads the results may have seen enough (`| head`).
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(1)
})

const [name = 'help', ...rest] = process.argv.slice(2)
const twoWords = `${name} ${rest[0] ?? ''}`
const key = COMMANDS.has(twoWords) ? twoWords : name
const command = COMMANDS.get(key)

if (command !== undefined) {
  try {
    process.exitCode = await command.run(key === name ? rest : rest.slice(1))
  } catch (error) {
    const { lines, exitCode } = problemLines(error, command.usage)
    process.stderr.write(`${lines.join('\n')}\n`)
    process.exitCode = exitCode
  }
} else if (name === 'help' || name === '--help' || name === '-h') {
  process.stdout.write(usage())
} else {
  process.stderr.write(`There is no command ${JSON.stringify(name)}.\n\n${usage()}`)
  process.exitCode = 2
}
