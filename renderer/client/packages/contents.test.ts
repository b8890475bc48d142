import { describe, expect, it } from 'vitest'
import { contentsOf, type Packable } from './contents.ts'
import { liveOf, type Package } from './packages.ts'

const item = (given: Partial<Packable> = {}): Packable => ({
  DisplayName: 'Statement',
  AccessorPermissions: ['View', 'Download'],
  LifecycleState: 'Normal',
  Summary: { LengthInBytes: 10, Status: 'verified' },
  ...given,
})

describe('what goes into a package', () => {
  it('is counted without what lies in the recycle bin, with what is not finished said', () => {
    const given = [item(), item({ LifecycleState: 'Deleted' }), item({ Summary: { LengthInBytes: 5, Status: 'open' } })]
    expect(contentsOf(given)).toEqual({ items: 2, bytes: 15, deleted: 1, unseen: 0, unfinished: 1, barred: [] })
  })

  it('names what may not be downloaded, and knows no sum where one size is not known', () => {
    const given = [item(), item({ DisplayName: 'Sealed', AccessorPermissions: ['View'], Summary: {} })]
    expect(contentsOf(given)).toMatchObject({ items: 2, bytes: null, barred: ['Sealed'] })
  })
})

describe('a package whose job has gone on since', () => {
  const one = { State: 'Waiting', Progress: null, Problem: null } as Package
  const job = { State: 'running', Progress: 0.5, Message: '' } as Parameters<typeof liveOf>[1]
  it('is as its job is while that goes, and as the station said once it ended', () => {
    expect(liveOf(one, job)).toMatchObject({ State: 'Making', Progress: 0.5 })
    expect(liveOf({ ...one, State: 'Stopped' }, job)).toMatchObject({ State: 'Making' })
    expect(liveOf({ ...one, State: 'Made' }, job)).toMatchObject({ State: 'Made' })
    expect(liveOf(one, job === undefined ? job : { ...job, State: 'cancelled' })).toEqual(one)
    expect(liveOf(one, undefined)).toEqual(one)
  })
})
