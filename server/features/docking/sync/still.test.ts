import { describe, expect, it } from 'vitest'
import { createStillness, whyUnfinished } from './still.ts'

const HOUR = 3_600_000
const file = (key: string, mark = '10:1', unfinished = false) => ({ key, mark, unfinished })

describe('what in a folder is to be taken', () => {
  it('is what nobody wrote to for long enough, counted from its last change', () => {
    const folder = createStillness(30_000)
    folder.saw([file('a')], 0)
    expect(folder.due(29_999)).toEqual(new Set())
    folder.saw([file('a', '20:2')], 20_000)
    expect(folder.due(49_999)).toEqual(new Set())
    folder.saw([file('a', '20:2')], 49_999)
    expect(folder.due(50_000)).toEqual(new Set(['a']))
  })

  it('is not what went before it was taken, and not what the station has, until it is another file', () => {
    const folder = createStillness(0)
    folder.saw([file('a'), file('b')], 0)
    folder.settled('a', '10:1', false, 0)
    expect(folder.due(HOUR * 9)).toEqual(new Set(['b']))
    folder.saw([file('a', '10:2')], 1)
    expect(folder.due(2)).toEqual(new Set(['a']))
  })

  it('is again what could not be read, an hour later or when it is another', () => {
    const folder = createStillness(0)
    folder.saw([file('a')], 0)
    folder.settled('a', '10:1', true, 5)
    expect(folder.due(HOUR)).toEqual(new Set())
    expect(folder.due(HOUR + 5)).toEqual(new Set(['a']))
    folder.saw([file('a', '11:3')], 10)
    expect(folder.due(10)).toEqual(new Set(['a']))
  })

  it('is what calls itself unfinished only once it was left lying', () => {
    const folder = createStillness(1_000)
    folder.saw([file('film.part', '10:1', true)], 0)
    expect(folder.due(HOUR - 1)).toEqual(new Set())
    expect(folder.due(HOUR)).toEqual(new Set(['film.part']))
  })

  it('waits anew when the folder was away: what comes back may be another drive’s', () => {
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
