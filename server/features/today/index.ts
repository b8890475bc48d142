/** The start page: what one person has to do. */
import * as contract from '../../../shared/today/contract.ts'
import { json } from '../../http/handlers.ts'
import type { Feature, Kernel } from '../../kernel/kernel.ts'
import { createToday, type NeedsOfToday } from './today.service.ts'

export function todayFeature(kernel: Kernel, needs: NeedsOfToday): Feature {
  const { settings } = kernel
  const service = createToday({
    ...kernel,
    ...needs,
    isNamed: settings.stationName !== UNNAMED && settings.timeZone !== undefined,
    isPublic: settings.publicUrl !== undefined,
  })
  return {
    routes: [
      json(contract.getToday, async ({ call }) => {
        const out = await service.today(call, call.tenant)
        call.describeRead({ detail: { recordings: out.Recordings.Items.length, cases: out.Cases.Items.length } })
        return out
      }),
      json(contract.putSetupChecklist, async ({ body, call }) =>
        service.dismissChecklist(call, call.tenant, body.Dismissed),
      ),
    ],
  }
}

/** What a station is called until somebody names it. */
const UNNAMED = 'Sallyport'
