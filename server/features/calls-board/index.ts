/** Calls beside the footage that was recorded of them. */
import * as contract from '../../../shared/calls-board/contract.ts'
import { checked, queryMembers } from '../../http/checked-answer.ts'
import { bytes, json } from '../../http/handlers.ts'
import type { Feature, Kernel } from '../../kernel/kernel.ts'
import { LINE_COLUMNS } from './calls-board.models.ts'
import { createCallsBoard } from './calls-board.service.ts'
import { calendarIn } from './shifts.ts'

interface Needs {
  readonly core: Parameters<typeof createCallsBoard>[0]['core']
}

export function callsBoardFeature(kernel: Kernel, { core }: Needs): Feature {
  const { timeZone, exporting, tenant } = kernel
  const service = createCallsBoard({ ...kernel, core, calendar: calendarIn(timeZone) })
  const routes = [
    json(contract.getBoard, async ({ params, query, call }) => {
      const out = await service.board(call, tenant(params.tenantId), query, query)
      call.seen({ detail: { date: out.Date, shift: out.Shift, returned: out.Rows.length } })
      return out
    }),
    json(contract.getBoardWeeks, async ({ params, query, call }) => {
      const Items = await service.weeks(call, tenant(params.tenantId), query, query)
      call.seen({ detail: { weeks: Items.length } })
      return { Items }
    }),
    bytes(contract.exportBoard, async (request, call) => {
      const { tenantId } = checked(contract.exportBoard.params, request.params)
      const { format, ...asked } = checked(contract.exportBoard.query, queryMembers(request.url))
      return exporting(request, call, format, {
        name: 'calls and footage',
        columns: LINE_COLUMNS,
        pages: service.lines(call, tenant(tenantId), asked, asked),
        object: { type: 'callsBoard', id: '', name: '' },
        detail: asked,
      })
    }),
    json(contract.getBoardShifts, async ({ params, call }) => {
      const out = await service.shifts(tenant(params.tenantId))
      call.seen({ detail: { returned: out.Shifts.length } })
      return out
    }),
    json(contract.putBoardShifts, async ({ params, body, call }) =>
      service.setShifts(call, tenant(params.tenantId), body),
    ),
    json(contract.getCallReason, async ({ params, call }) => {
      const out = await service.reason(call, tenant(params.tenantId), params.caseId, params.principalId)
      call.seen({ detail: { principalId: params.principalId, state: out.State } })
      return out
    }),
  ]
  return { routes }
}
