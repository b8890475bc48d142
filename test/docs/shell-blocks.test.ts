/**
 * Every shell block of the README and of docs, run as it stands, one after the other in one shell, as somebody who pastes them would. The
 * shell has a home and a network of its own, so that the ports of the documents are free and nothing of this machine is touched.
 */
// @module-tag merge
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blocksOf, documents } from './blocks.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Its lines run in a suite of their own (test/scale/operating-guide.test.ts): they need servers, and root. */
const ELSEWHERE = 'docs/operate/headquarters-setup.md'

const blocks = documents().flatMap(blocksOf)
const shell = blocks.filter(({ language, name }) => language === 'sh' && !name.startsWith(ELSEWHERE))
/** How a station is started and how the tests are run: `npm ci` and `npm test` are what runs this suite. */
const [twoCommands, ...rest] = shell

/** A network without a way out, with loopback alone. */
const ISOLATED = ['unshare', '--net', '--map-root-user', 'bash']
const possible = spawnSync('unshare', ['--net', '--map-root-user', 'ip', 'link', 'set', 'lo', 'up']).status === 0

/** Starts the station, waits until it listens, and sources one block after the other. An error names the block and the line. */
const script = (folder: string): string => `
set -Eeuo pipefail
ip link set lo up
cd ${JSON.stringify(ROOT)}
block=start
trap 'code=$?; echo "FAILED in $block, line $LINENO: $BASH_COMMAND ($code)" >&2; kill $(jobs -p) 2>/dev/null; exit 1' ERR
npm start > ${folder}/start.out 2> ${folder}/start.err &
station=$!
for i in $(seq 900); do grep -q '^listening ' ${folder}/start.out && break; kill -0 $station; sleep 0.2; done
grep '^listening http://127.0.0.1:7460$' ${folder}/start.out
grep 'make the first administrator: http' ${folder}/start.err > /dev/null
${rest.map(({ name }, at) => `block=${name}; source ${folder}/${at}.sh > ${folder}/${at}.out 2> ${folder}/${at}.err; echo "${name} done"`).join('\n')}
trap - ERR
kill $(jobs -p)
wait || true
`

describe.skipIf(!possible)(
  `shell blocks of the documents${possible ? '' : ' (skipped: no network namespace can be made here)'}`,
  () => {
    let folder: string
    let said: { code: number | null; text: string }
    const output = (part: string): string => {
      const at = rest.findIndex(({ text }) => text.includes(part))
      if (at === -1) throw new Error(`No block holds ${part}`)
      return readFileSync(join(folder, `${at}.out`), 'utf8')
    }

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'sallyport-docs-'))
      const home = join(folder, 'home')
      mkdirSync(home)
      rest.forEach(({ text }, at) => writeFileSync(join(folder, `${at}.sh`), text))
      writeFileSync(join(folder, 'all.sh'), script(folder))
      const env = Object.fromEntries(
        Object.entries(process.env).filter(([name]) => !/^(SALLYPORT_|VITEST|NODE_|XDG_)/.test(name)),
      )
      const child = spawn(ISOLATED[0] ?? '', [...ISOLATED.slice(1), join(folder, 'all.sh')], {
        env: {
          ...env,
          HOME: home,
          SALLYPORT_MIN_FREE_BYTES: '0',
          ELECTRON_OVERRIDE_DIST_PATH: join(folder, 'no-runtime'),
        },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      })
      let text = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
      const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
      // Whatever a failed block left running.
      if (child.pid !== undefined) spawnSync('kill', ['-KILL', '--', `-${child.pid}`])
      said = { code, text }
    }, 600_000)
    afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))

    it('run as they stand, from the first to the last', () => {
      const told = rest
        .map(({ name }, at) => `== ${name}\n${safely(join(folder, `${at}.out`))}${safely(join(folder, `${at}.err`))}`)
        .join('\n')
      expect(said.code, `${said.text}\n${said.code === 0 ? '' : told}`).toBe(0)
      expect(said.text.match(/ done$/gm)).toHaveLength(rest.length)
    })

    it('do what the sentences around them say', () => {
      expect(output('An integration'.slice(3))).toContain('"UserCompleted"')
      expect(output('npm run -s sallyport -- verify\n')).toMatch(/"Tool":/)
      expect(output('package create --evidence')).toMatch(/verified|holds|valid/i)
      expect(output('camera fleet').match(/ safe to take /g)).toHaveLength(10)
      expect(output('camera fleet')).toMatch(/"SafeToTake": true/)
    })
  },
)

const safely = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

describe('code blocks of the documents', () => {
  it('begin with the two commands that everybody needs', () => {
    expect(twoCommands?.text.split('\n').map((line) => line.replace(/\s*#.*/, ''))).toEqual([
      'npm ci && npm start',
      'npm ci && npm test',
      '',
    ])
  })

  it('name their language, so that none that a shell would run is passed over', () => {
    const languages = new Set(['sh', 'json', 'text', 'ts', 'css', 'tsx', 'mermaid'])
    expect(blocks.filter(({ language }) => !languages.has(language)).map(({ name }) => name)).toEqual([])
    const looksLikeShell = /^\s*(?:\$ |npm |node |curl |sallyport |openssl |export )/m
    expect(
      blocks.filter(({ language, text }) => language !== 'sh' && looksLikeShell.test(text)).map(({ name }) => name),
    ).toEqual([])
  })

  it('hold no stand-ins that somebody has to replace before pasting', () => {
    expect(
      shell
        .filter(({ text }) => /…|<[a-z-]+>|\bNAME\b(?!=)/.test(text.replaceAll(/\$\{?NAME\b\}?/g, '')))
        .map(({ name }) => name),
    ).toEqual([])
  })

  it('are found in every document', () => {
    expect(shell.map(({ name }) => relative('.', name.split(':')[0] ?? ''))).toEqual(
      expect.arrayContaining(['README.md', 'docs/lan.md', 'docs/cad.md']),
    )
  })
})
