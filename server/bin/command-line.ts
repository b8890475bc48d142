/** Runs the command that the arguments name. Results on stdout, problems and progress on stderr, exit code 0 only when it did what it says. */
import { setFileThreads } from '../config/file-threads.ts'
import type { Command } from './command.ts'
import { problemLines } from './error-messages.ts'

export type Commands = ReadonlyMap<string, Command>

/** Whoever started this waits for its end: a thread or a socket that was left open must not keep it. */
const END_WITHIN_MILLIS = 5_000
function endSoon(): void {
  setTimeout(() => {
    // A pager that reads slowly gets the whole result.
    if (process.stdout.writableLength > 0) endSoon()
    else process.exit()
  }, END_WITHIN_MILLIS).unref()
}

const isHelp = (word: string): boolean => ['help', '--help', '-h'].includes(word)

export async function runCommandLine(commands: Commands): Promise<void> {
  setFileThreads()
  // Whoever reads the results may have seen enough (`| head`).
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(1)
  })
  const [name = 'help', ...rest] = optionsBehind(process.argv.slice(2))
  const twoWords = `${name} ${rest[0] ?? ''}`
  const key = commands.has(twoWords) ? twoWords : name
  const command = commands.get(key)
  if (command === undefined) return withoutCommand(commands, name, rest)
  try {
    process.exitCode = await command.run(key === name ? rest : rest.slice(1))
  } catch (error) {
    const { lines, exitCode } = problemLines(error, command.usage)
    process.stderr.write(`${lines.join('\n')}\n`)
    process.exitCode = exitCode
  }
  endSoon()
}

/** `--data DIR` and `--json` mean the same before the command, where other programs take them. */
function optionsBehind(words: readonly string[]): string[] {
  const [first = '', second, ...rest] = words
  if (first === '--data' && second !== undefined) return [...optionsBehind(rest), first, second]
  if (first === '--json' || first.startsWith('--data=')) return [...optionsBehind(words.slice(1)), first]
  return [...words]
}

function withoutCommand(commands: Commands, name: string, [second]: readonly string[]): void {
  if (isHelp(name)) return void process.stdout.write(usage(commands))
  const group = second === undefined || isHelp(second) ? commandsOf(commands, name) : null
  if (group !== null && second !== undefined) return void process.stdout.write(group)
  process.stderr.write(
    group === null
      ? `There is no command ${JSON.stringify([name, second].filter((word) => word !== undefined).join(' '))}. \`npm run -s sallyport -- help\` lists them all.\n`
      : `${JSON.stringify(name)} needs one of these words after it.\n\n${group}`,
  )
  process.exitCode = 2
}

const described = (commands: Iterable<Command>): string =>
  [...commands].map(({ usage: text, does }) => `  ${text}\n      ${does}`).join('\n')

/** The commands whose first word of two this is, described; null where there are none. */
function commandsOf(commands: Commands, word: string): string | null {
  const found = [...commands].filter(([name]) => name.startsWith(`${word} `)).map(([, command]) => command)
  return found.length === 0 ? null : `npm run -s sallyport -- COMMAND\n\n${described(found)}\n`
}

function usage(commands: Commands): string {
  return `npm run -s sallyport -- COMMAND\n\n${described(commands.values())}\n\n--data DIR or SALLYPORT_DATA names the station's folder. --json gives results as JSON.\n`
}
