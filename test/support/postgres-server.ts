/** A PostgreSQL server of a test's own, on loopback in a temporary folder: Debian's `postgresql-15`. */
import { execFile, spawn } from 'node:child_process'
import { chown, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from './free-ports.ts'
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
  /** Runs one statement in the database that every server has, and answers its rows. */
  administer(text: string): Promise<Record<string, unknown>[]>
  /** A standby that every commit waits for from now on. */
  startStandby(): Promise<PostgresStandby>
  /** As a power cut of the server. */
  kill(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

export interface PostgresStandby {
  /** Of a database that the primary has too. */
  url(database: string): string
  /** It takes the place of the primary, and waits for no standby of its own. */
  promote(): Promise<void>
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

/** Path of one of the newest version. */
export const postgresProgram = async (name: string): Promise<string> => path.join(await newestPrograms(), name)

/** @param folder in which the server's own is made */
export async function startPostgres(settings: readonly string[] = [], folder?: string): Promise<PostgresServer> {
  const programs = await newestPrograms()
  const { dir, dispose } = await temporaryFolder('postgres', folder)
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
    if (code !== 0) throw new Error(`PostgreSQL did not start:\n${await readFile(path.join(dir, 'log'), 'utf8')}`)
  }
  const administer = (text: string): Promise<Record<string, unknown>[]> => queryAt(url('postgres'), text)
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
    drop: async (database) => void (await administer(`DROP DATABASE IF EXISTS ${quoted(database)} WITH (FORCE)`)),
    administer,
    startStandby: () => startStandby({ port, dir, asAccount, administer }),
    kill: async () => void (await control('stop', '-m', 'immediate')),
    start,
    stop: async () => {
      await control('stop', '-m', 'fast')
      await dispose()
    },
  }
}

async function queryAt(connectionString: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return (await client.query(text)).rows as Record<string, unknown>[]
  } finally {
    await client.end()
  }
}

interface Primary {
  readonly port: number
  /** In which the standby's folder is made. */
  readonly dir: string
  readonly asAccount: (program: string, ...args: string[]) => [string, string[]]
  readonly administer: PostgresServer['administer']
}

async function startStandby({ port: from, dir, asAccount, administer }: Primary): Promise<PostgresStandby> {
  const port = await freePort()
  const data = path.join(dir, 'standby')
  const primary = `host=127.0.0.1 port=${from} user=sallyport application_name=standby`
  await run(...asAccount('pg_basebackup', '-D', data, '-c', 'fast', '-R', '-X', 'stream', '-d', primary))
  const options = `-p ${port} -k ${dir} -c listen_addresses=127.0.0.1`
  const control = async (...args: string[]): Promise<void> => {
    const [program, all] = asAccount('pg_ctl', '-D', data, '-w', '-l', path.join(dir, 'standby.log'), ...args)
    const child = spawn(program, all, { stdio: 'ignore' })
    const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
    if (code !== 0)
      throw new Error(`pg_ctl ${args.join(' ')} of the standby ended with ${code}; see ${dir}/standby.log`)
  }
  await control('-o', options, 'start')
  await administer("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
  await administer('SELECT pg_reload_conf()')
  for (let tries = 0; ; tries++) {
    const [found] = await administer("SELECT count(*)::int AS n FROM pg_stat_replication WHERE sync_state = 'sync'")
    if (found?.['n'] === 1) break
    if (tries > 300) throw new Error('The standby does not follow.')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const url = (database: string): string => `postgres://sallyport@127.0.0.1:${port}/${database}`
  return {
    url,
    promote: async () => {
      await control('promote')
      await queryAt(url('postgres'), "ALTER SYSTEM SET synchronous_standby_names = ''")
      await queryAt(url('postgres'), 'SELECT pg_reload_conf()')
    },
    stop: () => control('-m', 'immediate', 'stop'),
  }
}
