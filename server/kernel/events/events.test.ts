import { expect, it } from 'vitest'
import { INTERNAL } from '../../../shared/kernel/principal.ts'
import type { Tx } from '../database/database.ts'
import { type EventHandlers, publishTo } from './events.ts'

const call = { actor: INTERNAL, source: 'station', correlationId: 'test' }
const tx = {} as Tx
const entry = { action: 'user.locked', object: { type: 'user', id: '7', name: 'a' }, detail: { until: null } } as const

it('an event reaches those who subscribed to its action, one after the other, with its transaction', async () => {
  const told: unknown[] = []
  const subscriber = (name: string): { readonly on: EventHandlers } => ({
    on: {
      'user.locked': async (in_, _call, { object, detail }) => {
        await Promise.resolve()
        told.push([name, in_ === tx, object.id, detail.until])
      },
      'user.contained': async () => void told.push('another event'),
    },
  })
  const subscribers = [subscriber('first'), {}]
  const publish = publishTo(subscribers)
  // Features are listed after the ledger was opened.
  subscribers.push(subscriber('second'))
  await publish(tx, call, entry)
  expect(told).toEqual([
    ['first', true, '7', null],
    ['second', true, '7', null],
  ])
})

it('what a subscriber throws comes back to the one who makes the change', () =>
  expect(
    publishTo([{ on: { 'user.locked': () => Promise.reject(new Error('no room')) } }])(tx, call, entry),
  ).rejects.toThrow('no room'))
