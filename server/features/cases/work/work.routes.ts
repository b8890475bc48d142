/** Tasks, requests for access and handovers (decisions 32). */
import * as requests from '../../../../shared/cases/access-requests.contract.ts'
import * as tasks from '../../../../shared/cases/case-tasks.contract.ts'
import * as handovers from '../../../../shared/cases/handover.contract.ts'
import { type BoundRoute, json } from '../../../http/handlers.ts'
import type { AccessRequests } from './access-requests.service.ts'
import type { Handover } from './handover.service.ts'
import type { CaseTasks } from './tasks.service.ts'

export function taskRoutes({ service }: { readonly service: CaseTasks }): BoundRoute[] {
  return [
    json(tasks.listCaseTasks, async ({ params, call }) => {
      const out = await service.list(call, params.caseId)
      call.describeRead({ id: params.caseId, name: out.row.title, detail: { returned: out.tasks.length } })
      return { Items: out.tasks, People: out.people }
    }),
    json(tasks.createCaseTask, async ({ params, body, call }) => service.add(call, params.caseId, body), {
      judge: ({ params, call }) => service.judgeAdding(call, params.caseId),
    }),
    json(tasks.updateCaseTask, async ({ params, body, call }) =>
      service.change(call, params.caseId, params.taskId, body),
    ),
    json(tasks.deleteCaseTask, async ({ params, query, call }) =>
      service.remove(call, params.caseId, params.taskId, query.concurrencyId ?? null),
    ),
    json(tasks.listOwnTasks, async ({ call }) => {
      const out = await service.own(call)
      call.describeRead({ detail: { returned: out.Items.length } })
      return out
    }),
  ]
}

export function accessRequestRoutes({ service }: { readonly service: AccessRequests }): BoundRoute[] {
  return [
    json(requests.createAccessRequest, async ({ body, call }) => service.ask(call, body)),
    json(requests.listAccessRequests, async ({ query, call }) => {
      const out = await service.list(call, query.of, query.caseId ?? null)
      call.describeRead({ detail: { ...query, returned: out.length } })
      return { Items: out }
    }),
    json(requests.decideAccessRequest, async ({ params, body, call }) => service.decide(call, params.requestId, body)),
    json(requests.withdrawAccessRequest, async ({ params, call }) => service.withdraw(call, params.requestId)),
  ]
}

export function handoverRoutes({ service }: { readonly service: Handover }): BoundRoute[] {
  return [
    json(handovers.countHandover, async ({ query, call }) => {
      const out = await service.count(call, query.from)
      call.describeRead({ detail: { from: query.from, returned: out.Cases } })
      return out
    }),
    json(handovers.handOverCases, async ({ body, call }) => service.handOver(call, body)),
  ]
}
