import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { STAYS_FOR, toastQueue } from './queue.ts'

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
