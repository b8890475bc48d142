import { userInfo } from 'node:os'
import type { Settings } from '../config/settings.ts'
import { callControl, ensureFolder } from '../platform/control/control.ts'
import { openStation } from '../index.ts'

/**
 * Runs a command where the station is: in the running one over its socket, else here under the folder's exclusive lock. There is one
 * writer, ever (decisions 11).
 */
export async function inStation(
  settings: Settings,
  command: string,
  args: Readonly<Record<string, unknown>>,
  onProgress: (value: unknown) => void = () => {},
): Promise<unknown> {
  await ensureFolder(settings.data)
  const request = { command, args, user: userInfo().username }
  const there = await callControl(settings.data, request, onProgress)
  if (there !== null) return there.result

  const station = await openStation({
    ...settings,
    logLevel: settings.logLevel === 'info' ? 'warn' : settings.logLevel,
  })
  const abort = new AbortController()
  const stop = (): void => abort.abort(new Error('Stopped by the terminal. What was acknowledged is kept.'))
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  try {
    return await station.command(request, onProgress, abort.signal)
  } finally {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
    await station.close()
  }
}
