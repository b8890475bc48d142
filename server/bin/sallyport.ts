#!/usr/bin/env node
/** The command line (decisions 11). Results on stdout, problems and progress on stderr, exit code 0 only when it did what it says. */
import { COMMANDS, usage } from './commands.ts'
import { problemLines } from './problems.ts'

const [name = 'help', ...rest] = process.argv.slice(2)
const twoWords = `${name} ${rest[0] ?? ''}`
const key = COMMANDS.has(twoWords) ? twoWords : name
const command = COMMANDS.get(key)

if (command === undefined) {
  process.stderr.write(name === 'help' || name === '--help' ? '' : `There is no command "${name}".\n`)
  process.stderr.write(usage())
  process.exitCode = name === 'help' || name === '--help' ? 0 : 2
} else {
  try {
    process.exitCode = await command.run(key === name ? rest : rest.slice(1))
  } catch (error) {
    const { lines, exitCode } = problemLines(error)
    process.stderr.write(`${lines.join('\n')}\n`)
    process.exitCode = exitCode
  }
}
