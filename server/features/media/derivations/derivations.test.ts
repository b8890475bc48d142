import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  DERIVATION_KINDS,
  DERIVATIONS,
  INSPECT,
  isView,
  jobKindOf,
  jobsForShowing,
  kindOfJob,
  kindOfRole,
  labelOf,
  VIEW_KINDS,
} from '../../../../shared/media/derivations.ts'
import { VIEW_ROUTES } from '../../../../shared/media/contract.ts'
import { derivations as english } from '../../../../shared/media/messages.en.ts'
import { openDatabase } from '../../../kernel/database/database.ts'
import { openRaw } from '../../../kernel/database/sqlite/raw.ts'
import { orderOf } from '../../../kernel/evidence/derivation-jobs.ts'
import { REGISTRY } from './index.ts'
import type { Contents } from './derivation.ts'

it('each kind of the shared list has its maker, its name, and where it is a view its route', () => {
  expect(Object.keys(REGISTRY).toSorted()).toEqual(DERIVATION_KINDS.toSorted())
  expect(Object.keys(english)).toEqual(DERIVATION_KINDS.map(labelOf))
  expect(Object.entries(VIEW_ROUTES).map(([kind, { path }]) => [kind, path.split('/').at(-1)])).toEqual(
    VIEW_KINDS.map((kind) => [kind, kind]),
  )
})

it('the schema takes views of any kind, and the roles of the list: another role takes a migration', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-derivations-'))
  try {
    await (await openDatabase({ file: join(folder, 'a.db') })).close()
    const raw = openRaw(join(folder, 'a.db'), { readOnly: true })
    const schemaOf = (table: string): string =>
      (raw.prepare('select sql from sqlite_schema where name = ?').get(table) as { sql: string }).sql
    const [views, roles] = [schemaOf('resource_views'), schemaOf('resources')]
    raw.close()
    expect(views).toContain('kind TEXT NOT NULL,')
    for (const { becomes } of Object.values(DERIVATIONS))
      if (becomes !== 'view' && becomes !== 'thumbnail')
        expect(/role TEXT NOT NULL CHECK \(role IN \((.*?)\)\)/.exec(roles)?.[1]).toContain(`'${becomes}'`)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

const CASES: readonly [what: string, contents: Contents, kinds: string][] = [
  ['a film with sound', { holds: 'video', mimeType: 'video/mp4', sound: true }, 'playable poster | strip waveform'],
  ['a film without sound', { holds: 'video', mimeType: 'video/mp4', sound: false }, 'playable poster | strip'],
  ['a sound recording', { holds: 'audio', mimeType: 'audio/wav', sound: true }, 'audio | waveform'],
  ['a picture with metadata', { holds: 'picture', mimeType: 'image/jpeg', sound: false }, 'exif preview thumbnail | '],
  ['a picture without', { holds: 'picture', mimeType: 'image/gif', sound: false }, 'preview thumbnail | '],
  ['a picture that cannot be drawn', { holds: 'nothing', mimeType: 'image/tiff', sound: false }, 'exif | '],
  ['anything else', { holds: 'nothing', mimeType: 'application/pdf', sound: false }, ' | '],
]
it.each(CASES)('what is made of %s', (_, contents, kinds) => {
  const apply = DERIVATION_KINDS.filter((kind) => REGISTRY[kind].appliesTo(contents))
  const [views, others] = [apply.filter(isView), apply.filter((kind) => !isView(kind))]
  expect(`${others.join(' ')} | ${views.join(' ')}`).toBe(kinds)
})

it('a job and an entry of the ledger name their kind; other jobs and roles name none', () => {
  expect(DERIVATION_KINDS.map((kind) => kindOfJob(jobKindOf(kind)))).toEqual(DERIVATION_KINDS)
  expect([INSPECT, 'fixity.check', 'playable', 'derive.toString'].map(kindOfJob)).toEqual([null, null, null, null])
  expect(['playable', 'preview', 'metadata', 'thumbnail', 'strip', 'waveform'].map(kindOfRole)).toEqual([
    'playable',
    'preview',
    'exif',
    'thumbnail',
    'strip',
    'waveform',
  ])
  expect(['original', 'undefined', 'view'].map(kindOfRole)).toEqual([null, null, null])
})

it('what is shown in place of an original follows from the list, and so does the order of jobs', () => {
  expect(jobsForShowing('player', 'picture')).toEqual([INSPECT, 'derive.playable', 'derive.audio', 'derive.preview'])
  const stages = DERIVATION_KINDS.map((kind) => [kind, Math.ceil(orderOf(jobKindOf(kind), 1) / 2 ** 40)])
  expect(Object.fromEntries(stages)).toEqual({
    poster: 1,
    exif: 1,
    preview: 1,
    thumbnail: 1,
    playable: 2,
    audio: 2,
    strip: 3,
    waveform: 3,
  })
  expect(DERIVATIONS.audio.becomes).toBe('preview')
})
