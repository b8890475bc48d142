import { app, dialog } from 'electron'
import type { Settings } from '../../server/index.ts'
import type { HostedStation, ServerHost } from '../server-host.ts'
import { describeFailure, type Failure } from './failures.ts'
import type { Words } from './messages.ts'

export interface Started {
  readonly station: HostedStation
  readonly settings: Settings
}

/** Exit code after the program showed why the station did not start, so that its caller need not show it again. */
export const EXIT_EXPLAINED = 3

/** Starts the station. A failure is shown with the choice to try again. @returns null when the person quits */
export async function startStation(
  host: ServerHost,
  given: Readonly<Record<string, string>> & { readonly data: string },
  words: Words,
): Promise<Started | null> {
  for (;;) {
    let where = { data: given.data, host: '127.0.0.1', port: 0 }
    try {
      const settings = await host.settings(given)
      where = settings
      return { station: await host.start(settings), settings }
    } catch (error) {
      const failure = describeFailure(error, where, words)
      process.stderr.write(`${failure.heading}\n${failure.body}\n`)
      if (!(await askAgain(failure, words))) return null
    }
  }
}

async function askAgain({ heading, body }: Failure, words: Words): Promise<boolean> {
  const { response } = await dialog.showMessageBox({
    type: 'error',
    title: 'Sallyport',
    message: heading,
    detail: body,
    buttons: [words('tryAgain'), words('quitNow')],
    defaultId: 0,
    cancelId: 1,
    noLink: true,
  })
  return response === 0
}

/** Ends the program after a disk failure under a commit. It does not wait for a click, since the process must end within five seconds. */
export function leaveFailedDisk(reason: string, words: Words): void {
  process.stderr.write(`${words('failDisk')}\n${words('failDiskBody', { detail: reason })}\n`)
  setTimeout(() => app.exit(74), 3_000)
  void dialog.showMessageBox({
    type: 'error',
    title: 'Sallyport',
    message: words('failDisk'),
    detail: words('failDiskBody', { detail: reason }),
  })
}

/** Runs a command of the terminal in the installed program (decisions 11), without a window or screen. */
export async function runInTerminal(host: ServerHost, command: readonly string[]): Promise<void> {
  process.argv = [process.argv[0] ?? '', 'sallyport', ...command]
  await host.runCommand()
  // The output must be flushed before the exit.
  for (const stream of [process.stdout, process.stderr]) await new Promise((done) => stream.write('', done))
  app.exit(Number(process.exitCode ?? 0))
}
