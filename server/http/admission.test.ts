import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { type Admission, createAdmission } from './admission.ts'

/** What of a request and its answer counts here. */
function arriving({ complete = true, answering = false } = {}) {
  const response = Object.assign(new EventEmitter(), { headersSent: answering })
  return {
    request: { complete } as IncomingMessage,
    response: response as unknown as ServerResponse,
    end: () => void response.emit('close'),
  }
}

function world() {
  const time = { now: 0 }
  const admission = createAdmission(() => time.now)
  const enter = (what: Parameters<typeof arriving>[0] = {}, lane: 'work' | 'apart' = 'work') => {
    const one = arriving(what)
    return admission.enter(lane, one.request, one.response) ? one : null
  }
  return { time, admission, enter }
}

const many = <T>(count: number, one: () => T): T[] => Array.from({ length: count }, one)
const ticks = (admission: Admission, count: number, late: number): void => void many(count, () => admission.tick(late))

describe('L5: places', () => {
  test('there are as many as there are, and one that is given back is there for the next', () => {
    const { admission, enter } = world()
    const { places } = admission.state()
    const inside = many(places, () => enter())
    expect(inside).not.toContain(null)
    expect(enter()).toBeNull()
    inside[0]?.end()
    expect([enter(), enter()]).toEqual([expect.anything(), null])
  })

  test('they become fewer while the event loop comes late, never fewer than a moment of cameras, and more again', () => {
    const { admission } = world()
    const before = admission.state().places
    ticks(admission, 1, 400)
    // One long turn is nobody's fault.
    expect(admission.state().places).toBe(before)
    admission.tick(0)
    ticks(admission, 3, 80)
    expect(admission.state().places).toBeLessThan(before)
    ticks(admission, 50, 80)
    expect(admission.state().places).toBe(64)
    ticks(admission, 50, 0)
    expect(admission.state().places).toBe(before)
  })

  test('what waits for a disk gives its place back after a second, and is not without end either', () => {
    const { time, admission, enter } = world()
    const { places } = admission.state()
    many(places, () => enter())
    time.now = 1_000
    admission.tick(0)
    const second = many(places, () => enter())
    expect(second).not.toContain(null)
    time.now = 2_000
    admission.tick(0)
    expect(enter()).toBeNull()
    second[0]?.end()
    expect(enter()).not.toBeNull()
  })

  test('what waits for the processor keeps its place, however long', () => {
    const { time, admission, enter } = world()
    many(admission.state().places, () => enter())
    for (let second = 1; second < 10; second++) {
      time.now = second * 1_000
      admission.tick(300)
      expect(enter()).toBeNull()
    }
  })

  test('U8: bodies that trickle in, and answers that trickle out, keep nobody out', () => {
    const { time, admission, enter } = world()
    for (let round = 0; round < 10; round++) {
      expect(many(100, () => enter({ complete: false }))).not.toContain(null)
      expect(many(100, () => enter({ answering: true }))).not.toContain(null)
      time.now += 1_000
      admission.tick(0)
    }
    expect(enter()).not.toBeNull()
  })

  test('uploads, event streams and pages come in while all places are taken', () => {
    const { admission, enter } = world()
    many(admission.state().places, () => enter())
    expect(enter()).toBeNull()
    expect(many(1_000, () => enter({}, 'apart'))).not.toContain(null)
    ticks(admission, 100, 200)
    expect(enter({}, 'apart')).not.toBeNull()
  })
})
