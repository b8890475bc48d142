/** What somebody with the database in hand may put in the place of an entry, in canonical form (promise I3). */
import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../../../kernel/ledger/canonical.ts'
import { sizesOutside } from './verify-checkpoints.ts'
import { readExactly, wrongTime } from './verify-entry.ts'

const ENTRY = {
  format: 1,
  seq: 7,
  timeUtc: '2026-11-22T10:00:00.000Z',
  actor: { id: '1', kind: 'user', name: 'officer', role: null },
  source: '127.0.0.1',
  action: 'evidence.read',
  object: { id: '1', name: 'An interview', type: 'evidence' },
  outcome: 'ok',
  reason: null,
  bytes: null,
  sha256: null,
  correlationId: 'c',
  detail: null,
}
const read = (value: unknown) => readExactly(Buffer.from(canonicalJson(value)))
const NO_ENTRY = { wrong: 'it is no entry of format 1' }

describe('I3 an entry that is read exactly', () => {
  it('S19: has every member of format 1 in its own form', () => {
    expect(read(ENTRY)).toMatchObject({ seq: 7, action: 'evidence.read', objectId: '1' })
  })

  it.each([
    ['nothing', null],
    ['a text', 'x'.repeat(Object.keys(ENTRY).length)],
    ['a number', 13],
    ['a list', Object.values(ENTRY)],
    ['an actor that is nothing', { ...ENTRY, actor: null }],
    ['an actor that is a text of as many letters', { ...ENTRY, actor: 'user' }],
    ['an actor that is a list', { ...ENTRY, actor: ['1', 'user', 'officer', null] }],
    ['an actor with a further member', { ...ENTRY, actor: { ...ENTRY.actor, more: '' } }],
    ['an object of another name', { ...ENTRY, object: { id: '1', name: '', kind: 'evidence' } }],
    ['a time in a list', { ...ENTRY, timeUtc: [ENTRY.timeUtc] }],
    ['a time of another form', { ...ENTRY, timeUtc: '2026-11-22 10:00:00' }],
    ['an action in a list', { ...ENTRY, action: [ENTRY.action] }],
    ['an action that nobody knows', { ...ENTRY, action: 'evidence.eaten' }],
    ['an action by the name of a method', { ...ENTRY, action: 'constructor' }],
  ])('S19: %s is none', (_what, value) => {
    expect(read(value)).toEqual(NO_ENTRY)
  })

  it('S19: a time that does not exist is reported', () => {
    const entry = {
      seq: 7,
      timeUtc: '2026-13-41T25:00:00.000Z',
      action: '',
      objectType: '',
      objectId: '',
      detail: null,
    }
    expect(wrongTime(entry, '')).toBe('its time 2026-13-41T25:00:00.000Z does not exist')
    expect(wrongTime({ ...entry, timeUtc: ENTRY.timeUtc }, '')).toBeNull()
  })
})

it('S19: of copies outside only those with a size are looked up in the tree', () => {
  const note = (size: string): string => `sallyport.local/one\n${size}\nroot\n`
  expect(sizesOutside(['', 'x', ...['five', '0', '-3', '1.5', '1e400', '12'].map(note)])).toEqual([12])
})
