/** C3: a package on a volume that does not keep what was written: found when it is read back, and nothing that looks whole is left. */
// @module-tag merge
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { filesIn, makePlace, type Place, say, start, succeedIn } from '../cli/world.ts'
import { corruptBelowCache, type Disk, openPowerBench, type PowerBench, powerMissing } from '../support/power.ts'
import { patience } from '../support/scale.ts'
import { makeShim, shimMissing } from '../support/shim.ts'
import { pause, within } from './world.ts'

const FILES = 3
const EACH = 2 * 1024 * 1024
const missing = powerMissing() ?? shimMissing()

describe.skipIf(missing !== null)(
  `C3 a package on a volume that returns other bytes${missing === null ? '' : ` (skipped: ${missing})`}`,
  () => {
    let place: Place
    let bench: PowerBench
    let disk: Disk
    beforeAll(async () => {
      place = makePlace('package-volumes')
      const media = place.folder('media')
      for (let no = 1; no <= FILES; no++) writeFileSync(path.join(media, `camera ${no}.bin`), randomBytes(EACH))
      await succeedIn(place.data, ['ingest', media])
      writeFileSync(place.path('passphrase'), 'tide tables for the old harbour\n', { mode: 0o600 })
      bench = await openPowerBench(place.folder('bench'))
      disk = await bench.disk('volume', 128)
    }, patience(120_000))
    afterAll(async () => {
      await bench?.dispose()
      place?.remove()
    })

    it.each([
      { form: 'folder', to: '', held: '*/data/0002*', file: /data\/0002/ },
      { form: 'zip', to: 'package.zip', held: '*.unfinished', file: /^package.zip.unfinished$/ },
      { form: 'iso', to: 'package.iso', held: '*.unfinished', file: /^package.iso.unfinished$/ },
      {
        form: 'encrypted',
        to: 'package.zip',
        held: '*/container.7z',
        file: /container.7z$/,
        words: ['--encrypt-with', 'passphrase'],
      },
    ])(
      'is refused, and the next run makes it ($form)',
      async ({ to, held, file, words: more = [] }) => {
        const out = path.join(disk.mount, 'out')
        rmSync(out, { recursive: true, force: true })
        mkdirSync(out)
        const evidence = Array.from({ length: FILES }, (_, at) => ['--evidence', String(at + 1)]).flat()
        const words = ['package', 'create', ...evidence, '--to', path.join(out, to), ...more, '--json']
        const shim = makeShim(place.dir, [{ call: 'sync', on: 'file', path: `${out}/${held}`, action: 'hold' }])
        const command = start(words, { data: place.data, env: shim.env, cwd: place.dir })
        const isHeld = (async () => {
          while (shim.acted() === 0) await pause(20)
        })()
        await Promise.race([
          within(patience(30_000), 'what was written to be on the disk', isHeld),
          command.ended.then((said) => {
            throw new Error(`It ended before: ${said.stderr}`)
          }),
        ])
        const written = path.join(out, filesIn(out).find((name) => file.test(name)) ?? '')
        await corruptBelowCache(disk, written, Math.floor(statSync(written).size / 2))
        shim.release()
        const { code, stderr } = await command.ended
        shim.close()
        expect([code, stderr]).toEqual([1, expect.stringMatching(/does not give back the bytes/)])
        expect(readdirSync(out).filter((name) => !name.endsWith('.unfinished'))).toEqual([])
        const again = await say(words, { data: place.data, cwd: place.dir })
        expect(again.code, again.stderr).toBe(0)
        if (to === '') {
          const { path: made } = JSON.parse(again.stdout) as { path: string }
          expect((await say(['package', 'verify', made], { data: place.data })).stdout).toContain('all of it holds')
        }
      },
      patience(120_000),
    )
  },
)
