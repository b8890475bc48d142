/** CAD push: what dispatch systems send, and what becomes of it. */
import type { Feature, Kernel } from '../../kernel/kernel.ts'
import { type ApiKeys, createApiKeys } from './api-keys.ts'
import { createCadQuestions } from './cad.questions.ts'
import { cadRoutes } from './cad.routes.ts'
import { dispatchRoutes } from './case-dispatch.routes.ts'
import type { ReachCase } from '../../kernel/cases/reach-case.ts'
import { createCadPush } from './cad.service.ts'
import { createCadWatch } from './cad.watch.ts'

/** A node that lives reads a delivery within seconds. */
const LEFT_MS = 120_000

type PushDeps = Parameters<typeof createCadPush>[0]

interface Needs {
  readonly writeCase: PushDeps['writeCase']
  readonly parseJson: PushDeps['parseJson']
  readonly reachCase: ReachCase
  /** Where the station answers. */
  readonly origins: () => readonly string[]
}

export function dispatchFeature(kernel: Kernel, needs: Needs): Feature & { readonly apiKeys: ApiKeys } {
  const { db, mode, taskLease } = kernel
  const catchUp = async (olderThanMs: number): Promise<void> => {
    if (mode.mayWrite()) await push.catchUp(olderThanMs)
  }
  const push = createCadPush({ ...kernel, writeCase: needs.writeCase, parseJson: needs.parseJson })
  const questions = createCadQuestions({
    ...kernel,
    push,
    parseJson: needs.parseJson,
  })
  const apiKeys = createApiKeys({ ...kernel, mayWrite: mode.mayWrite })
  return {
    apiKeys,
    routes: [
      ...cadRoutes({ push, questions, watch: createCadWatch({ ...kernel, push, origins: needs.origins }) }),
      ...dispatchRoutes({ db, reachCase: needs.reachCase }),
    ],
    tasks: [
      { name: 'when API keys were used', runsOn: 'every node', everyMs: 2_000, run: apiKeys.noteUse },
      ...(taskLease === null
        ? []
        : [
            {
              name: 'unread messages of dispatch',
              runsOn: 'one node',
              everyMs: 30_000,
              run: () => catchUp(LEFT_MS),
            } as const,
          ]),
    ],
    // Messages that an end left unread. Of several nodes another one may be reading them.
    catchUp: async () => {
      if (taskLease === null) await catchUp(0)
    },
  }
}
