import { expect, it } from 'vitest'
import { fitsTyped } from './principals.ts'

it('only those who fit what is typed stay while the station is asked', () => {
  const person = { FirstName: 'Grace', LastName: 'Hopper', Name: 'Grace Hopper', Username: 'chief', Badge: 'B-12' }
  const group = { FirstName: '', LastName: '', Name: 'Account Administrators', Username: null, Badge: '' }
  for (const text of ['', 'hop', 'grace hop', 'CHIEF', 'b-12'])
    expect([text, fitsTyped(person, text)]).toEqual([text, true])
  for (const text of ['hop', 'accounts']) expect([text, fitsTyped(group, text)]).toEqual([text, false])
  expect(fitsTyped(group, 'adm')).toBe(true)
})
