import { openSync, closeSync, readdirSync, readFileSync, readSync, unlinkSync, writeFileSync, writeSync } from 'node:fs'
import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { type FolderStore, openBlobStore } from '../../server/storage/folder/store.ts'
import { GIVES_WAY } from '../../server/platform/threads/give-way.ts'
import { blobStoreConformance, type Subject } from './conformance.ts'

const onDisk = (parent: string) => async (): Promise<Subject> => {
  const root = await mkdtemp(path.join(parent, 'sallyport-store-'))
  const opened: FolderStore[] = []
  const open = async (): Promise<FolderStore> => {
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
    cut: (sha256, length) => writeFileSync(store.pathOf(sha256), Buffer.alloc(length)),
    putStranger: async (beside) => {
      const stranger = path.join(path.dirname(store.pathOf(beside)), 'notes.txt')
      writeFileSync(stranger, 'x')
      return stranger
    },
    bytesAt: async (file) => readFileSync(file),
    reopen: open,
    dispose: async () => {
      await Promise.all(opened.map((one) => one.close()))
      await rm(root, { recursive: true, force: true })
    },
  }
}

blobStoreConformance('on a disk', onDisk(tmpdir()))

it('gives no path for anything but a SHA-256', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'sallyport-store-'))
  const store = await openBlobStore({ root, now: Date.now })
  expect(() => store.pathOf('../../etc/passwd')).toThrow()
  await store.close()
  await rm(root, { recursive: true })
})

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

/** Of every thread of this process. */
const niceness = (): number[] =>
  readdirSync('/proc/self/task').map((id) => {
    const stat = readFileSync(`/proc/self/task/${id}/stat`, 'utf8')
    // Behind the name, which may hold anything: proc(5) counts it as the 19th.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
  })

describe.skipIf(process.platform !== 'linux')('the threads of the store', () => {
  it('L2: give way to those that answer people', async () => {
    const gaveWay = () => niceness().filter((nice) => nice === GIVES_WAY).length
    expect(gaveWay()).toBe(0)
    const subject = await onDisk(tmpdir())()
    // Each thread starts with the first work for it.
    await Promise.all([1, 2].map(() => subject.store.copyIn(process.execPath)))
    await expect.poll(gaveWay).toBe(2)
    await subject.dispose()
  })
})
