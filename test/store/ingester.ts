/** A store in a process of its own, for tests that watch or fail its system calls: node ingester.ts <root> <file>… One line of JSON for each. */
import { openBlobStore } from '../../server/storage/folder/store.ts'
import type { StorageFault } from '../../server/storage/store.ts'

const [root = '', ...files] = process.argv.slice(2)
const store = await openBlobStore({
  root,
  now: Date.now,
  onUnknownOutcome: (fault) => process.stdout.write(`${JSON.stringify({ unknown: fault.errno })}\n`),
})
for (const file of files) {
  try {
    const placed = await store.place(await store.copyIn(file))
    process.stdout.write(`${JSON.stringify({ placed: placed.sha256 })}\n`)
    await store.confirm(placed)
  } catch (error) {
    process.stdout.write(`${JSON.stringify({ failed: (error as StorageFault).code })}\n`)
  }
}
await store.close()
