import { homedir } from 'node:os'
import { join } from 'node:path'
import { loadSettings, type Settings } from './settings.ts'

/** The only reader of process.env in the server. */
export function settingsFromEnvironment(given: Partial<Record<keyof Settings, unknown>> = {}): Settings {
  return loadSettings(process.env, {
    ...given,
    data: given.data ?? process.env['SALLYPORT_DATA'] ?? defaultDataFolder(),
  })
}

/** The platform's usual folder for data of programs. */
function defaultDataFolder(): string {
  if (process.platform === 'win32')
    return join(process.env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'), 'Sallyport')
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Sallyport')
  return join(process.env['XDG_DATA_HOME'] || join(homedir(), '.local', 'share'), 'sallyport')
}
