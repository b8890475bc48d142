/** Programs that a test started on another host: what they say, and waiting for what must come. */
import type { ChildProcess } from 'node:child_process'
import { patience } from '../support/scale.ts'

const said = new WeakMap<ChildProcess, { text: string }>()

/** Remembers all that it says, from its first word on. */
export function hears(child: ChildProcess): ChildProcess {
  const heard = { text: '' }
  said.set(child, heard)
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (part: Buffer) => {
      heard.text += part.toString('utf8')
    })
  return child
}

export const spoken = (child: ChildProcess): string => said.get(child)?.text ?? ''

export async function until(good: () => Promise<boolean>): Promise<void> {
  const last = performance.now() + patience(90_000)
  while (!(await good())) {
    if (performance.now() > last) throw new Error('it never came')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
