import { describe, expect, it } from 'vitest'
import { evidenceAddress } from '../../../shared/reports/labels.ts'
import { labelSays } from './label-address.ts'

const STATION = 'https://harrow-quay.example:8443'

describe('the code of a label', () => {
  it('opens an evidence or a case of this station', () => {
    expect(labelSays(evidenceAddress(STATION, '17'), STATION)).toEqual({
      at: 'here',
      item: { kind: 'evidence', id: '17' },
    })
    expect(labelSays(` ${STATION}/cases/42?side=notes `, STATION)).toEqual({
      at: 'here',
      item: { kind: 'case', id: '42' },
    })
  })

  it('never opens another origin: it says whose address it is', () => {
    for (const other of [
      'https://harrow-quay.example:9443',
      'http://harrow-quay.example:8443',
      'https://harrow-quay.example.evil.test',
      'https://harrow-quay.example:8443@evil.test',
    ])
      expect(labelSays(`${other}/evidence/17`, STATION)).toEqual({
        at: 'elsewhere',
        host: new URL(other).host,
        item: { kind: 'evidence', id: '17' },
      })
  })

  it('takes nothing else for a label', () => {
    for (const text of [
      '',
      '17',
      'javascript:alert(1)//evidence/17',
      `${STATION}/administration/users`,
      `${STATION}/evidence/17/../../administration`,
      `${STATION}/evidence/17/resource/3`,
      'WIFI:S:guest;T:WPA;P:secret;;',
      'file:///evidence/17',
    ])
      expect(labelSays(text, STATION)).toEqual({ at: 'nowhere' })
  })
})
