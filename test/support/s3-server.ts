/**
 * A real S3 server on this machine: OpenStack Swift with its S3 interface, from Debian packages, in a temporary folder on free ports.
 * `node test/support/s3-server.ts` starts one for the hand and says how a station uses it.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, openSync, closeSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { freePorts } from './free-ports.ts'

export const S3_PACKAGES = ['swift-proxy', 'swift-account', 'swift-container', 'swift-object', 'memcached'] as const
const PROGRAMS = [
  'swift-proxy-server',
  'swift-account-server',
  'swift-container-server',
  'swift-object-server',
  'memcached',
]

export const S3_CREDENTIALS = { accessKeyId: 'sallyport:station', secretAccessKey: 'secret' }
/** Milliseconds for a hook that starts a server: five programs of Python on a busy machine. */
export const STARTING = 240_000
export const S3_REGION = 'us-east-1'

/** For the S3 client of the program, in this process. */
export function useS3Credentials(): void {
  process.env['AWS_ACCESS_KEY_ID'] = S3_CREDENTIALS.accessKeyId
  process.env['AWS_SECRET_ACCESS_KEY'] = S3_CREDENTIALS.secretAccessKey
}

export interface S3Server {
  readonly endpoint: string
  /** Goes to the server itself, whatever lies between it and the program. */
  readonly client: S3Client
  /** A new, empty bucket. */
  bucket(): Promise<string>
  /** Nothing of it runs any more when this returns; `resume` starts it over the same objects. */
  pause(): void
  resume(): void
  close(): Promise<void>
}

/** Debian's programs lie in /usr/bin; a test may have a shorter PATH. */
const FOLDERS = ['/usr/bin', '/usr/sbin', '/usr/local/bin']
const findProgram = (name: string): string | null =>
  FOLDERS.map((folder) => path.join(folder, name)).find((file) => existsSync(file)) ?? null

/** A sentence with the packages to install; null when all is there. */
export function missingForS3(): string | null {
  return PROGRAMS.every((name) => findProgram(name) !== null)
    ? null
    : `The S3 server of the tests is not installed: apt-get install -y ${S3_PACKAGES.join(' ')}`
}

/** @throws Error with the packages to install */
export async function startS3Server(): Promise<S3Server> {
  const missing = missingForS3()
  if (missing !== null) throw new Error(missing)
  const folder = await mkdtemp(path.join(tmpdir(), 'sallyport-s3-'))
  const [proxy, account, container, object, memcached] = (await freePorts(5)) as [
    number,
    number,
    number,
    number,
    number,
  ]
  writeConfiguration(folder, { proxy, account, container, object, memcached })
  const children: ChildProcess[] = []
  // A test that is killed takes its servers with it.
  const run = (name: string, args: readonly string[]): void => {
    const log = openSync(path.join(folder, `${name}.log`), 'a')
    const program = findProgram(name) as string
    children.push(spawn('setpriv', ['--pdeathsig', 'KILL', '--', program, ...args], { stdio: ['ignore', log, log] }))
    closeSync(log)
  }
  const etc = path.join(folder, 'etc')
  run('memcached', ['-u', userInfo().username, '-l', '127.0.0.1', '-p', String(memcached)])
  for (const kind of ['account', 'container', 'object', 'proxy'])
    run(`swift-${kind}-server`, [path.join(etc, `${kind}-server.conf`)])
  const endpoint = `http://127.0.0.1:${proxy}`
  const client = new S3Client({
    endpoint,
    region: S3_REGION,
    forcePathStyle: true,
    credentials: S3_CREDENTIALS,
    maxAttempts: 1,
  })
  let buckets = 0
  const close = async (): Promise<void> => {
    client.destroy()
    await Promise.all(
      children.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return
        const gone = new Promise((resolve) => child.once('exit', resolve))
        child.kill('SIGKILL')
        await gone
      }),
    )
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await answers(client, folder, children)
  } catch (error) {
    await close()
    throw error
  }
  return {
    endpoint,
    client,
    bucket: async () => {
      const name = `evidence-${process.pid}-${(buckets += 1)}`
      await client.send(new CreateBucketCommand({ Bucket: name }))
      return name
    },
    pause: () => children.forEach((child) => child.kill('SIGSTOP')),
    resume: () => children.forEach((child) => child.kill('SIGCONT')),
    close,
  }
}

/** The proxy is up before the servers behind it: only a bucket that was made says that all of them are. */
async function answers(client: S3Client, folder: string, children: readonly ChildProcess[]): Promise<void> {
  const until = performance.now() + 180_000
  while (performance.now() < until && children.every((child) => child.exitCode === null)) {
    const ready = await client.send(new CreateBucketCommand({ Bucket: 'first' })).then(
      () => true,
      () => false,
    )
    if (ready) return
    await sleep(100)
  }
  const logs = ['swift-proxy-server', 'swift-object-server', 'memcached'].map((name) =>
    readFileSync(path.join(folder, `${name}.log`), 'utf8').slice(-2000),
  )
  throw new Error(`The S3 server did not start:\n${logs.join('\n')}`)
}

const MAKE_RINGS = `
import json, sys
from swift.common.ring import RingBuilder
for kind, port in json.loads(sys.argv[1]):
    builder = RingBuilder(4, 1, 0)
    place = {'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': port, 'device': 'd1', 'weight': 1, 'meta': ''}
    builder.add_dev({**place, 'replication_ip': '127.0.0.1', 'replication_port': port})
    builder.rebalance()
    builder.get_ring().save(kind + '.ring.gz')
`

type Ports = Readonly<Record<'proxy' | 'account' | 'container' | 'object' | 'memcached', number>>

function writeConfiguration(folder: string, ports: Ports): void {
  const etc = path.join(folder, 'etc')
  mkdirSync(etc)
  mkdirSync(path.join(folder, 'devices', 'd1'), { recursive: true })
  const common = (port: number): string =>
    `[DEFAULT]\nbind_ip = 127.0.0.1\nbind_port = ${port}\nuser = ${userInfo().username}\nswift_dir = ${etc}\nworkers = 0\nlog_level = WARNING\n`
  writeFileSync(
    path.join(etc, 'swift.conf'),
    '[swift-hash]\nswift_hash_path_suffix = sallyport\nswift_hash_path_prefix = test\n[storage-policy:0]\nname = Policy-0\ndefault = yes\n',
  )
  // One process of Python for all three: each takes a second to load its modules.
  const rings = Object.entries(ports).filter(([kind]) => ['account', 'container', 'object'].includes(kind))
  execFileSync('/usr/bin/python3', ['-c', MAKE_RINGS, JSON.stringify(rings)], { cwd: etc, stdio: 'ignore' })
  for (const kind of ['account', 'container', 'object'] as const) {
    const port = ports[kind]
    writeFileSync(
      path.join(etc, `${kind}-server.conf`),
      `${common(port)}devices = ${folder}/devices\nmount_check = false\nlog_name = ${kind}\n[pipeline:main]\npipeline = ${kind}-server\n[app:${kind}-server]\nuse = egg:swift#${kind}\n`,
    )
  }
  const filters: Readonly<Record<string, string>> = {
    catch_errors: '',
    gatekeeper: '',
    healthcheck: '',
    'proxy-logging': '',
    cache: `memcache_servers = 127.0.0.1:${ports.memcached}\n`,
    listing_formats: '',
    bulk: '',
    s3api: `s3_acl = false\nlocation = ${S3_REGION}\ndns_compliant_bucket_names = true\n`,
    tempauth: 'user_sallyport_station = secret .admin\n',
    slo: '',
    dlo: '',
    versioned_writes: 'allow_object_versioning = true\n',
    symlink: '',
  }
  const egg = (name: string): string => (name === 'cache' ? 'memcache' : name.replace('-', '_'))
  const pipeline =
    'catch_errors gatekeeper healthcheck proxy-logging cache listing_formats bulk s3api tempauth slo dlo versioned_writes symlink proxy-logging proxy-server'
  writeFileSync(
    path.join(etc, 'proxy-server.conf'),
    `${common(ports.proxy)}[pipeline:main]\npipeline = ${pipeline}\n[app:proxy-server]\nuse = egg:swift#proxy\nallow_account_management = true\naccount_autocreate = true\n${Object.entries(
      filters,
    )
      .map(([name, lines]) => `[filter:${name}]\nuse = egg:swift#${egg(name)}\n${lines}`)
      .join('')}`,
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = await startS3Server()
  const bucket = await server.bucket()
  process.stdout.write(
    `AWS_ACCESS_KEY_ID=${S3_CREDENTIALS.accessKeyId} AWS_SECRET_ACCESS_KEY=${S3_CREDENTIALS.secretAccessKey}\n` +
      `SALLYPORT_BLOB_URL=s3://${bucket}?endpoint=${server.endpoint}&region=${S3_REGION}&pathStyle=true\n`,
  )
  const end = (): void => void server.close().then(() => process.exit(0))
  process.on('SIGINT', end).on('SIGTERM', end)
  await new Promise(() => {})
}
