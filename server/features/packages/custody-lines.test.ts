import { describe, expect, it } from 'vitest'
import type { StoredEntry } from '../../kernel/ledger/format.ts'
import { type EntryLine, mayRead, namesEvidence } from './custody-lines.ts'

const line = (more: Partial<StoredEntry>): EntryLine => ({
  seq: 1,
  canonical: '',
  entry: {
    format: 1,
    seq: 1,
    timeUtc: '2026-11-27T10:00:00.000Z',
    actor: { kind: 'user', id: '1', name: 'a', role: null },
    source: '127.0.0.1',
    action: 'resource.completed',
    object: { type: 'resource', id: '1', name: 'a.mp4' },
    outcome: 'ok',
    reason: null,
    bytes: 1,
    sha256: null,
    correlationId: 'c',
    detail: null,
    ...more,
  },
})
const withheld = new Set(['77'])
const prosecution = { variant: 'prosecution', caseId: '12', withheld } as const
const defence = { variant: 'defence', caseId: '12', withheld } as const

describe('entries that the recipient of a package may read', () => {
  it.each([
    ['about a file', {}],
    ['that names the case of the package', { detail: { caseId: '12', count: 13 } }],
    ['about that case', { object: { type: 'case', id: '12', name: 'Theft' } }],
    ['that states a row of that case', { detail: { 'rows.stated': [['case_links', '[12,7,"Manual"]', null]] } }],
  ])('are those %s', (_what, more) => {
    expect(mayRead(line(more as Partial<StoredEntry>), prosecution)).toBe(true)
  })

  it.each([
    ['about another case', { object: { type: 'case', id: '13', name: 'Informant' } }],
    ['that names another case', { detail: { caseId: '13' } }],
    ['that names one among several', { detail: { Cases: ['12', '13'] } }],
    ['that names one deep inside', { detail: { of: { linkedCase: { Id: 13 } } } }],
    ['that states a row of another case', { detail: { 'rows.stated': [['case_links', '[13,7,"Manual"]', null]] } }],
    ['whose reason names another case', { reason: 'case 13: It is not what entry 170 says.' }],
    [
      'that names a row of another case in words',
      { detail: { problems: ['row [13,2,6] of case_links: No entry says that it was made.'] } },
    ],
    ['that states another case', { detail: { 'rows.stated': [['cases', '13', null]] } }],
  ])('are none %s', (_what, more) => {
    expect(mayRead(line(more as Partial<StoredEntry>), prosecution)).toBe(false)
    expect(mayRead(line(more as Partial<StoredEntry>), { ...prosecution, caseId: null })).toBe(false)
  })

  it.each([
    ['about it', { object: { type: 'evidence', id: '77', name: 'Informant' } }],
    ['that names it', { detail: { evidenceId: '77' } }],
    ['that names it among several', { detail: { Evidence: ['1', 77] } }],
    ['that names it deep inside', { detail: { of: { linkedEvidence: { Id: '77' } } } }],
    ['that states its row', { detail: { 'rows.stated': [['evidence', '77', null]] } }],
    ['that states a row of it', { detail: { 'rows.stated': [['evidence_tags', '[77,"x"]', null]] } }],
  ])('C5: are none %s, of evidence that may not leave', (_what, more) => {
    const one = line(more as Partial<StoredEntry>)
    for (const variant of ['prosecution', 'defence', 'court'] as const) {
      expect(mayRead(one, { variant, caseId: '12', withheld })).toBe(false)
      expect(mayRead(one, { variant, caseId: '12', withheld: new Set() })).toBe(true)
    }
    expect([namesEvidence(one, withheld), namesEvidence(one, new Set(['7']))]).toEqual([true, false])
  })

  it('are none that cannot be read', () => {
    expect(mayRead({ seq: 1, canonical: 'x', entry: null }, prosecution)).toBe(false)
  })

  it('tell the defence nothing of what others got', () => {
    for (const action of [
      'resource.packaged',
      'package.made',
      'report.read',
      'resource.disclosed',
      'disclosure.given',
      'restriction.set',
    ] as const) {
      expect(mayRead(line({ action }), prosecution)).toBe(true)
      expect(mayRead(line({ action }), defence)).toBe(false)
    }
    expect(mayRead(line({ action: 'resource.downloaded' }), defence)).toBe(true)
  })
})
