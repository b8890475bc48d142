/** Before the suites that look at the pages: they are built once, from what is here now. */
import { ensureRenderer } from '../../build/scripts/renderer.ts'

export async function setup(): Promise<void> {
  await ensureRenderer()
}
