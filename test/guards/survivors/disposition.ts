import type { Survivor } from '../survivor.ts'

export const DISPOSITION: readonly Survivor[] = [
  {
    file: 'server/features/retention/disposition/disposition.ts',
    text: 'one === undefined',
    kind: 'equivalent',
    why: 'The files of an item refer to rows of evidence, which are never deleted; without the row its judgement cannot be read either, and the transaction ends the same way.',
  },
  {
    file: 'server/features/retention/disposition/quarantine.ts',
    text: 'row === undefined',
    kind: 'equivalent',
    why: 'The row goes only after its item has ended as destroyed; without it what keeps it cannot be asked either, and the transaction ends the same way.',
  },
  {
    file: 'server/features/retention/retention.routes.ts',
    text: 'String(row.certificate_id) !== certificateId',
    kind: 'equivalent',
    why: 'The contract gives an id in one spelling; it is rounded from 2⁵³ on, and no row has such a number.',
  },
  {
    file: 'server/features/retention/sources.service.ts',
    text: 'String(row.source_policy_id) !== id',
    kind: 'equivalent',
    why: 'The contract gives an id in one spelling; it is rounded from 2⁵³ on, and no row has such a number.',
  },
]
