import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NODE } from '../support/station.ts'
import { makePlace, type Place } from './world.ts'

/** A machine whose PATH holds a shell, a package manager of ours and nothing else. */
let place: Place
beforeAll(() => {
  place = makePlace('tools')
})
afterAll(() => place.remove())

function machine(name: string, apt: string | null): string {
  const bin = join(place.folder(name), 'bin')
  mkdirSync(bin)
  for (const program of ['sh', 'touch', 'chmod']) symlinkSync(`/bin/${program}`, join(bin, program))
  if (apt !== null) {
    writeFileSync(join(bin, 'apt-get'), `#!/bin/sh\necho "$@" >> ${bin}/asked\n${apt}\n`)
    chmodSync(join(bin, 'apt-get'), 0o755)
  }
  return bin
}

const SCRIPT = `
import { ensureTools } from './build/scripts/tools.ts'
const tools = [
  { program: 'nonesuch-a', debianPackage: 'a-package', for: 'the first thing' },
  { program: 'nonesuch-b', debianPackage: 'b-package', for: 'the second thing' },
]
process.stdout.write(ensureTools(tools, process.argv[1] === 'root').map(({ program }) => program).join())
`

function ensure(bin: string, who: 'root' | 'user') {
  const { stdout, stderr } = spawnSync(NODE, ['--input-type=module', '-e', SCRIPT, who], {
    env: { PATH: bin },
    encoding: 'utf8',
  })
  return { missing: stdout, said: stderr }
}

const COMMAND = /apt-get update && apt-get install -y --no-install-recommends a-package b-package/

describe('missing system tools', () => {
  it('are installed where that is allowed', () => {
    const bin = machine(
      'allowed',
      `for t in a b; do touch ${place.path('allowed')}/bin/nonesuch-$t; chmod +x ${place.path('allowed')}/bin/nonesuch-$t; done`,
    )
    const { missing, said } = ensure(bin, 'root')
    expect(missing).toBe('')
    expect(said).toMatch(/^Installing a-package b-package/)
    expect(said).not.toMatch(/by hand/)
    expect(ensure(bin, 'root')).toEqual({ missing: '', said: '' })
  })

  it('are named with the command where the package manager fails', () => {
    const { missing, said } = ensure(machine('broken', 'echo "E: no network" >&2; exit 100'), 'root')
    expect(missing).toBe('nonesuch-a,nonesuch-b')
    expect(said).toMatch(/E: no network/)
    expect(said).toMatch(COMMAND)
  })

  it('are named with the command for an ordinary user, and nothing is run', () => {
    const { missing, said } = ensure(machine('ordinary', `touch ${place.path('was-run')}`), 'user')
    expect(missing).toBe('nonesuch-a,nonesuch-b')
    expect(said).toMatch(/nonesuch-a: the first thing/)
    expect(said).toMatch(COMMAND)
    expect(spawnSync('ls', [place.dir], { encoding: 'utf8' }).stdout).not.toMatch(/was-run/)
  })

  it('are named with their packages on other systems', () => {
    const { missing, said } = ensure(machine('other', null), 'root')
    expect(missing).toBe('nonesuch-a,nonesuch-b')
    expect(said).toMatch(/On Debian they are in: a-package b-package/)
  })
})
