/** CAD push: what dispatch systems send, and what becomes of it. */
import type { Feature, Kernel } from '../../kernel/kernel.ts'
import { type ApiKeys, createApiKeys } from './api-keys.ts'
import { createCadQuestions } from './cad.questions.ts'
import { cadRoutes } from './cad.routes.ts'
import { dispatchRoutes } from './case-dispatch.routes.ts'
import type { ReachCase } from '../../kernel/cases/reach-case.ts'
import { createCadPush } from './cad.service.ts'
import { createCadWatch } from './cad.watch.ts'

type PushDeps = Parameters<typeof createCadPush>[0]

interface Needs {
  readonly writeCase: PushDeps['writeCase']
  readonly parseJson: PushDeps['parseJson']
  readonly reachCase: ReachCase
  /** Where the station answers. */
  readonly origins: () => readonly string[]
}

export function dispatchFeature(kernel: Kernel, needs: Needs): Feature & { readonly apiKeys: ApiKeys } {
  const { db, mode } = kernel
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
    tasks: [{ name: 'when API keys were used', everyMs: 2_000, run: apiKeys.noteUse }],
    // Messages that an end left unread.
    catchUp: async () => {
      if (mode.mayWrite()) await push.catchUp()
    },
  }
}
