import { describe, expect, it } from 'vitest'
import { wrongInCategory } from '../categories/draft.ts'
import { wrongInDepartment } from '../departments/draft.ts'
import { wrongInSource } from '../sources/draft.ts'
import { type TypedField, wrongInTemplate } from '../templates/draft.ts'
import { wrongInUser } from '../users/draft.ts'

const BELL = 'a\u0007'

describe('what the forms of the administration find wrong before the station is asked', () => {
  const user = { Username: 'd.okafor', FirstName: '', LastName: '', Badge: '', Email: '' }
  it.each([
    [{}, {}],
    [{ Email: 'd@b.example', Badge: ' 4711 ' }, {}],
    [{ Username: ' ' }, { Username: 'nameMissing' }],
    [{ Username: 'x'.repeat(257) }, { Username: 'nameWrong' }],
    [
      { FirstName: BELL, Badge: 'a\u2028b' },
      { FirstName: 'nameWrong', Badge: 'nameWrong' },
    ],
    [{ Email: 'nobody' }, { Email: 'emailWrong' }],
    [{ Email: `${'x'.repeat(320)}@b.example` }, { Email: 'emailWrong' }],
  ])('of a person with %o: %o', (change, wrong) => {
    expect(wrongInUser({ ...user, ...change })).toEqual(wrong)
  })

  const category = { Name: 'Traffic', Description: '', Color: '', RetentionDays: null, Enabled: true }
  it.each([
    [{}, {}],
    [{ Name: ' ' }, { Name: 'nameMissing' }],
    [{ Name: 'a\u202eb' }, { Name: 'nameWrong' }],
    [{ RetentionDays: 36_525 }, {}],
    [{ RetentionDays: 0 }, { RetentionDays: 'daysMissing' }],
    [{ RetentionDays: 36_526 }, { RetentionDays: 'daysMissing' }],
    [
      { Description: BELL, Color: BELL },
      { Description: 'notStorable', Color: 'notStorable' },
    ],
  ])('of a category with %o: %o', (change, wrong) => {
    expect(wrongInCategory({ ...category, ...change })).toEqual(wrong)
  })

  const manager = {
    PrincipalId: '7',
    KId: '',
    PrincipalType: 'User',
    Username: 'd.okafor',
    Permissions: 'Manage',
  } as const
  const department = { Name: 'Patrol', Description: '', AccessPolicies: [manager], Enabled: true }
  it.each([
    [{}, {}],
    [{ Name: '' }, { Name: 'nameMissing' }],
    [
      { Name: BELL, Description: BELL },
      { Name: 'nameWrong', Description: 'notStorable' },
    ],
    [{ AccessPolicies: [] }, { AccessPolicies: 'manageMissing' }],
  ])('of a department with %o: %o', (change, wrong) => {
    expect(wrongInDepartment({ ...department, ...change })).toEqual(wrong)
  })

  const source = {
    Name: 'Interview room',
    DeviceType: '',
    SourceId: 'room-1',
    Uploader: '',
    RetentionDays: 365,
  } as const
  it.each([
    [{}, {}],
    [{ SourceId: ' ' }, { Match: 'sourceMatchMissing' }],
    [
      { DeviceType: BELL, SourceId: BELL },
      { DeviceType: 'notStorable', SourceId: 'notStorable' },
    ],
    [
      { Name: '', RetentionDays: 0 },
      { Name: 'nameMissing', RetentionDays: 'daysMissing' },
    ],
  ])('of the retention of a source with %o: %o', (change, wrong) => {
    expect(wrongInSource({ ...source, ...change })).toEqual(wrong)
  })

  const field = (key: string, name: string, ...lines: readonly string[]): TypedField => ({
    key,
    name,
    type: lines.length === 0 ? 'Text' : 'Choice',
    choices: lines.join('\n'),
  })
  it('of a template, by its lines', () => {
    const fields = [
      field('good', 'Plate'),
      field('missing', ' '),
      field('wrong', 'x'.repeat(257)),
      field('twice', 'PLATE '),
      field('choices', 'Colour', 'Red', 'Blue'),
      field('none', 'Kind', ' '),
      field('again', 'Size', 'Big', 'big'),
      field('long', 'Shape', 'y'.repeat(257)),
    ]
    expect([...wrongInTemplate('Case', { renamed: { Title: BELL, Description: 'Summary' }, fields })].sort()).toEqual([
      ['Title', 'nameWrong'],
      ['again', 'choiceTwice'],
      ['long', 'choiceWrong'],
      ['missing', 'nameMissing'],
      ['none', 'choicesMissing'],
      ['twice', 'nameTwice'],
      ['wrong', 'nameWrong'],
    ])
  })

  it('leaves to the station what no line of a template shows', () => {
    const fields = Array.from({ length: 1_001 }, (_, at) => field(String(at), `Field ${at}`))
    const choices = Array.from({ length: 1_001 }, (_, at) => `Choice ${at}`)
    expect(wrongInTemplate('Case', { renamed: {}, fields }).size).toBe(0)
    expect(wrongInTemplate('Case', { renamed: {}, fields: [field('many', 'Many', ...choices)] }).size).toBe(0)
  })
})
