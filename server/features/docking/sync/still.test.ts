import { describe, expect, it } from 'vitest'
import { createStillness, whyUnfinished } from './still.ts'

const HOUR = 3_600_000
const file = (key: string, mark = '10:1', unfinished = false) => ({ key, mark, unfinished })

describe('the files of a folder that are taken', () => {
  it('are unchanged for long enough, counted from the last change', () => {
    const folder = createStillness(30_000)
    folder.saw([file('a')], 0)
    expect(folder.due(29_999)).toEqual(new Set())
    folder.saw([file('a', '20:2')], 20_000)
    expect(folder.due(49_999)).toEqual(new Set())
    folder.saw([file('a', '20:2')], 49_999)
    expect(folder.due(50_000)).toEqual(new Set(['a']))
  })

  it('are not those that disappeared or that the station has, until their length or time differs', () => {
    const folder = createStillness(0)
    folder.saw([file('a'), file('b')], 0)
    folder.settled('a', '10:1', false, 0)
    expect(folder.due(HOUR * 9)).toEqual(new Set(['b']))
    folder.saw([file('a', '10:2')], 1)
    expect(folder.due(2)).toEqual(new Set(['a']))
  })

  it('include a file that could not be read, an hour later or when it has changed', () => {
    const folder = createStillness(0)
    folder.saw([file('a')], 0)
    folder.settled('a', '10:1', true, 5)
    expect(folder.due(HOUR)).toEqual(new Set())
    expect(folder.due(HOUR + 5)).toEqual(new Set(['a']))
    folder.saw([file('a', '11:3')], 10)
    expect(folder.due(10)).toEqual(new Set(['a']))
  })

  it('include a file with the name of an unfinished one only once it was abandoned', () => {
    const folder = createStillness(1_000)
    folder.saw([file('film.part', '10:1', true)], 0)
    expect(folder.due(HOUR - 1)).toEqual(new Set())
    expect(folder.due(HOUR)).toEqual(new Set(['film.part']))
  })

  it('wait anew when the folder was away: another drive may have come back', () => {
    const folder = createStillness(1_000)
    folder.saw([file('a')], 0)
    folder.forget()
    expect(folder.due(HOUR)).toEqual(new Set())
    folder.saw([file('a')], HOUR)
    expect(folder.due(HOUR + 999)).toEqual(new Set())
    expect(folder.due(HOUR + 1_000)).toEqual(new Set(['a']))
  })
})

describe('a name that says that the file is not finished', () => {
  it.each(['a.mp4.part', 'A.MP4.PART', 'x.crdownload', 'y.tmp', '~$report.docx', '._a.mp4', 'z.filepart'])(
    '%s',
    (name) => expect(whyUnfinished(name)).not.toBeNull(),
  )
  it.each(['part.mp4', 'tmp', 'a.parts', 'department.mov', '.hidden.mp4', 'a~b.wav'])('not %s', (name) =>
    expect(whyUnfinished(name)).toBeNull(),
  )
})
