import { describe, expect, it } from 'vitest'
import { type Approver, whyNotApprove } from './approval.ts'

const HOUR = 3_600_000
const NOW = 1_000 * HOUR
const TIME = { now: NOW, coolingMs: 72 * HOUR, clockIsSteady: true }
const who = (id: string, ...controllers: string[]): Approver => ({
  kind: 'user',
  id,
  controllers: new Set(controllers),
  inPolicySince: 0,
})
const asked = (caller: Approver, approvals: Approver[] = [], requester: Approver | null = null, time = TIME) =>
  whyNotApprove({ waiting: true, requester, approvals }, caller, time)

describe('I10: who may approve', () => {
  it('two people, and no one person in both', () => {
    expect(asked(who('1'))).toBeNull()
    expect(asked(who('1'), [who('2')])).toBeNull()
    expect(asked(who('1', '9'), [who('2', '9')])).toBe('MadeByApprover')
    expect(asked(who('1'), [], who('1'))).toBe('Requested')
    expect(asked(who('1', '5', '7'), [], who('7'))).toBe('MadeByRequester')
    expect(asked(who('7'), [], who('1', '7'))).toBe('MadeByRequester')
    expect(asked(who('1', '9'), [], who('2', '9'))).toBe('MadeByRequester')
    expect(asked(who('1'), [who('1')])).toBe('ApprovedAlready')
    expect(asked(who('1', '2'), [who('2')])).toBe('MadeByApprover')
    expect(asked(who('1'), [who('2', '1')])).toBe('MadeByApprover')
    expect(asked({ ...who('1'), kind: 'service' })).toBe('NotAPerson')
    expect(whyNotApprove({ waiting: false, requester: null, approvals: [] }, who('1'), TIME)).toBe('NotWaiting')
  })

  it('an account that the command line controls approves nothing', () => {
    expect(asked(who('1', 'cli'))).toBe('ControlledFromCommandLine')
    expect(asked(who('1', 'cli'), [who('2', 'cli')])).toBe('MadeByApprover')
  })

  it('has been in the policy for as long as the cooling-off lasts, by a clock that was not changed', () => {
    expect(asked({ ...who('1'), inPolicySince: null })).toBe('NewInPolicy')
    expect(asked({ ...who('1'), inPolicySince: NOW - 72 * HOUR + 1 })).toBe('NewInPolicy')
    expect(asked({ ...who('1'), inPolicySince: NOW + HOUR })).toBe('NewInPolicy')
    expect(asked({ ...who('1'), inPolicySince: NOW - 72 * HOUR })).toBeNull()
    expect(asked(who('1'), [], null, { ...TIME, clockIsSteady: false })).toBe('ClockJumped')
  })
})
