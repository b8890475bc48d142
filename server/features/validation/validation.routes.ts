import type { z } from 'zod'
import * as contract from '../../../shared/validation/contract.ts'
import { answer, type BoundRoute, json } from '../../http/handlers.ts'
import { isoMillis } from '../../platform/clock/clock.ts'
import { type KeptResult, MOST_KEPT } from './kept-results.ts'
import type { Validation } from './validation.service.ts'

type StateOut = z.input<typeof contract.ValidationStateModel>
type KeptOut = z.input<typeof contract.KeptValidationModel>

export function validationRoutes(validation: Validation): BoundRoute[] {
  const state = () => stateOf(validation)
  return [
    json(contract.getValidation, state),
    json(contract.listValidations, async () => ({ Items: (await validation.kept(MOST_KEPT)).map(keptModel) })),
    json(contract.startValidation, async ({ call }) => {
      await validation.begin(call)
      return answer(202, await state())
    }),
    json(contract.stopValidation, async ({ call }) => {
      await validation.cancel(call)
      return state()
    }),
    json(contract.scheduleValidation, async ({ body, call }) => {
      await validation.schedule(call, body.Weekly)
      return state()
    }),
  ]
}

async function stateOf(validation: Validation): Promise<StateOut> {
  const [newest] = await validation.kept(1)
  const running = validation.running()
  const next = await validation.nextAt()
  return {
    Running:
      running === null
        ? null
        : {
            StartedTimeUtc: running.startedUtc,
            By: running.by,
            Check: running.check,
            Done: running.done,
            Total: running.total,
          },
    Newest: newest === undefined ? null : validationModel(newest),
    Weekly: await validation.isWeekly(),
    NextTimeUtc: next === null ? null : isoMillis(next),
    Problem: validation.lastProblem(),
  }
}

function keptModel({ name, result, sha256, holds }: KeptResult): KeptOut {
  const { ok, failed, unknown, notBuilt } = result.counts
  return {
    Name: name,
    StartedTimeUtc: result.startedUtc,
    EndedTimeUtc: result.endedUtc,
    By: result.askedBy.name,
    Counts: { Ok: ok, Failed: failed, Unknown: unknown, NotBuilt: notBuilt },
    Sha256: sha256,
    Signature: holds ? 'holds' : 'broken',
  }
}

const validationModel = (kept: KeptResult): z.input<typeof contract.ValidationModel> => ({
  ...keptModel(kept),
  Program: kept.result.program,
  Host: kept.result.machine.host,
  Fingerprint: kept.result.keys.package,
  Checks: kept.result.checks.map((check) => ({
    Name: check.name,
    Result: check.result,
    Done: check.done,
    Problem: check.problem,
    Figures: check.figures,
    Milliseconds: check.milliseconds,
  })),
})
