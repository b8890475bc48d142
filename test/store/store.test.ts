import { openSync, closeSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { type BlobStore, openBlobStore } from '../../server/evidence/store/store.ts'
import { blobStoreConformance, type Subject } from './conformance.ts'

const onDisk = (parent: string) => async (): Promise<Subject> => {
  const root = await mkdtemp(path.join(parent, 'sallyport-store-'))
  const opened: BlobStore[] = []
  const open = async (): Promise<BlobStore> => {
    const store = await openBlobStore({ root, now: Date.now })
    opened.push(store)
    return store
  }
  const store = await open()
  return {
    store,
    damage: (sha256, at) => {
      const file = openSync(store.pathOf(sha256), 'r+')
      const byte = Buffer.alloc(1)
      readSync(file, byte, 0, 1, at)
      byte[0] = (byte[0] as number) ^ 0x10
      writeSync(file, byte, 0, 1, at)
      closeSync(file)
    },
    removeBlob: (sha256) => unlinkSync(store.pathOf(sha256)),
    reopen: open,
    dispose: async () => {
      await Promise.all(opened.map((one) => one.close()))
      await rm(root, { recursive: true, force: true })
    },
  }
}

blobStoreConformance('on a disk', onDisk(tmpdir()))

const TMPFS = 0x01021994
const memory = await statfs('/dev/shm').then(
  ({ type }) => type === TMPFS,
  () => false,
)

describe.skipIf(!memory)(memory ? 'in memory' : 'in memory (skipped: /dev/shm is no tmpfs)', () => {
  it('says that it was read back through the cache where there is no disk', async () => {
    const subject = await onDisk('/dev/shm')()
    expect(subject.store.readBack).toBe('cache')
    expect((await subject.store.copyIn(process.execPath)).readBack).toBe('cache')
    await subject.dispose()
  })
})
