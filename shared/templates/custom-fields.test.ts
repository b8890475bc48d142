import { describe, expect, it } from 'vitest'
import { type CustomField, FIELD_TYPES, misfit, misfits } from './custom-fields.ts'

const fits = (type: CustomField['type'], text: string, choices?: string[]): boolean =>
  misfit({ type, choices }, text) === null

describe('which texts fit', () => {
  it.each(['0', '-0', '12', '+7', '12.5', '.5', '1e3', '1.5E-7', '00012', '9'.repeat(200)])('Number: %s', (text) => {
    expect(fits('Number', text)).toBe(true)
  })
  it.each(['x', '1,5', '1.', '0x10', '1e999', 'NaN', 'Infinity', ' 1', '1 ', '1 000', '--1', '٣', '1e', '1\n'])(
    'not Number: %j',
    (text) => {
      expect(fits('Number', text)).toBe(false)
    },
  )
  it.each([
    '2026-11-20',
    '2024-02-29',
    '2026-11-20T02:47:31Z',
    '2026-11-20T02:47:31.1234567+01:00',
    '2026-11-20T02:47Z',
  ])('Date: %s', (text) => {
    expect(fits('Date', text)).toBe(true)
  })
  it.each([
    '20.11.2026',
    '2026-02-30',
    '2026-13-01',
    '2026-11-20T02:47:31',
    '2026-11-20T25:00:00Z',
    '2026-11-20Z',
    '20261120',
    '2026-11-20 ',
    '0000-01-01',
    'today',
  ])('not Date: %j', (text) => {
    expect(fits('Date', text)).toBe(false)
  })
  it('Boolean is true or false, in these letters', () => {
    expect(['true', 'false'].every((text) => fits('Boolean', text))).toBe(true)
    expect(['True', 'yes', '1', '0', 'TRUE', ' true'].some((text) => fits('Boolean', text))).toBe(false)
  })
  it('a Choice is one of its choices, letter by letter', () => {
    const choices = ['fog', 'Rain']
    expect(choices.every((text) => fits('Choice', text, choices))).toBe(true)
    expect(['Fog', 'rain', 'fog ', 'constructor'].some((text) => fits('Choice', text, choices))).toBe(false)
    expect(fits('Choice', 'fog')).toBe(false)
  })
  it('every text is a Text, and an empty one fits whatever the type', () => {
    expect(['x', '1', '\n', '2026-02-30'].every((text) => fits('Text', text))).toBe(true)
    expect(FIELD_TYPES.every((type) => fits(type, ''))).toBe(true)
  })
})

describe('which values are judged', () => {
  const fields: CustomField[] = [
    { name: 'Age', type: 'Number' },
    { name: 'Weather', type: 'Choice', choices: ['fog'] },
    { name: '__proto__', type: 'Boolean' },
  ]
  const paths = (before: Record<string, string>, after: Record<string, string>): string[] =>
    misfits(fields, before, after).map(({ Path }) => Path)

  it('new and changed ones, all of them', () => {
    expect(paths({}, { Age: 'x', Weather: 'rain', Other: 'x' })).toEqual(['CustomFields.Age', 'CustomFields.Weather'])
    expect(paths({ Age: 'x' }, { Age: 'y' })).toEqual(['CustomFields.Age'])
    expect(paths({ Age: 'x' }, { Age: '7' })).toEqual([])
  })
  it('not what stays, what goes, or what the template does not know', () => {
    expect(paths({ Age: 'x', Weather: 'rain' }, { Age: 'x' })).toEqual([])
    expect(paths({}, { age: 'x', 'Age ': 'x', toString: 'x' })).toEqual([])
  })
  it('names of an object itself are names like others', () => {
    const after = JSON.parse('{"__proto__":"maybe"}') as Record<string, string>
    expect(paths({}, after)).toEqual(['CustomFields.__proto__'])
    expect(paths(JSON.parse('{"__proto__":"maybe"}') as Record<string, string>, after)).toEqual([])
    expect(paths({}, { constructor: 'x' })).toEqual([])
  })
})
