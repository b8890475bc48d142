/** A PostgreSQL server of a test's own, on loopback in a temporary folder: Debian's `postgresql-15`. */
import { execFile, spawn } from 'node:child_process'
import { chown, readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { temporaryFolder } from './station.ts'

const run = promisify(execFile)
const PROGRAMS = '/usr/lib/postgresql'
/** The account that Debian's package makes; the server refuses to run as root. */
const ACCOUNT = 'postgres'

export interface PostgresServer {
  /** Of a database of this server. */
  url(database: string): string
  /** An empty database. @returns its address */
  create(database: string): Promise<string>
  /** A copy of a database that nobody uses. @returns its address */
  copy(from: string, database: string): Promise<string>
  drop(database: string): Promise<void>
  /** As a power cut of the server. */
  kill(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

/** A sentence when there is no server to start here; null when there is. */
export async function postgresMissing(): Promise<string | null> {
  const versions = await readdir(PROGRAMS).catch(() => [])
  return versions.length > 0 ? null : 'PostgreSQL is not installed (Debian: postgresql-15)'
}

const newestPrograms = async (): Promise<string> => {
  const versions = (await readdir(PROGRAMS)).map(Number).toSorted((a, b) => b - a)
  return path.join(PROGRAMS, String(versions[0]), 'bin')
}

export async function startPostgres(settings: readonly string[] = []): Promise<PostgresServer> {
  const programs = await newestPrograms()
  const { dir, dispose } = await temporaryFolder('postgres')
  const port = await freePort()
  const data = path.join(dir, 'data')
  const asAccount = (program: string, ...args: string[]): [string, string[]] =>
    process.getuid?.() === 0
      ? ['runuser', ['-u', ACCOUNT, '--', path.join(programs, program), ...args]]
      : [path.join(programs, program), args]
  if (process.getuid?.() === 0) {
    const { stdout } = await run('id', ['-u', ACCOUNT])
    await chown(dir, Number(stdout), -1)
  }
  await run(
    ...asAccount('initdb', '-D', data, '--locale=C', '--encoding=UTF8', '--auth=trust', '-U', 'sallyport', '--no-sync'),
  )
  const options = [`-p ${port}`, `-k ${dir}`, '-c listen_addresses=127.0.0.1', ...settings.map((one) => `-c ${one}`)]
  const url = (database: string): string => `postgres://sallyport@127.0.0.1:${port}/${database}`
  const control = (...args: string[]): Promise<unknown> => run(...asAccount('pg_ctl', '-D', data, '-w', ...args))
  // The server inherits what pg_ctl holds open: its output must not be ours, or nobody ever sees it end.
  const start = async (): Promise<void> => {
    const [program, args] = asAccount(
      'pg_ctl',
      '-D',
      data,
      '-w',
      '-o',
      options.join(' '),
      '-l',
      path.join(dir, 'log'),
      'start',
    )
    const child = spawn(program, args, { stdio: 'ignore' })
    const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
    if (code !== 0) throw new Error(`PostgreSQL did not start; see ${dir}/log`)
  }
  const administer = async (text: string): Promise<void> => {
    const client = new pg.Client({ connectionString: url('postgres') })
    await client.connect()
    try {
      await client.query(text)
    } finally {
      await client.end()
    }
  }
  const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
  await start()
  await writeFile(path.join(dir, 'port'), String(port))
  return {
    url,
    create: async (database) => {
      await administer(`CREATE DATABASE ${quoted(database)}`)
      return url(database)
    },
    copy: async (from, database) => {
      await administer(`CREATE DATABASE ${quoted(database)} TEMPLATE ${quoted(from)}`)
      return url(database)
    },
    drop: (database) => administer(`DROP DATABASE IF EXISTS ${quoted(database)} WITH (FORCE)`),
    kill: async () => void (await control('stop', '-m', 'immediate')),
    start,
    stop: async () => {
      await control('stop', '-m', 'fast')
      await dispose()
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
