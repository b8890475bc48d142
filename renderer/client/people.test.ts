import { describe, expect, it } from 'vitest'
import { calledIn, markIn, NOBODY, peopleAmong } from './people.ts'

const people = peopleAmong([
  { PrincipalId: '1', Username: 'okafor', FirstName: 'Dayo', LastName: 'Okafor' },
  { PrincipalId: '2', Username: 'cruz', FirstName: 'Ana María', LastName: 'de la Cruz' },
  { PrincipalId: '3', Username: 'sergeant', FirstName: '', LastName: '' },
  { PrincipalId: '4', Username: 'lee', FirstName: '', LastName: 'Lee' },
])

describe('people beside models with user names', () => {
  it.each([
    [{ PrincipalId: '1', Username: 'okafor', Name: 'Dayo Okafor' }, 'D. Okafor', 'DO'],
    [{ PrincipalId: '2', Username: 'cruz' }, 'A. M. de la Cruz', 'AD'],
    [{ PrincipalId: '3', Username: 'sergeant' }, 'sergeant', 'SE'],
    [{ PrincipalId: '4', Username: 'lee' }, 'Lee', 'LE'],
    [{ PrincipalId: '8', Username: 'Account Administrators' }, 'Account Administrators', 'AA'],
    [{ PrincipalId: '9', Username: 'gone', Name: 'Gone Person' }, 'gone', 'GO'],
    [{ PrincipalId: '9', Username: null, Name: 'Only a name' }, 'Only a name', 'ON'],
    [{ PrincipalId: null, Username: '' }, null, ''],
  ])('%j is %s, marked %s', (who, called, mark) => {
    expect([calledIn(people, who), markIn(people, who)]).toEqual([called, mark])
  })

  it('are called by the user name where nothing is known of them', () => {
    expect(calledIn(NOBODY, { PrincipalId: '1', Username: 'okafor', Name: 'Dayo Okafor' })).toBe('okafor')
  })
})
