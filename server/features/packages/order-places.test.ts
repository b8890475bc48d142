import { describe, expect, it } from 'vitest'
import { type Drive, driveName, requireFileSizes } from './order-places.ts'

const drive = (filesystem: string, label: string | null = 'KINGSTON'): Drive => ({
  id: '1',
  root: '/media/station/stick',
  label,
  filesystem,
})
const GIB = 1024 ** 3

describe('a drive', () => {
  it('is called as its label says, or as its place', () => {
    expect(driveName(drive('vfat'))).toBe('KINGSTON')
    for (const label of [null, '']) expect(driveName(drive('vfat', label))).toBe('stick')
    expect(driveName({ ...drive('NTFS', null), root: 'E:\\' })).toBe('E:')
    expect(driveName(drive('vfat', 'a\0\ud800'))).toBe('a\ufffd')
  })

  it.each(['vfat', 'FAT32', 'FAT', 'msdos', 'MS-DOS FAT32'])('with %s takes no file over 4 GiB', (filesystem) => {
    const refuses = (form: 'folder' | 'zip' | 'iso', isEncrypted: boolean, lengths: readonly number[]) =>
      expect(() => requireFileSizes(drive(filesystem), { form, isEncrypted, lengths }))
    refuses('folder', false, [3 * GIB, 3 * GIB]).not.toThrow()
    refuses('folder', false, [4 * GIB - 1]).not.toThrow()
    refuses('folder', false, [4 * GIB]).toThrow(/exFAT or NTFS/)
    // One file of all of them.
    refuses('folder', true, [3 * GIB, 3 * GIB]).toThrow(/a folder that is not encrypted/)
    for (const form of ['zip', 'iso'] as const) refuses(form, false, [3 * GIB, 3 * GIB]).toThrow(/exFAT or NTFS/)
  })

  it.each(['exfat', 'NTFS', 'ext4', 'apfs', 'folder'])('with %s takes them', (filesystem) => {
    for (const form of ['folder', 'zip', 'iso'] as const)
      requireFileSizes(drive(filesystem), { form, isEncrypted: true, lengths: [9 * GIB] })
  })
})
