import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { looksLikeCard } from './card-folders.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sallyport-card-'))
})
afterEach(() => rm(root, { recursive: true }))

it.each(['DCIM', 'avchd', 'MP_ROOT', 'M4ROOT', 'XDROOT', 'BPAV', 'PRIVATE/AVCHD', 'Private/M4Root'])(
  'a volume with %s is a card',
  async (folder) => {
    await mkdir(join(root, folder), { recursive: true })
    expect(await looksLikeCard(root)).toBe(true)
  },
)

it.each(['copies/DCIM', 'DCIM of June', 'Private/letters'])('a volume with %s is none', async (folder) => {
  await mkdir(join(root, folder), { recursive: true })
  expect(await looksLikeCard(root)).toBe(false)
})

it('a file called PRIVATE says nothing; what cannot be read is taken for a card', async () => {
  await writeFile(join(root, 'PRIVATE'), 'x')
  expect(await looksLikeCard(root)).toBe(false)
  expect(await looksLikeCard(join(root, 'gone'))).toBe(true)
  await symlink('private', join(root, 'private'))
  expect(await looksLikeCard(root)).toBe(true)
})
