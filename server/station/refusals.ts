import { actionOf } from '../custody/actions.ts'
import type { Call } from '../custody/call.ts'
import type { Ledger } from '../custody/ledger.ts'
import type { HttpLedger } from '../http/ports.ts'

/** Forged and expired upload addresses, and writes to what is complete: counted, since nobody in particular sends them. */
export function uploadRefused(ledger: Ledger) {
  return async (call: Call, refused: { container: string; blob: string; reason: string }): Promise<void> => {
    ledger.tally(call, {
      action: 'upload.refused',
      object: { type: 'resource', id: refused.blob.slice(0, 64), name: '' },
      outcome: 'denied',
      reason: refused.reason,
    })
  }
}

/** The ledger as the frame sees it: routes name their actions as text, and one that the ledger does not know is a fault of ours. */
export function httpLedger(ledger: Ledger): HttpLedger {
  return {
    record: (call, entry) => ledger.record(call, { ...entry, action: actionOf(entry.action) }),
    tally: (call, entry) => ledger.tally(call, { ...entry, action: actionOf(entry.action) }),
  }
}
