import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isNumbered, nextNumber } from './exhibit-number.ts'

it.each([
  [['KB/3'], 'KB/4', 'KB/3'],
  [['KB/2', 'KB/3', 'kb/7'], 'KB/8', 'kb/7'],
  [['DO/1', 'KB/3'], 'DO/2', 'DO/1'],
  [['EX-009'], 'EX-010', 'EX-009'],
  [['EX-17/b', 'EX-16'], 'EX-17', 'EX-16'],
  [[' 12 '], '13', '12'],
])('after %j comes %s', (values, value, last) => {
  expect(nextNumber(values)).toEqual({ value, last })
})

it.each([[[]], [['']], [['left shoe']], [['EX-17/b']], [['1234567890123']]])('after %j comes none', (values) => {
  const next = nextNumber(values)
  if (values[0] === '1234567890123') expect(next?.value.length).toBeGreaterThan(12)
  else expect(next).toBeNull()
})

it('is free, whatever there is', () => {
  const numbers = fc.array(fc.tuple(fc.constantFrom('KB/', 'kb/', 'DO-', ''), fc.nat(2000)).map((one) => one.join('')))
  fc.assert(
    fc.property(fc.oneof(numbers, fc.array(fc.string())), (values) => {
      const next = nextNumber(values)
      if (next !== null) expect(values.map((one) => one.trim())).not.toContain(next.value)
    }),
  )
})

it('is that of fields which stations call so, and of texts alone', () => {
  const field = (name: string, type: 'Text' | 'Number' = 'Text') => isNumbered({ name, type })
  expect([field('Exhibit number'), field('Numéro de scellé'), field('N° de pièce')]).toEqual([true, true, true])
  expect([field('Badge'), field('Exhibit number', 'Number')]).toEqual([false, false])
})
