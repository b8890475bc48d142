/** The guide to setting up headquarters, run line by line from an empty folder: database, standby, bucket, nodes, nginx, upgrade, backup, failover. */
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blocksOf } from '../docs/blocks.ts'
import { type S3Server, S3_CREDENTIALS, S3_REGION, STARTING, startS3Server } from '../support/s3-server.ts'
import { temporaryFolder } from '../support/station.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const GUIDE = 'docs/operate/headquarters-setup.md'

let s3: S3Server
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let said = ''
let code: number | null = null
const blocks = blocksOf(GUIDE).filter(({ language }) => language === 'sh')

/** Sources one block after the other in one shell. An error names the block and the line. */
const script = (): string => `
set -Eeuo pipefail
cd ${JSON.stringify(ROOT)}
block=start
trap 'code=$?; echo "FAILED in $block, line $LINENO: $BASH_COMMAND ($code)"; exit 1' ERR
${blocks.map(({ name }, at) => `block=${name}; source ${folder.dir}/${at}.sh; echo "${name} done"`).join('\n')}
`

beforeAll(async () => {
  s3 = await startS3Server()
  folder = await temporaryFolder('guide')
  // The database server runs as an account of its own.
  chmodSync(folder.dir, 0o755)
  const home = path.join(folder.dir, 'home')
  mkdirSync(home)
  blocks.forEach(({ text }, at) => writeFileSync(path.join(folder.dir, `${at}.sh`), text))
  writeFileSync(path.join(folder.dir, 'all.sh'), script())
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(SALLYPORT_|VITEST|NODE_|XDG_)/.test(name)),
  )
  const child = spawn('bash', [path.join(folder.dir, 'all.sh')], {
    env: {
      ...env,
      HOME: home,
      HQ: path.join(folder.dir, 'hq'),
      SALLYPORT_MIN_FREE_BYTES: '0',
      SALLYPORT_BLOB_URL: `s3://${await s3.bucket()}/hq?endpoint=${s3.endpoint}&region=${S3_REGION}&pathStyle=true`,
      AWS_ACCESS_KEY_ID: S3_CREDENTIALS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: S3_CREDENTIALS.secretAccessKey,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
  code = await new Promise((resolve) => child.once('exit', resolve))
  // Whatever a failed block left running.
  if (code !== 0 && child.pid !== undefined) spawnSync('kill', ['-KILL', '--', `-${child.pid}`])
}, STARTING + 600_000)
afterAll(async () => {
  await s3?.close()
  await folder?.dispose()
})

describe('the guide to setting up headquarters', () => {
  it('runs as it stands, from the first line to the last', () => {
    expect(code, said).toBe(0)
    expect(said.match(/ done$/gm)).toHaveLength(blocks.length)
  })

  it('does what the sentences around the lines say', () => {
    expect(said).toContain('two|sync')
    // When they were set up, and after the upgrade.
    for (const node of ['east', 'west'])
      expect(said.match(new RegExp(`\\brunning\\b.*\\b${node}\\b`, 'g'))?.length, said).toBe(2)
  })
})
