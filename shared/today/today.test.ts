import { describe, expect, it } from 'vitest'
import { missingOf, type RecordingFacts } from './today.ts'

const WHOLE: RecordingFacts = {
  name: 'Stop at Quay Road',
  hasCategory: true,
  isInCase: true,
  givenNames: ['BWC0410_0001.mp4', 'R1'],
  timeIsKnown: true,
  status: 'verified',
}

describe('what a recording still needs', () => {
  it('nothing, where everything is there', () => {
    expect(missingOf(WHOLE)).toEqual([])
    expect(missingOf({ ...WHOLE, status: 'sealed' })).toEqual([])
  })

  it.for([
    ['Category', { hasCategory: false }],
    ['Case', { isInCase: false }],
    ['Title', { name: 'R1' }],
    ['Title', { name: 'BWC0410_0001.mp4' }],
    ['Title', { name: 'BWC0410_0001' }],
    ['Title', { name: ' ' }],
    ['Time', { timeIsKnown: false }],
    ['Processing', { status: 'open' }],
    ['Processing', { status: 'working' }],
    ['Processing', { status: 'waiting' }],
    ['Failed', { status: 'attention' }],
    ['Failed', { status: 'danger' }],
    ['Failed', { status: 'differs' }],
  ] as const)('%s: %o', ([missing, change]) => {
    expect(missingOf({ ...WHOLE, ...change })).toEqual([missing])
  })

  it('failures first, then what people add', () => {
    expect(
      missingOf({ ...WHOLE, name: 'R1', hasCategory: false, isInCase: false, timeIsKnown: false, status: 'danger' }),
    ).toEqual(['Failed', 'Category', 'Case', 'Title', 'Time'])
  })
})
