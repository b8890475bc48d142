import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { type Admission, createAdmission } from './limits.ts'

/** The members of a request and its response that admission reads. */
function fakeExchange({ complete = true, answering = false } = {}) {
  const response = Object.assign(new EventEmitter(), { headersSent: answering })
  return {
    request: { complete } as IncomingMessage,
    response: response as unknown as ServerResponse,
    end: () => void response.emit('close'),
  }
}

function createWorld() {
  const time = { now: 0 }
  const admission = createAdmission(() => time.now)
  const enter = (
    options: Parameters<typeof fakeExchange>[0] = {},
    requestClass: 'ordinary' | 'transfer' = 'ordinary',
  ) => {
    const exchange = fakeExchange(options)
    return admission.enter(requestClass, exchange.request, exchange.response) ? exchange : null
  }
  return { time, admission, enter }
}

const many = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make)
const ticks = (admission: Admission, count: number, late: number): void => void many(count, () => admission.tick(late))

describe('L5: places', () => {
  test('requests beyond the places are refused, and a place that is given back goes to the next request', () => {
    const { admission, enter } = createWorld()
    const { places } = admission.state()
    const inside = many(places, () => enter())
    expect(inside).not.toContain(null)
    expect(enter()).toBeNull()
    inside[0]?.end()
    expect([enter(), enter()]).toEqual([expect.anything(), null])
  })

  test('their number falls to 64 while the event loop is late, and rises again', () => {
    const { admission } = createWorld()
    const before = admission.state().places
    ticks(admission, 1, 400)
    // One late turn changes nothing.
    expect(admission.state().places).toBe(before)
    admission.tick(0)
    ticks(admission, 3, 80)
    expect(admission.state().places).toBeLessThan(before)
    ticks(admission, 50, 80)
    expect(admission.state().places).toBe(64)
    ticks(admission, 50, 0)
    expect(admission.state().places).toBe(before)
  })

  test('a request that waits for a disk gives its place back after a second, and the number of waiting requests is bounded', () => {
    const { time, admission, enter } = createWorld()
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

  test('a request that waits for the processor keeps its place, however long', () => {
    const { time, admission, enter } = createWorld()
    many(admission.state().places, () => enter())
    for (let second = 1; second < 10; second++) {
      time.now = second * 1_000
      admission.tick(300)
      expect(enter()).toBeNull()
    }
  })

  test('U8: slow request bodies and slow readers of answers hold no places', () => {
    const { time, admission, enter } = createWorld()
    for (let round = 0; round < 10; round++) {
      expect(many(100, () => enter({ complete: false }))).not.toContain(null)
      expect(many(100, () => enter({ answering: true }))).not.toContain(null)
      time.now += 1_000
      admission.tick(0)
    }
    expect(enter()).not.toBeNull()
  })

  test('uploads, event streams and pages are admitted while all places are taken', () => {
    const { admission, enter } = createWorld()
    many(admission.state().places, () => enter())
    expect(enter()).toBeNull()
    expect(many(1_000, () => enter({}, 'transfer'))).not.toContain(null)
    ticks(admission, 100, 200)
    expect(enter({}, 'transfer')).not.toBeNull()
  })
})
