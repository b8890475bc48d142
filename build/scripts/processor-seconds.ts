/** What a test file costs: measured by `test/support/cost.ts`, written down by the reporter. */
import 'vitest'

/** Of all processors together: of the file's own process and of its children. */
export type ProcessorSeconds = number

declare module 'vitest' {
  interface TaskMeta {
    processorSeconds?: ProcessorSeconds
  }
}
