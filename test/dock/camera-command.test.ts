// @module-tag merge
import { mkdirSync, readdirSync, statfsSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { imagesMissing } from '../simulators/image.ts'
import { makePlace, type Place, say, start } from '../cli/world.ts'

let place: Place
beforeAll(() => {
  place = makePlace('camera')
})
afterAll(() => place.remove())

describe('sallyport camera', () => {
  it('makes cameras as folders, and prints what it made', async () => {
    const folder = place.path('folders')
    const made = await say([
      'camera',
      'make',
      folder,
      '--count',
      '2',
      '--layout',
      'dcim',
      '--recordings',
      '1',
      '--json',
    ])
    expect(made).toMatchObject({ code: 0, stderr: '' })
    const rows = made.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(rows).toMatchObject([
      { path: path.join(folder, 'camera-001'), layout: 'dcim', files: 1 },
      { path: path.join(folder, 'camera-002'), layout: 'dcim', files: 1 },
    ])
    expect(readdirSync(path.join(folder, 'camera-001/DCIM/100SIMUL'))).toEqual(['SIMU0001.MP4'])
  })

  it.each([
    [['make']],
    [['make', 'x', '--layout', 'tape']],
    [['make', 'x', '--count', 'many']],
    [['make', 'x', '--full']],
    [['make', 'x', '--fault', 'corrupt', '--layout', 'dcim']],
    [['plug', 'x.iso', 'y']],
    [['plug', 'x.ext4']],
  ])('camera %j is not understood: 2, and how it is used', async (words) => {
    const { code, stdout, stderr } = await say(['camera', ...words])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^Usage: camera (make|plug) /m)
  })

  const missing = imagesMissing('ext4')
  it('plugs in a full card, until it is stopped', async ({ skip }) => {
    if ((await missing) !== null) return skip()
    const folder = place.path('images')
    const dock = place.path('dock')
    mkdirSync(dock)
    const made = await say(['camera', 'make', folder, '--image', 'ext4', '--full', '--recordings', '1'])
    expect(made).toMatchObject({ code: 0 })
    const plugging = start(['camera', 'plug', path.join(folder, 'camera-001.ext4'), dock])
    await plugging.says(/^plugged /m)
    expect(readdirSync(path.join(dock, 'camera-001'))).toContain('camera.json')
    const { bavail, bsize } = statfsSync(path.join(dock, 'camera-001'))
    expect(bavail * bsize).toBeLessThan(2 ** 20)
    plugging.child.kill('SIGTERM')
    expect(await plugging.ended).toMatchObject({ code: 0 })
    expect(readdirSync(dock)).toEqual([])
  })
})
