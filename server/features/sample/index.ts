/** Sample data of a new station: added and removed by jobs, in the name of the administrator who asked (decisions 33). */
import * as contract from '../../../shared/sample/contract.ts'
import { json } from '../../http/handlers.ts'
import { joinHandlers } from '../../kernel/jobs/queue.ts'
import type { Feature, Kernel } from '../../kernel/kernel.ts'
import { addSample } from './add.ts'
import { removeSample } from './remove.ts'
import { ADD_JOB, type NeedsOfSample, REMOVE_JOB } from './sample-job.ts'
import { createSampleService } from './sample.service.ts'

export function sampleFeature(kernel: Kernel, needs: NeedsOfSample): Feature {
  const { mode } = kernel
  const deps = { ...kernel, ...needs, requireBytes: mode.requireBytes, requireWrites: mode.requireWrites }
  const service = createSampleService(deps)
  return {
    handlers: joinHandlers(
      ADD_JOB.handledBy((job) => addSample(deps, job)),
      REMOVE_JOB.handledBy((job) => removeSample(deps, job)),
    ),
    routes: [
      json(contract.getSampleData, () => service.state()),
      json(contract.addSampleData, ({ body, call }) => service.add(call, body.Language)),
      json(contract.stopSampleData, ({ call }) => service.stop(call)),
      json(contract.removeSampleData, ({ call }) => service.remove(call)),
    ],
  }
}
