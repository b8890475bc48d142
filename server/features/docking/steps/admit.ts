import type { Context, StepResult } from '../session/context.ts'
import { totalsOf } from '../session/sessions.store.ts'

/** The bytes that are left must have room before the first of them is copied. */
export async function admit(context: Context): Promise<StepResult> {
  const { bytesLeft } = await totalsOf(context.parts.db.read, context.id)
  await context.parts.requireBytes(bytesLeft)
  return { event: 'done' }
}
