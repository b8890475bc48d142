import { expect, test } from 'vitest'
import { FAULTS, fault } from '../../shared/kernel/errors.ts'
import { LedgerBusy } from '../kernel/ledger/group-commit.ts'
import { SqlFailure } from '../kernel/database/sqlite/sql-connection.ts'
import { UnknownOutcome } from '../kernel/database/database.ts'
import { faultAnswer, faultOf } from './errors.ts'

test.each([
  [new UnknownOutcome('disk'), 'ReadOnly'],
  [new SqlFailure('full', 'SQLITE_FULL'), 'StorageFull'],
  [new SqlFailure('syntax', 'SQLITE_ERROR'), 'ServerError'],
  [new SqlFailure('could not extend file', '53100'), 'StorageFull'],
  [new SqlFailure('too many clients already', '53300'), 'NotReady'],
  [new SqlFailure('invalid byte sequence: 0x00', '22021'), 'InvalidModel'],
  [new SqlFailure('\\u0000 cannot be converted to text', '22P05'), 'InvalidModel'],
  [new SqlFailure('syntax', '42601'), 'ServerError'],
  [new LedgerBusy('busy'), 'NotReady'],
  ['text', 'ServerError'],
])('%s becomes %s', (error, code) => expect(faultOf(error).code).toBe(code))

test('D4, L5: faults that allow another attempt have a Retry-After', () => {
  for (const error of [
    new UnknownOutcome('x'),
    new SqlFailure('x', 'SQLITE_FULL'),
    new SqlFailure('x', '53100'),
    new SqlFailure('x', '53300'),
    new LedgerBusy('x'),
  ]) {
    const fault = faultOf(error)
    const reply = faultAnswer(fault, { interface: 'document', correlationId: 'c', routed: true, credentials: false })
    expect([FAULTS[fault.code], reply.status, Number(reply.headers['Retry-After']) > 0]).toEqual([503, 503, true])
  }
})

test('failures of parts that the frame does not know go through the given translation', () => {
  const translate = (error: unknown) => (error === 'store' ? fault('StorageFull', 'Full.') : null)
  expect([faultOf('store', translate).code, faultOf('other', translate).code]).toEqual(['StorageFull', 'ServerError'])
})
