import type { Context, StepResult } from '../session/context.ts'
import { totalsOf } from '../session/sessions.store.ts'

/** Requires space for all bytes that are left before the first of them is copied. */
export async function admit(context: Context): Promise<StepResult> {
  const { bytesLeft } = await totalsOf(context.parts.db.read, context.id)
  await context.parts.requireBytes(bytesLeft)
  return { event: 'done' }
}
