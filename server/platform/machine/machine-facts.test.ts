import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { disksBelow, machineFacts, parseDisks } from './machine-facts.ts'

it('names the disks below encryption and partitions, each once', () => {
  const disk = { name: 'sda', type: 'disk', model: 'EVO 870 ', serial: 'S6PNNM0T' }
  const other = { name: 'sdb', type: 'disk', model: null, serial: null }
  const raid = {
    name: 'md0',
    type: 'raid1',
    model: null,
    serial: null,
    children: [
      { name: 'sda2', type: 'part', model: null, serial: null, children: [disk] },
      { name: 'sdb2', type: 'part', model: null, serial: null, children: [other] },
      { name: 'sda3', type: 'part', model: null, serial: null, children: [disk] },
    ],
  }
  expect(parseDisks(JSON.stringify({ blockdevices: [raid] }))).toEqual([
    { device: '/dev/sda', model: 'EVO 870', serial: 'S6PNNM0T' },
    { device: '/dev/sdb', model: 'unknown', serial: 'unknown' },
  ])
})

it('says unknown where nothing tells, and never fails', async () => {
  const unknown = { device: 'unknown', model: 'unknown', serial: 'unknown' }
  expect(await disksBelow('/nowhere/at/all')).toEqual([unknown])
  expect(await disksBelow('/proc')).toEqual([unknown])
  expect((await disksBelow(tmpdir())).length).toBeGreaterThan(0)
  expect(machineFacts()).toMatchObject({ node: process.version, host: expect.stringMatching(/./) })
})
