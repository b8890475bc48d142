/** Electron's runtime: where it lies, and getting it where it can be had. Never waits long for a network that is not there. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../node_modules/electron', import.meta.url))

/** `why`: in words that go into a sentence. */
export type Runtime = { readonly program: string } | { readonly why: string }

/** Milliseconds in which whoever has the runtime must begin to answer, and in which all of it must have come. */
const ANSWERS = 4_000
const ARRIVES = 5 * 60_000
const MIRROR = 'https://github.com'

/** @param environment of this process. @returns the program, or null when the runtime is not on this machine. */
export function installedRuntime(environment: NodeJS.ProcessEnv): string | null {
  const pathFile = join(folder, 'path.txt')
  const name = existsSync(pathFile) ? readFileSync(pathFile, 'utf8') : null
  const given = environment['ELECTRON_OVERRIDE_DIST_PATH']
  const program =
    given !== undefined && given !== ''
      ? join(given, name ?? 'electron')
      : name === null
        ? null
        : join(folder, 'dist', name)
  return program !== null && existsSync(program) ? program : null
}

export async function findRuntime(environment: NodeJS.ProcessEnv): Promise<Runtime> {
  const given = environment['ELECTRON_OVERRIDE_DIST_PATH'] ?? ''
  if (given === '' && process.platform === 'linux' && !environment['DISPLAY'] && !environment['WAYLAND_DISPLAY'])
    return { why: 'there is no screen here (neither DISPLAY nor WAYLAND_DISPLAY is set)' }
  const program = installedRuntime(environment)
  if (program !== null) return { program }
  if (given !== '') return { why: `ELECTRON_OVERRIDE_DIST_PATH names ${given}, where no runtime lies` }
  const unreachable = await whyUnreachable(environment)
  if (unreachable !== null)
    return { why: `Electron’s runtime is not on this machine and cannot be fetched (${unreachable})` }
  process.stderr.write('Fetching the Electron runtime (about 110 MB, once) …\n')
  const failed = await fetchRuntime()
  const fetched = installedRuntime(environment)
  return fetched === null
    ? { why: `Electron’s runtime could not be fetched (${failed ?? 'it did not arrive'})` }
    : { program: fetched }
}

/** @returns null when whoever has the runtime answers. */
export async function whyUnreachable(environment: NodeJS.ProcessEnv): Promise<string | null> {
  const address = environment['ELECTRON_MIRROR'] || MIRROR
  try {
    await fetch(address, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(ANSWERS) })
    return null
  } catch (error) {
    const { name, cause } = error as Error
    if (name === 'TimeoutError') return `${new URL(address).host} does not answer`
    return (cause as NodeJS.ErrnoException | undefined)?.code ?? (error as Error).message
  }
}

/** Electron's own installer: it checks what it fetched against the hashes that came with the package. @returns why it failed. */
function fetchRuntime(): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(folder, 'install.js')], { stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
    const timer = setTimeout(() => child.kill('SIGKILL'), ARRIVES)
    child.on('close', (code) => {
      clearTimeout(timer)
      const line = said.trim().split('\n')[0]
      resolve(code === 0 ? null : line === undefined || line === '' ? 'it took too long' : line)
    })
  })
}
