/** Directus 11 on SQLite, from the npm registry: what V1, V2 and V3 are compared with. All of it lies in one folder. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../support/free-ports.ts'

const PACKAGES = ['directus@11.17.4', 'sqlite3@6.0.1']
const PROGRAM = 'node_modules/directus/cli.js'
const run = promisify(execFile)

export interface Directus {
  readonly url: string
  readonly token: string
  stop(): Promise<void>
}

/**
 * The machine's own Node and npm. npm compiles addons for the headers that the machine has, so that the Node of this checkout cannot load
 * them. Nothing of the calling npm is inherited.
 */
const ENV = {
  PATH: (process.env['PATH'] ?? '')
    .split(':')
    .filter((folder) => !folder.includes('node_modules'))
    .join(':'),
  HOME: process.env['HOME'] ?? '',
}

/** Installs where it is not installed yet: some minutes, most of them npm's. */
export async function installDirectus(folder: string): Promise<void> {
  if (existsSync(join(folder, PROGRAM))) return
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  // Its own peer dependencies contradict each other: npm searches for minutes and gives up.
  const args = ['install', ...PACKAGES, '--legacy-peer-deps', '--no-audit', '--no-fund']
  await run('npm', args, { cwd: folder, env: ENV, maxBuffer: 2 ** 26 })
}

/** Starts it on an empty database in `data`, with one collection `cases`. Its activity log and revisions are on, as they are by default. */
export async function startDirectus(folder: string, data: string): Promise<Directus> {
  const port = await freePort()
  const token = 'bench-token'
  const env = {
    ...ENV,
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SECRET: 'a secret of the benchmark, 32 characters or more',
    DB_CLIENT: 'sqlite3',
    DB_FILENAME: join(data, 'directus.db'),
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: 'bench-password',
    ADMIN_TOKEN: token,
    TELEMETRY: 'false',
    LOG_LEVEL: 'error',
  }
  await run('node', [join(folder, PROGRAM), 'bootstrap'], { cwd: data, env })
  const child = spawn('node', [join(folder, PROGRAM), 'start'], {
    cwd: data,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  const stop = async (): Promise<void> => {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  try {
    await answering(url, child)
    await createCollection(url, token)
  } catch (error) {
    await stop()
    throw error
  }
  return { url, token, stop }
}

async function answering(url: string, child: { readonly exitCode: number | null }): Promise<void> {
  for (const until = performance.now() + 120_000; performance.now() < until; await sleep(200)) {
    if (child.exitCode !== null) throw new Error(`Directus ended with ${child.exitCode}`)
    const ok = await fetch(`${url}/server/ping`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (ok) return
  }
  throw new Error('Directus did not answer within two minutes')
}

/** The members that are written and read in the comparison; as few as that helps Directus, not us. */
async function createCollection(url: string, token: string): Promise<void> {
  const text = { type: 'string', schema: {}, meta: {} }
  const key = { is_primary_key: true, has_auto_increment: true }
  const fields = [
    { field: 'id', type: 'integer', schema: key, meta: {} },
    ...['title', 'description', 'state'].map((field) => ({ field, ...text })),
  ]
  const answer = await fetch(`${url}/collections`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ collection: 'cases', schema: {}, meta: {}, fields }),
  })
  if (!answer.ok) throw new Error(`Directus: ${answer.status} ${await answer.text()}`)
}
