import { expect, test } from 'vitest'
import type { Call } from './call.ts'
import { prepareEntry } from './format.ts'

const CALL = {
  actor: { kind: 'user', id: '7', name: 'a\0\ud800' },
  source: '192.0.2.1',
  correlationId: 'c',
} as unknown as Call

test('an entry has no NUL, which would hide it on PostgreSQL, and no half of a pair; what only looks like NUL stays', () => {
  const entry = prepareEntry(CALL, {
    action: 'access.denied',
    object: { type: 'operation', id: 'x\0', name: '\\u0000' },
    reason: '\\\0\\\\u0000',
    detail: { operation: 'getEvidence', tenantName: 'a\0b', 'na\0me': '' },
  } as never)
  expect(entry.actor.name).toBe('a\ufffd\ufffd')
  expect(entry.object).toEqual({ type: 'operation', id: 'x\ufffd', name: '\\u0000' })
  expect(entry.reason).toBe('\\\ufffd\\\\u0000')
  expect(entry.detail).toEqual({ operation: 'getEvidence', tenantName: 'a\ufffdb', 'na\ufffdme': '' })
})
