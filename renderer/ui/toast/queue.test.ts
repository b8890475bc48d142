import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ACTS_STAY_FOR, MOST_ACTS, STAYS_FOR, toastQueue } from './queue.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())
const texts = (queue: ReturnType<typeof toastQueue>): string[] => queue.current().map(({ text }) => text)

describe('toasts', () => {
  it('go by themselves after their time, not before', () => {
    const queue = toastQueue()
    queue.show({ text: 'Tagged' })
    vi.advanceTimersByTime(STAYS_FOR - 1)
    expect(texts(queue)).toEqual(['Tagged'])
    vi.advanceTimersByTime(1)
    expect(texts(queue)).toEqual([])
  })

  it('stay while held, and have their whole time again afterwards; one that comes meanwhile too', () => {
    const queue = toastQueue()
    queue.show({ text: 'first' })
    queue.hold(true)
    queue.show({ text: 'second' })
    vi.advanceTimersByTime(10 * STAYS_FOR)
    expect(texts(queue)).toEqual(['first', 'second'])
    queue.hold(false)
    vi.advanceTimersByTime(STAYS_FOR - 1)
    expect(texts(queue)).toEqual(['first', 'second'])
    vi.advanceTimersByTime(1)
    expect(texts(queue)).toEqual([])
  })

  it('undo takes back the newest act that can be, once', () => {
    const queue = toastQueue()
    const undone: string[] = []
    queue.show({ text: 'a', undo: () => undone.push('a') })
    queue.show({ text: 'b', undo: () => undone.push('b') })
    queue.show({ text: 'copied' })
    expect(queue.undoLast()).toBe(true)
    expect(queue.undoLast()).toBe(true)
    expect(queue.undoLast()).toBe(false)
    expect(undone).toEqual(['b', 'a'])
    expect(texts(queue)).toEqual(['copied'])
  })

  it('an act outlives its toast: it can be taken back by the list, once, and not by the key', async () => {
    const queue = toastQueue()
    const undone: string[] = []
    queue.show({ text: 'a', undo: () => undone.push('a') })
    queue.show({ text: 'b', undo: () => undone.push('b') })
    vi.advanceTimersByTime(STAYS_FOR)
    expect(queue.undoLast()).toBe(false)
    expect(queue.acts().map(({ text, undone: back }) => [text, back])).toEqual([
      ['b', false],
      ['a', false],
    ])
    const [, oldest] = queue.acts()
    queue.undo(oldest?.id ?? 0)
    queue.undo(oldest?.id ?? 0)
    expect(undone).toEqual(['a'])
    expect(queue.acts().map(({ undone: back }) => back)).toEqual([false, true])
  })

  it('an act whose way back is refused can be taken back again, and the reason is shown', async () => {
    const queue = toastQueue()
    const id = queue.show({ text: 'a', undo: () => Promise.reject(new Error('You may not do this any more.')) })
    queue.undo(id)
    expect(queue.acts()[0]?.undone).toBe(true)
    await vi.advanceTimersByTimeAsync(0)
    expect(queue.acts()[0]?.undone).toBe(false)
    expect(texts(queue)).toEqual(['You may not do this any more.'])
  })

  it('keeps the last acts, for their time, for one person alone', () => {
    const queue = toastQueue()
    queue.belongTo('1')
    const act = (text: string): number => queue.show({ text, undo: () => undefined })
    act('old')
    vi.advanceTimersByTime(ACTS_STAY_FOR)
    for (let at = 0; at < MOST_ACTS + 5; at++) act(String(at))
    expect(queue.acts()).toHaveLength(MOST_ACTS)
    expect(queue.acts()[0]?.text).toBe(String(MOST_ACTS + 4))
    vi.advanceTimersByTime(ACTS_STAY_FOR)
    expect(queue.acts()).toEqual([])
    act('new')
    expect(queue.acts().map(({ text }) => text)).toEqual(['new'])
    queue.belongTo('1')
    expect(queue.acts()).toHaveLength(1)
    queue.show({ text: 'copied' })
    queue.belongTo('2')
    expect(queue.acts()).toEqual([])
    expect(texts(queue), 'no toast takes back what somebody else did').toEqual(['copied'])
  })

  it('are three at most, the oldest goes; a problem stays until it is closed', () => {
    const queue = toastQueue()
    const problem = queue.problem(new Error('The camera did not answer.'))
    for (const text of ['1', '2']) queue.show({ text })
    expect(queue.current()).toHaveLength(3)
    vi.advanceTimersByTime(STAYS_FOR)
    expect(texts(queue)).toEqual(['The camera did not answer.'])
    queue.close(problem)
    expect(texts(queue)).toEqual([])
    for (const text of ['1', '2', '3', '4']) queue.show({ text })
    expect(texts(queue)).toEqual(['2', '3', '4'])
  })
})
