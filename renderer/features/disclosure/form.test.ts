import { describe, expect, it } from 'vitest'
import type { Disclosure, Due, Summary } from '../../client/disclosure/disclosure.ts'
import { bodyOf, EMPTY_LINE, type Form, formOf, isKnown, keptForm, missingIn, type Mode, proposalOf } from './form.ts'

const NEW: Mode = { kind: 'new' }
const now = (more: Partial<Parameters<typeof formOf>[1]> = {}) => ({
  hasPackage: true,
  givable: new Set<string>(),
  restricted: new Set<string>(),
  groundOf: ({ Ground }: { readonly Ground: string }) => Ground,
  ...more,
})
const last = {
  No: 3,
  Recipient: { Name: 'A. Mercer', Role: 'defence', Organisation: 'Mercer & Cole' },
  Authority: 'CPIA 1996',
  Request: { Number: 'R 1', Date: '2026-11-02', Due: null },
  Medium: 'disc',
} as Summary
const filled = (more: Partial<Form> = {}): Form => ({
  ...formOf(NEW, now({ hasPackage: false })),
  name: ' A. Mercer ',
  authority: 'CPIA 1996',
  evidenceIds: ['1'],
  ...more,
})
const LINE = { ...EMPTY_LINE, evidenceId: '2', description: 'x', ground: 'x' }

describe('a record of a disclosure', () => {
  it('begins with a package where the case has one', () => {
    expect(formOf(NEW, now()).source).toBe('package')
    expect(formOf(NEW, now({ hasPackage: false })).source).toBe('evidence')
  })

  it('that supplements one begins with what is owed and may be given, each once', () => {
    const Changes = [
      { Reason: 'new', EvidenceId: '4', ResourceId: null },
      { Reason: 'changed', EvidenceId: '5', ResourceId: '1' },
      { Reason: 'changed', EvidenceId: '5', ResourceId: '2' },
      { Reason: 'restricted', EvidenceId: '6', ResourceId: null },
    ]
    const mode: Mode = { kind: 'supplement', last, due: { Changes } as unknown as Due }
    const form = formOf(mode, now({ givable: new Set(['4', '5', '9']) }))
    expect(form).toMatchObject({ source: 'evidence', evidenceIds: ['4', '5'], authority: 'CPIA 1996', medium: 'disc' })
    expect(bodyOf(form, mode)).toMatchObject({ Supplements: '3', EvidenceIds: ['4', '5'] })
    expect(bodyOf(form, mode)).not.toHaveProperty('Recipient')
  })

  it('that is proposed again begins as it was typed, without what may not be given any more', () => {
    const asked = {
      Request: { Number: 'R 1', Date: null, Due: '2026-12-01' },
      Answers: '4',
      EvidenceIds: ['1', '7'],
      Withheld: [
        { EvidenceId: '2', ResourceId: null, Description: 'd', Ground: 'g', Basis: 'MG6D' as const, Reasons: 'r' },
      ],
      MediumSerial: 'SN 1',
    }
    const proposal = { ...last, No: 2, State: 'refused', PackageId: null, Supersedes: null, Reason: '' }
    const mode = { kind: 'again', proposal, asked } as unknown as Mode
    const form = formOf(mode, now({ givable: new Set(['1', '2']) }))
    expect(form).toMatchObject({ name: 'A. Mercer', role: 'defence', source: 'evidence', evidenceIds: ['1'] })
    expect(missingIn(form, mode, 0)).toBeNull()
    expect(proposalOf(form, mode)).toMatchObject({
      Recipient: { Name: 'A. Mercer', Role: 'defence' },
      Answers: '4',
      Request: { Number: 'R 1', Due: '2026-12-01' },
      EvidenceIds: ['1'],
      Withheld: [{ EvidenceId: '2', ResourceId: null, Basis: 'MG6D', Reasons: 'r' }],
      MediumSerial: 'SN 1',
    })
    expect(proposalOf(form, mode)).not.toHaveProperty('Supersedes')
    const replacing = { ...mode, proposal: { ...proposal, Supersedes: 3, Reason: 'wrong file' } } as unknown as Mode
    const again = formOf(replacing, now())
    expect(proposalOf(again, replacing)).toMatchObject({ Supersedes: '3', Reason: 'wrong file' })
    expect(missingIn({ ...again, reason: ' ' }, replacing, 0)).toBe('missReason')
  })

  it('in place of another one begins with all of that, without what may not be given any more', () => {
    const wrong = {
      ...last,
      Package: null,
      MediumSerial: 'SN 1',
      GivenTimeUtc: '2026-11-02T10:00:00.000Z',
      Items: [{ EvidenceId: '1' }, { EvidenceId: '1' }, { EvidenceId: '7' }],
      Withheld: [
        { EvidenceId: '2', ResourceId: '8', Description: 'd', Ground: 'g', Basis: 'MG6D', Reasons: 'r' },
        { EvidenceId: '3', ResourceId: null, Restricted: true },
      ],
    } as unknown as Disclosure
    const mode: Mode = { kind: 'supersede', wrong }
    const form = formOf(mode, now({ givable: new Set(['1']), restricted: new Set(['3']) }))
    expect(form).toMatchObject({ source: 'evidence', evidenceIds: ['1'], serial: 'SN 1', given: wrong.GivenTimeUtc })
    expect(missingIn(form, mode, 0)).toBe('missReason')
    expect(missingIn({ ...form, reason: 'Another disc' }, mode, 0)).toBeNull()
    expect(bodyOf(form, mode)).toMatchObject({
      Recipient: last.Recipient,
      GivenTimeUtc: wrong.GivenTimeUtc,
      Withheld: [{ EvidenceId: '2', ResourceId: '8', Basis: 'MG6D', Reasons: 'r' }],
    })
  })

  it.each([
    [{ name: '  ' }, 'missName'],
    [{ authority: '' }, 'missAuthority'],
    [{ source: 'package' as const }, 'missPackage'],
    [{ evidenceIds: [] }, 'missWhat'],
    [{ withheld: [EMPTY_LINE] }, 'missItem'],
    [{ withheld: [{ ...LINE, description: ' ' }] }, 'missDescription'],
    [{ withheld: [{ ...LINE, ground: '' }] }, 'missGround'],
    [{ withheld: [{ ...LINE, basis: 'MG6D' as const }] }, 'missReasons'],
    [{ withheld: [LINE, LINE] }, 'missTwice'],
    [{ withheld: [{ ...LINE, evidenceId: '1' }] }, 'missBoth'],
    [{ withheld: [{ ...LINE, evidenceId: '1', resourceId: '5' }] }, null],
    [{ evidenceIds: [], withheld: [LINE] }, null],
    [{}, null],
  ])('with %j lacks %s', (more, missing) => {
    expect(missingIn(filled(more), NEW, 0)).toBe(missing)
  })

  it('may give nothing where restricted evidence is recorded as withheld by itself', () => {
    expect(missingIn(filled({ evidenceIds: [] }), NEW, 1)).toBeNull()
  })

  it('is sent trimmed, of a package without evidence, and with reasons for MG6D alone', () => {
    const form = filled({ source: 'package', packageId: '9', withheld: [{ ...LINE, reasons: 'old words' }] })
    expect(bodyOf(form, NEW)).toMatchObject({
      Recipient: { Name: 'A. Mercer' },
      PackageId: '9',
      EvidenceIds: [],
      Withheld: [{ Basis: 'MG6C', Reasons: '' }],
    })
    expect(bodyOf(form, NEW)).not.toHaveProperty('GivenTimeUtc')
  })

  it('is taken up as it was left, and not where it is of another program', () => {
    const form = filled()
    expect(keptForm(JSON.parse(JSON.stringify(form)))).toEqual(form)
    expect(keptForm({ ...form, medium: 'pigeon' })).toBeNull()
    expect(keptForm(undefined)).toBeNull()
  })

  it('knows a recipient without regard to case and spaces, and not one of another role', () => {
    const of = { name: 'a.  MERCER', role: 'defence', organisation: ' mercer & cole' } as const
    expect(isKnown(of, [last])).toBe(true)
    expect(isKnown({ ...of, role: 'court' }, [last])).toBe(false)
    expect(isKnown({ ...of, name: ' ' }, [{ ...last, Recipient: { ...last.Recipient, Name: '' } }])).toBe(false)
  })
})
