/** Several nodes of one headquarters on this machine: PostgreSQL, an object store, the nodes as processes, and nginx in front of them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import path from 'node:path'
import pg from 'pg'
import { newWrappingKey } from '../../server/platform/secrets/wrapping.ts'
import { type ConnectionFile, connectIntegrator, type Integrator, readConnectionFile } from '../support/integrator.ts'
import { freePort } from '../support/free-ports.ts'
import { type PostgresServer, type PostgresStandby, startPostgres } from '../support/postgres-server.ts'
import { S3_CREDENTIALS, S3_REGION, type S3Server, startS3Server } from '../support/s3-server.ts'
import { command, type Station, startStation, succeed, temporaryFolder } from '../support/station.ts'

const DATABASE = 'headquarters'

export interface Node {
  readonly name: string
  readonly data: string
  /** Null while it does not run. */
  station: Station | null
  /** @param program another one than this checkout's. @throws NotReady */
  start(program?: string): Promise<void>
  /** As an administrator does: what was begun is answered. */
  stop(): Promise<void>
  kill(): Promise<void>
}

export interface Headquarters {
  /** Of nginx. */
  readonly url: string
  /** For the test's own things. */
  readonly folder: string
  readonly nodes: readonly Node[]
  /** Present where one was asked for. */
  readonly standby: PostgresStandby | null
  readonly postgres: PostgresServer
  /** A client through nginx, or at one node. */
  integrator(at?: string): Promise<Integrator>
  query(text: string): Promise<Record<string, unknown>[]>
  /** Runs a command of the program beside the nodes. @throws Error where it does not end with `code`, by default 0 */
  command(words: readonly string[], input?: string, code?: number): Promise<string>
  /** From now on the address that the nodes know leads to the standby. */
  useStandby(): void
  /** `sallyport verify`. @param at the first node where it is left out. @returns what it found wrong */
  verify(at?: Node): Promise<string[]>
  /** One more, which is not started, and to which nginx sends nothing. */
  furtherNode(name: string): Promise<Node>
  close(): Promise<void>
}

interface Wanted {
  readonly nodes: number
  readonly standby?: boolean
  /** Further settings of the database server. */
  readonly postgresSettings?: readonly string[]
}

export async function startHeadquarters({
  nodes: count,
  standby: wantsStandby = false,
  postgresSettings = [],
}: Wanted): Promise<Headquarters> {
  const { dir: folder, dispose } = await temporaryFolder('headquarters')
  const closing: (() => Promise<unknown>)[] = [dispose]
  const close = async (): Promise<void> => {
    for (const end of closing.toReversed()) await end().catch(() => {})
  }
  try {
    const s3 = await startS3Server()
    closing.push(s3.close)
    const postgres = await startPostgres(postgresSettings)
    closing.push(postgres.stop)
    await postgres.create(DATABASE)
    const standby = wantsStandby ? await postgres.startStandby() : null
    if (standby !== null) closing.push(standby.stop)
    const database = await startSwitch(postgres.url(DATABASE))
    closing.push(database.close)
    const port = await freePort()
    const env = await environment(folder, s3, database.url, port)
    const nodes: Node[] = []
    const ports: number[] = []
    for (let at = 0; at < count; at++) {
      ports.push(await freePort())
      nodes.push(nodeOf(`node-${at + 1}`, folder, ports[at] as number, env))
    }
    const config = await makeIntegration(nodes[0] as Node, folder, env, port)
    for (const node of nodes) {
      await node.start()
      closing.push(node.kill)
    }
    const nginx = startNginx(folder, port, ports)
    closing.push(async () => void nginx.kill('SIGTERM'))
    const url = `http://127.0.0.1:${port}`
    await answers(url)
    const integrator: Headquarters['integrator'] = (at = url) => connectIntegrator(config, at)
    return {
      url,
      folder,
      nodes,
      standby,
      postgres,
      integrator,
      query: async (text) => {
        const client = new pg.Client({ connectionString: database.url })
        await client.connect()
        try {
          return (await client.query(text)).rows as Record<string, unknown>[]
        } finally {
          await client.end()
        }
      },
      command: async (words, input, code = 0) => {
        const { data } = nodes[0] as Node
        const done = await command(words, { data, env, within: 300_000, ...(input === undefined ? {} : { input }) })
        if (done.code === code) return done.stdout
        throw new Error(`sallyport ${words.join(' ')} ended with ${done.code}\n${done.stdout}\n${done.stderr}`)
      },
      useStandby: () => {
        if (standby === null) throw new Error('There is no standby')
        database.to(standby.url(DATABASE))
      },
      furtherNode: async (name) => nodeOf(name, folder, await freePort(), env),
      verify: async ({ data } = nodes[0] as Node) => {
        const { code, stdout, stderr } = await command(['verify', '--json'], {
          data,
          env,
          within: 300_000,
        })
        return code === 0 ? [] : [`verify ended with ${code}: ${stdout.slice(0, 1500)} ${stderr.slice(0, 1500)}`]
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function environment(
  folder: string,
  s3: S3Server,
  databaseUrl: string,
  port: number,
): Promise<Record<string, string>> {
  const key = path.join(folder, 'wrapping.key')
  writeFileSync(key, `${newWrappingKey()}\n`, { mode: 0o600 })
  return {
    SALLYPORT_DATABASE_URL: databaseUrl,
    SALLYPORT_BLOB_URL: `s3://${await s3.bucket()}/hq?endpoint=${s3.endpoint}&region=${S3_REGION}&pathStyle=true`,
    SALLYPORT_WRAPPING_KEY_FILE: key,
    SALLYPORT_PUBLIC_URL: `http://127.0.0.1:${port}`,
    SALLYPORT_MIN_FREE_BYTES: '0',
    SALLYPORT_RATE_SERVICE: '1000000',
    AWS_ACCESS_KEY_ID: S3_CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: S3_CREDENTIALS.secretAccessKey,
  }
}

function nodeOf(name: string, folder: string, port: number, env: Readonly<Record<string, string>>): Node {
  const data = path.join(folder, name)
  mkdirSync(data, { mode: 0o700 })
  const node: Node = {
    name,
    data,
    station: null,
    start: async (program) => {
      node.station = await startStation({
        data,
        port,
        env: { ...env, SALLYPORT_NODE_NAME: name },
        readyWithin: 120_000,
        ...(program === undefined ? {} : { program }),
      })
    },
    stop: async () => {
      await node.station?.stop()
      node.station = null
    },
    kill: async () => {
      await node.station?.kill()
      node.station = null
    },
  }
  return node
}

async function makeIntegration(
  { data }: Node,
  folder: string,
  env: Readonly<Record<string, string>>,
  port: number,
): Promise<ConnectionFile> {
  const out = path.join(folder, 'config.json')
  const words = ['integration', 'create', 'uploader', '--base-url', `http://127.0.0.1:${port}`, '--out', out]
  await succeed(words, { data, env, within: 120_000 })
  return readConnectionFile(out)
}

function startNginx(folder: string, port: number, ports: readonly number[]): ChildProcess {
  const file = path.join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log; worker_processes 1;
events { worker_connections 1024; }
http {
  access_log off; client_body_temp_path ${folder}/nginx-body; proxy_temp_path ${folder}/nginx-proxy;
  upstream nodes { ${ports.map((one) => `server 127.0.0.1:${one} max_fails=1 fail_timeout=1s;`).join(' ')} }
  server {
    listen 127.0.0.1:${port}; client_max_body_size 0;
    location / {
      proxy_pass http://nodes; proxy_http_version 1.1; proxy_set_header Host $http_host;
      proxy_request_buffering off; proxy_buffering off; proxy_connect_timeout 2s; proxy_read_timeout 10m;
      proxy_next_upstream error timeout http_503;
    }
  }
}
`,
  )
  return spawn('nginx', ['-c', file, '-p', folder], {
    stdio: 'ignore',
    env: { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` },
  })
}

async function answers(url: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    const ok = await fetch(`${url}/readyz`).then(
      (response) => response.ok,
      () => false,
    )
    if (ok) return
    if (tries > 300) throw new Error(`${url} does not answer`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

interface Switch {
  /** The address that the nodes know. */
  readonly url: string
  /** Leads new connections elsewhere, and ends those that are open. */
  to(database: string): void
  close(): Promise<void>
}

/** A fixed address for a database server that moves. Small packets are passed on at once: held back, each group of statements took 40 ms. */
async function startSwitch(database: string): Promise<Switch> {
  let target = new URL(database)
  const open = new Set<Socket>()
  const server: Server = createServer({ noDelay: true }, (from) => {
    const to = connect({ port: Number(target.port), host: target.hostname, noDelay: true })
    open.add(from)
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
    from.on('close', () => open.delete(from))
    from.pipe(to).pipe(from)
  })
  const port = await freePort()
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
  const url = new URL(database)
  url.port = String(port)
  return {
    url: url.href,
    to: (next) => {
      target = new URL(next)
      for (const socket of open) socket.destroy()
    },
    close: async () => {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
