/** Calls beside the footage that was recorded of them. */
import * as contract from '../../../shared/calls-board/contract.ts'
import { checked, queryMembers } from '../../http/checked-answer.ts'
import { bytes, json } from '../../http/handlers.ts'
import type { Feature, Kernel } from '../../kernel/kernel.ts'
import { LINE_COLUMNS } from './calls-board.models.ts'
import { type CallsBoard, createCallsBoard } from './calls-board.service.ts'
import { calendarIn, type ShiftOf } from './shifts.ts'

type BoardDeps = Parameters<typeof createCallsBoard>[0]

interface Needs {
  readonly reachCase: BoardDeps['reachCase']
  readonly explainCase: BoardDeps['explainCase']
}

export function callsBoardFeature(
  kernel: Kernel,
  needs: Needs,
): Feature & {
  readonly shiftAt: (tenant: string, millis: number) => Promise<ShiftOf>
  /** Calls and officers day by day, of what the caller can view. */
  readonly callLines: CallsBoard['lines']
} {
  const { timeZone, exporting } = kernel
  const service = createCallsBoard({ ...kernel, ...needs, calendar: calendarIn(timeZone) })
  const routes = [
    json(contract.getBoard, async ({ query, call }) => {
      const out = await service.board(call, call.tenant, query, query)
      call.describeRead({ detail: { date: out.Date, shift: out.Shift, returned: out.Rows.length } })
      return out
    }),
    json(contract.getBoardWeeks, async ({ query, call }) => {
      const Items = await service.weeks(call, call.tenant, query, query)
      call.describeRead({ detail: { weeks: Items.length } })
      return { Items }
    }),
    bytes(contract.exportBoard, async (request, call) => {
      const { format, ...asked } = checked(contract.exportBoard.query, queryMembers(request.url))
      return exporting(request, call, format, {
        name: 'calls and footage',
        columns: LINE_COLUMNS,
        pages: service.lines(call, call.tenant, asked, asked),
        object: { type: 'callsBoard', id: '', name: '' },
        detail: asked,
      })
    }),
    json(contract.getBoardShifts, async ({ call }) => {
      const out = await service.shifts(call.tenant)
      call.describeRead({ detail: { returned: out.Shifts.length } })
      return out
    }),
    json(contract.putBoardShifts, async ({ body, call }) => service.setShifts(call, call.tenant, body)),
    json(contract.getCallReason, async ({ params, call }) => {
      const out = await service.reason(call, call.tenant, params.caseId, params.principalId)
      call.describeRead({ detail: { principalId: params.principalId, state: out.State } })
      return out
    }),
  ]
  return { routes, shiftAt: service.shiftAt, callLines: service.lines }
}
