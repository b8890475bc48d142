// @module-tag merge
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ALL_POLICIES } from '../../server/features/identity/users/policies.ts'
import { callControl } from '../../server/platform/control/control.ts'
import type { Json } from '../support/given.ts'
import { programOf } from '../support/program.ts'
import { patience } from '../support/scale.ts'
import { NODE, temporaryFolder } from '../support/station.ts'
import { hears, spoken, until } from './children.ts'
import { hostsMissing, loneHost } from './hosts.ts'

/**
 * S15: the station phones nobody. It runs on a host without any network but loopback, is driven through every operation from outside by
 * the conformance client, and takes in a camera; strace says whom it and all its programs spoke to.
 */
const missing = hostsMissing() ?? (existsSync('/usr/bin/strace') ? null : 'strace is not installed')
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const POLICIES = ALL_POLICIES.map(({ policy, level }) => (level === null ? policy : `${policy}:${level}`))

describe.skipIf(missing !== null)(
  `S15 a station without a route${missing === null ? '' : ` (skipped: ${missing})`}`,
  () => {
    let host: Awaited<ReturnType<typeof loneHost>>
    let folder: Awaited<ReturnType<typeof temporaryFolder>>
    beforeAll(async () => {
      host = await loneHost()
      folder = await temporaryFolder('s15')
    })
    afterAll(async () => {
      await host?.dispose()
      await folder?.dispose()
    })

    it(
      'works in everything, and connects to loopback alone',
      async () => {
        const data = path.join(folder.dir, 'data')
        const trace = path.join(folder.dir, 'trace')
        const command = async (name: string, args: Record<string, unknown>): Promise<Json> =>
          (await callControl(data, { command: name, args, user: 'tester' }, () => {}, new AbortController().signal))
            ?.result
        const program = [NODE, programOf('server/bin/sallyport.ts'), 'serve', '--data', data, '--port', '0']
        const env = { SALLYPORT_LOG_LEVEL: 'warn', SALLYPORT_MIN_FREE_BYTES: '0', SALLYPORT_LAN_HOST: '127.0.0.1' }
        const looking = [
          '-f',
          '-qq',
          '--seccomp-bpf',
          '-e',
          'trace=connect,sendto,sendmsg,sendmmsg',
          '-e',
          'signal=none',
          '-o',
          trace,
        ]
        const station = hears(host.spawn('strace', [...looking, ...program, '--lan', '--lan-port', '7443'], env))
        const ended = once(station, 'exit')
        await until(async () => {
          if (station.exitCode !== null) throw new Error(spoken(station))
          return /^listening http/m.test(spoken(station))
        })
        const url = /^listening (http\S+)/m.exec(spoken(station))?.[1] as string
        await command('setup', { username: 'sergeant', password: 'a long enough pass phrase' })
        const config = async (name: string, policies: readonly string[]): Promise<string> => {
          const { connection } = await command('integration.create', { name, policies, group: null, baseUrl: url })
          const file = path.join(folder.dir, `${name}.json`)
          writeFileSync(file, JSON.stringify(connection))
          return file
        }
        const words = [
          '--config',
          await config('all', POLICIES),
          '--other',
          await config('none', []),
          '--wait',
          '200',
          '--json',
        ]
        const { rows } = JSON.parse(
          await host.run(NODE, [path.join(ROOT, 'test/conformance/main.ts'), ...words]),
        ) as Json
        expect(rows.filter(({ outcome }: Json) => outcome !== 'ok')).toEqual([])
        expect(rows.length).toBeGreaterThan(100)
        // The LAN came on with the administrator.
        const pairing = async (): Promise<Json> =>
          JSON.parse(await host.run('curl', ['-sS', '--max-time', '20', `${url}/api/v1/pairing`]))
        await until(async () => (await pairing()).Enabled)
        // strace hands the signal on to nobody: the station itself, its first child, is asked.
        const [child] = readFileSync(`/proc/${station.pid}/task/${station.pid}/children`, 'utf8').split(' ')
        process.kill(Number(child), 'SIGTERM')
        await ended
        const strangers = reached(readFileSync(trace, 'utf8')).filter(({ address }) => !isHere(address))
        expect(strangers).toEqual([])
      },
      patience(400_000),
    )

    it('would say so: a connection to somebody else is in the list', () => {
      const text =
        '12 connect(21, {sa_family=AF_INET, sin_port=htons(443), sin_addr=inet_addr("93.184.216.34")}, 16) = -1 ENETUNREACH\n' +
        '12 sendto(21, "x", 1, 0, {sa_family=AF_INET6, sin6_port=htons(53), inet_pton(AF_INET6, "2001:db8::1", &sin6_addr)}, 28) = 1\n' +
        '12 connect(21, {sa_family=AF_INET, sin_port=htons(7460), sin_addr=inet_addr("127.0.0.1")}, 16) = 0\n' +
        '12 connect(21, {sa_family=AF_UNIX, sun_path="/run/x"}, 16) = 0\n'
      expect(reached(text).map(({ address }) => address)).toEqual(['93.184.216.34', '2001:db8::1', '127.0.0.1'])
      expect(reached(text).filter(({ address }) => !isHere(address))).toHaveLength(2)
    })
  },
)

const isHere = (address: string): boolean =>
  address.startsWith('127.') || address === '::1' || address === '::ffff:127.0.0.1'

function reached(text: string): { address: string; line: string }[] {
  return text.split('\n').flatMap((line) => {
    const address = /inet_addr\("([^"]+)"\)/.exec(line)?.[1] ?? /inet_pton\(AF_INET6, "([^"]+)"/.exec(line)?.[1]
    return address === undefined ? [] : [{ address, line: line.slice(0, 300) }]
  })
}
