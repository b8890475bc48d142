/**
 * Three hosts and a switch as network namespaces of this machine: a station and two others, each with one cable (a veth pair) to a
 * bridge. Nothing of it touches the machine's own network. Root alone can make it.
 */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'

const NETWORK = '10.77.0'
const run = promisify(execFile)

export interface Host {
  readonly name: string
  readonly address: string
  /** A program on this host, to its end. @throws with what it said unless it exits 0 */
  run(program: string, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>
  spawn(program: string, args: readonly string[], env?: Readonly<Record<string, string>>): ChildProcess
  cable(state: 'up' | 'down'): Promise<void>
}

/** Why there are no namespaces on this machine, or null. */
export function hostsMissing(): string | null {
  if (process.platform !== 'linux') return 'network namespaces need Linux'
  if (process.getuid?.() !== 0) return 'network namespaces need root'
  const name = `sp-look-${process.pid}`
  try {
    execFileSync('ip', ['netns', 'add', name], { stdio: 'ignore' })
    execFileSync('ip', ['netns', 'del', name], { stdio: 'ignore' })
    return null
  } catch {
    return 'network namespaces cannot be made here'
  }
}

interface Making {
  readonly mark: string
  ip(...words: string[]): Promise<unknown>
  namespace(name: string): Promise<void>
  dispose(): Promise<void>
}

function making(): Making {
  // Interfaces have fifteen letters at most, and several runs share the machine.
  const mark = randomBytes(3).toString('hex')
  const made: string[] = []
  const ip = (...words: string[]) => run('ip', words)
  return {
    mark,
    ip,
    namespace: async (name) => {
      await ip('netns', 'add', name)
      made.push(name)
      await ip('-n', name, 'link', 'set', 'lo', 'up')
    },
    dispose: async () => {
      for (const name of made.reverse()) await ip('netns', 'del', name).catch(() => {})
    },
  }
}

function hostIn(name: string, address: string): Host {
  const inside = (program: string, args: readonly string[]): string[] => ['netns', 'exec', name, program, ...args]
  return {
    name,
    address,
    run: async (program, args, env = {}) => {
      const environment = { ...plainEnvironment(), ...env }
      return (await run('ip', inside(program, args), { env: environment, maxBuffer: 64 * 2 ** 20 })).stdout
    },
    spawn: (program, args, env = {}) =>
      spawn('ip', inside(program, args), { env: { ...plainEnvironment(), ...env }, stdio: ['ignore', 'pipe', 'pipe'] }),
    cable: async (state) => {
      await run('ip', ['-n', name, 'link', 'set', 'lan0', state])
    },
  }
}

/** A host with loopback and nothing else. */
export async function loneHost(): Promise<Host & { dispose(): Promise<void> }> {
  const { mark, namespace, dispose } = making()
  const name = `sp-${mark}-lone`
  await namespace(name)
  return { ...hostIn(name, '127.0.0.1'), dispose }
}

export async function threeHosts(): Promise<{ station: Host; officer: Host; camera: Host; dispose(): Promise<void> }> {
  const { mark, ip, namespace, dispose } = making()
  const bridge = `sp-${mark}-sw`
  const host = async (label: string, number: number): Promise<Host> => {
    const name = `sp-${mark}-${label}`
    const address = `${NETWORK}.${number}`
    await namespace(name)
    await ip('-n', name, 'link', 'add', 'lan0', 'type', 'veth', 'peer', 'name', `to-${label}`, 'netns', bridge)
    await ip('-n', bridge, 'link', 'set', `to-${label}`, 'master', 'br0', 'up')
    await ip('-n', name, 'addr', 'add', `${address}/24`, 'dev', 'lan0')
    await ip('-n', name, 'link', 'set', 'lan0', 'up')
    return hostIn(name, address)
  }
  try {
    await namespace(bridge)
    await ip('-n', bridge, 'link', 'add', 'br0', 'type', 'bridge')
    await ip('-n', bridge, 'link', 'set', 'br0', 'up')
    return { station: await host('st', 1), officer: await host('of', 2), camera: await host('cam', 3), dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}

const plainEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('SALLYPORT_') && !name.startsWith('VITEST')),
  )
