/** Self-validation from the terminal. */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { KeptResult } from '../features/validation/kept-results.ts'
import type { ValidationProgress } from '../features/validation/validation.service.ts'
import { DATA, JSON_FLAG, note, out, row, settings } from './arguments.ts'
import type { Command } from './command.ts'
import { oneLine, progressLine } from './format.ts'
import { inStation } from './in-station.ts'

export const VALIDATION_COMMANDS: readonly (readonly [string, Command])[] = [
  [
    'validate',
    {
      usage: 'validate [--json]',
      does: 'shows on scratch files that this installation works, within three minutes, and signs the result; exit 1 when a check failed',
      run: validate,
    },
  ],
]

/** What the station answers: the result without its bytes. `file` is below the data folder. */
export type ValidationTold = Omit<KeptResult, 'text' | 'signature'> & { readonly file: string }

async function validate(argv: string[]): Promise<number> {
  const { values } = parseArgs({ args: argv, options: { ...DATA, ...JSON_FLAG } })
  const show = progressLine()
  const given = settings(values)
  const answered = (await inStation({
    settings: given,
    command: 'validate',
    args: {},
    onProgress: (value) => {
      const { check, done, total } = value as ValidationProgress
      show(`${done + 1} of ${total}: ${check}`)
    },
    mustExist: true,
  }).finally(() => show(null))) as ValidationTold
  const told = { ...answered, file: join(given.data, answered.file) }
  const { counts, checks } = told.result
  if (values.json) out(JSON.stringify(told))
  else {
    for (const { name, result, problem } of checks) row(result.padEnd(9), name.padEnd(10), problem ?? '')
    out(
      oneLine(
        `${counts.ok} checks hold, ${counts.failed} failed, ${counts.unknown} unknown, ${counts.notBuilt} not built. Signed: ${told.file}`,
      ),
    )
  }
  if (counts.failed > 0) note('A check failed: see the alarms of the station.')
  return counts.failed === 0 ? 0 : 1
}
