import { beforeEach, expect, test } from 'vitest'
import type { ExtraLine } from '../../main/system/tray-template.ts'
import { checksSignatures, createUpdates, type Updater } from '../../main/system/updates.ts'
import { wordsFor } from '../../main/system/messages.ts'
import { loadSettings } from '../../server/config/settings.ts'

let done: string[]
let work: number
let line: ExtraLine | null
let available: boolean
let signatureChecked: boolean

const updater: Updater = {
  autoDownload: true,
  autoInstallOnAppQuit: true,
  setFeedURL: ({ url }) => void done.push(`feed ${url}`),
  checkForUpdates: async () => {
    done.push('checked')
    return { updateInfo: { version: '0.2.0' }, isUpdateAvailable: available }
  },
  downloadUpdate: async () => done.push('fetched'),
  quitAndInstall: () => void done.push('installed'),
}
const made = () =>
  createUpdates({
    feed: 'https://feed.example/sallyport',
    updater,
    signatureChecked,
    work: async () => work,
    words: wordsFor(['en']),
    setExtra: (next) => {
      line = next
    },
    notify: (title) => void done.push(title),
    leave: async (act) => {
      done.push('drained')
      act()
    },
    report: (text) => void done.push(text),
  })
beforeEach(() => {
  done = []
  work = 0
  line = null
  available = true
  signatureChecked = true
})

test('fetched in quiet times, installed on a click, after the station was drained', async () => {
  await made().check()
  expect([updater.autoDownload, updater.autoInstallOnAppQuit]).toEqual([false, false])
  expect(done).toEqual(['feed https://feed.example/sallyport', 'checked', 'fetched', 'Sallyport 0.2.0 is ready'])
  expect(line?.label).toBe('Install Sallyport 0.2.0 and start again')
  line?.click?.()
  await expect.poll(() => done.slice(-2)).toEqual(['drained', 'installed'])
})

test('nothing is asked, fetched or installed while work runs', async () => {
  const updates = made()
  work = 1
  await updates.check()
  expect(done).toEqual(['feed https://feed.example/sallyport'])
  work = 0
  await updates.check()
  work = 2
  done = []
  line?.click?.()
  await expect.poll(() => line?.label).toBe('Sallyport 0.2.0 waits until no job is running')
  expect([done, line?.click]).toEqual([[], null])
  work = 0
  await updates.check()
  expect([done, line?.label]).toEqual([[], 'Install Sallyport 0.2.0 and start again'])
})

test('nothing newer, and a feed that does not answer, say nothing to the person', async () => {
  available = false
  const updates = made()
  await updates.check()
  expect(done.slice(1)).toEqual(['checked'])
  const { checkForUpdates } = updater
  updater.checkForUpdates = async () => Promise.reject(new Error('ENOTFOUND'))
  await updates.check()
  updater.checkForUpdates = checkForUpdates
  expect(done.at(-1)).toBe('looking for a newer program failed')
  expect(line).toBeNull()
})

test('where no signature is checked, a newer program is announced once and never fetched or installed', async () => {
  signatureChecked = false
  const updates = made()
  await updates.check()
  await updates.check()
  expect(done).toEqual(['feed https://feed.example/sallyport', 'checked', 'Sallyport 0.2.0 is available', 'checked'])
  expect(line).toEqual({ label: 'Sallyport 0.2.0 is available', click: null })
})

test('no signature is checked of packages for Linux', () => {
  expect((['linux', 'win32', 'darwin', 'freebsd'] as const).filter(checksSignatures)).toEqual(['win32', 'darwin'])
})

test('off unless a feed is configured, and only over https', () => {
  expect(loadSettings({}, { data: '/x' }).updateFeed).toBeUndefined()
  expect(loadSettings({ SALLYPORT_UPDATE_FEED: 'https://feed.example/' }, { data: '/x' }).updateFeed).toBe(
    'https://feed.example/',
  )
  expect(() => loadSettings({ SALLYPORT_UPDATE_FEED: 'http://feed.example/' }, { data: '/x' })).toThrow(
    'SALLYPORT_UPDATE_FEED',
  )
})
