import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { READS_OF_A_VISIT } from '../kernel/custody-reads.ts'
import { LEDGER_ACTIONS } from '../kernel/ledger-actions.ts'
import { type FoldedEntry, foldVisits, type Line, VISIT_GAP_MS, type Visit } from './visits.ts'

const START = Date.parse('2026-11-20T15:00:00.000Z')
const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString()

function entry(Seq: number, seconds: number, Action: string, more: Partial<FoldedEntry> = {}): FoldedEntry {
  return {
    Seq,
    TimeUtc: at(seconds),
    Action,
    Outcome: 'ok',
    Actor: { Kind: 'user', Id: '7' },
    Source: '10.0.0.7',
    Object: { Id: '1', Name: 'Street.mp4' },
    CorrelationId: `call ${Seq}`,
    Detail: null,
    ...more,
  }
}

const seqsOf = (line: Line<FoldedEntry>): number[] =>
  line.kind === 'act' ? [line.entry.Seq] : line.entries.map(({ Seq }) => Seq)
const shapeOf = (lines: readonly Line<FoldedEntry>[]): string[] => lines.map((line) => `${line.kind} ${seqsOf(line)}`)
const newestFirst = (entries: readonly FoldedEntry[]): FoldedEntry[] => [...entries].sort((a, b) => b.Seq - a.Seq)
const visit = (lines: readonly Line<FoldedEntry>[], index = 0): Visit<FoldedEntry> => {
  const found = lines.filter((line) => line.kind === 'visit')[index]
  if (found === undefined) throw new Error(`There is no visit ${index} in ${shapeOf(lines).join('; ')}`)
  return found
}

/** Ledgers of several readers, with acts, refusals and playbacks whose ends come late. Oldest first. */
const ledgers = fc
  .array(
    fc.record({
      wait: fc.oneof(fc.nat(120), fc.nat(900)),
      who: fc.constantFrom('7', '8', '9'),
      source: fc.constantFrom('10.0.0.7', '10.0.0.8'),
      action: fc.constantFrom(...READS_OF_A_VISIT, 'evidence.changed', 'resource.downloaded', '', 'not.known'),
      outcome: fc.constantFrom('ok', 'ok', 'ok', 'denied', 'failed'),
      call: fc.nat(5),
      seconds: fc.nat(4000),
      damaged: fc.nat(20).map((chance) => chance === 0),
    }),
    { maxLength: 80 },
  )
  .map((steps) => {
    let now = 0
    return steps.map(({ wait, who, source, action, outcome, call, seconds, damaged }, index) => {
      now += wait
      return entry(index + 1, now, action, {
        Actor: { Kind: 'user', Id: who },
        Source: source,
        Outcome: outcome,
        CorrelationId: `call ${call}`,
        Detail: action === 'resource.played.ended' ? { seconds } : null,
        ...(damaged ? { Action: '', TimeUtc: '' } : {}),
      })
    })
  })

describe('I1: the folded custody leaves nothing out', () => {
  it('I1: every entry is in exactly one line, however many pages are here', () => {
    fc.assert(
      fc.property(ledgers, fc.nat(80), (ledger, here) => {
        const shown = newestFirst(ledger).slice(0, here)
        const seqs = foldVisits(shown, here < ledger.length).flatMap(seqsOf)
        expect([...seqs].sort((a, b) => b - a)).toEqual(shown.map(({ Seq }) => Seq))
      }),
      { numRuns: 500 },
    )
  })

  it('I1: what is called whole stays as it is when older pages come', () => {
    fc.assert(
      fc.property(ledgers, fc.nat(80), (ledger, here) => {
        const all = newestFirst(ledger)
        const final = new Set(foldVisits(all, false).map((line) => JSON.stringify(line)))
        for (const line of foldVisits(all.slice(0, here), here < all.length))
          if (line.kind === 'act' || line.whole) expect(final).toContain(JSON.stringify(line))
      }),
      { numRuns: 500 },
    )
  })

  it('I1: no act, refusal or failure is folded, and no visit has two readers', () => {
    fc.assert(
      fc.property(ledgers, (ledger) => {
        for (const line of foldVisits(newestFirst(ledger), false)) {
          if (line.kind === 'act') continue
          expect(new Set(line.entries.map(({ Actor, Source }) => `${Actor.Id} ${Source}`)).size).toBe(1)
          for (const { Action, Outcome } of line.entries) {
            expect(READS_OF_A_VISIT).toContain(Action)
            expect(Outcome).toBe('ok')
          }
        }
      }),
    )
  })

  it('what is folded are views alone, and none of them hands out bytes to keep', () => {
    for (const action of READS_OF_A_VISIT) expect(LEDGER_ACTIONS[action].kind, action).toBe('view')
    for (const act of ['resource.downloaded', 'list.exported', 'check.requested', 'access.denied'])
      expect(READS_OF_A_VISIT).not.toContain(act)
  })
})

describe('a visit', () => {
  it('goes on around an act, ends after five minutes, and is one for each place', () => {
    const gap = VISIT_GAP_MS / 1000
    const lines = foldVisits(
      newestFirst([
        entry(1, 0, 'evidence.read'),
        entry(2, 5, 'note.added'),
        entry(3, 10, 'resource.listed'),
        entry(4, 11, 'evidence.read', { Source: '10.0.0.9' }),
        entry(5, 10 + gap, 'note.read'),
        entry(6, 11 + 2 * gap, 'evidence.read'),
      ]),
      false,
    )
    expect(shapeOf(lines)).toEqual(['visit 6', 'visit 5,3,1', 'visit 4', 'act 2'])
    expect(visit(lines, 1)).toMatchObject({ from: at(0), to: at(10 + gap), whole: true })
  })

  it('has its playback with it, though the end is written much later', () => {
    const call = { CorrelationId: 'the call' }
    const lines = foldVisits(
      newestFirst([
        entry(1, 0, 'evidence.read'),
        entry(2, 2, 'resource.played.started', call),
        entry(3, 1500, 'evidence.changed', { Actor: { Kind: 'user', Id: '8' } }),
        entry(4, 1600, 'resource.played.ended', { ...call, Detail: { evidenceId: '1', seconds: 45 } }),
        entry(5, 1700, 'evidence.read'),
      ]),
      false,
    )
    expect(shapeOf(lines)).toEqual(['visit 5', 'act 3', 'visit 4,2,1'])
    expect(visit(lines, 1)).toMatchObject({
      from: at(0),
      to: at(47),
      playbacks: [{ name: 'Street.mp4', seconds: 45 }],
    })
  })

  it('that a page cuts says so until the rest is here', () => {
    const all = newestFirst([entry(1, 0, 'evidence.read'), entry(2, 60, 'note.read'), entry(3, 120, 'note.read')])
    expect(visit(foldVisits(all.slice(0, 2), true)).whole).toBe(false)
    expect(visit(foldVisits(all, false))).toMatchObject({ whole: true, from: at(0) })
  })
})
