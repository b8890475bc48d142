import { describe, expect, it } from 'vitest'
import { around, ofPairs, ofSelection } from './ranges.ts'

const moment = (from: number, name = '') => ({ from, to: null, name })

describe('the ranges of clips', () => {
  it('are the selection, open ends at the ends of the recording, and none without one', () => {
    expect(ofSelection(2, 5, 60)).toEqual([{ from: 2, to: 5, name: '' }])
    expect(ofSelection(2, null, 60)).toEqual([{ from: 2, to: 60, name: '' }])
    expect(ofSelection(null, 5, 60)).toEqual([{ from: 0, to: 5, name: '' }])
    expect(ofSelection(null, null, 60)).toEqual([])
  })

  it('are from mark to mark in their order in time; an odd one is left out, a marked range is its own', () => {
    expect(ofPairs([moment(9), moment(1, 'door'), moment(4), { from: 2, to: 3, name: 'car' }])).toEqual([
      { from: 1, to: 4, name: 'door' },
      { from: 2, to: 3, name: 'car' },
    ])
    expect(ofPairs([moment(1)])).toEqual([])
  })

  it('are so many seconds around each mark, within the recording', () => {
    expect(around([moment(58), moment(3, 'a'), { from: 20, to: 30, name: '' }], 5, 10, 60)).toEqual([
      { from: 0, to: 13, name: 'a' },
      { from: 15, to: 40, name: '' },
      { from: 53, to: 60, name: '' },
    ])
  })
})
