/** Who may still upload when the bytes are in (promise U7), asked by itself: elsewhere the recycle bin is refused before it is asked. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../../server/kernel/database/database.ts'
import { openTestDatabase } from '../../support/rows.ts'
import { createAccess } from '../../../server/kernel/access/access.ts'
import { uploadAuthority } from '../../../server/features/uploads/upload-authority.ts'
import type { ResourceRow } from '../../../server/kernel/evidence/records.store.ts'
import { systemClock } from '../../../server/platform/clock/clock.ts'
import { INTERNAL } from '../../../shared/kernel/principal.ts'
import { type Given, givenStation } from '../../support/given.ts'

let given: Given
let db: Database
beforeAll(async () => {
  given = await givenStation()
  db = await openTestDatabase({ file: given.file })
})
afterAll(async () => {
  await db?.close()
  await given?.close()
})

it('S19: nothing is uploaded into what lies in the recycle bin, by the station itself neither', async () => {
  const { EvidenceId } = await given.evidence({ Name: 'deleted while it came' })
  const mayUpload = uploadAuthority({ db, access: createAccess({ clock: systemClock }), isMember: async () => true })
  const call = { actor: INTERNAL, source: 'station', correlationId: '' }
  const resource = { evidence_id: Number(EvidenceId) } as ResourceRow
  expect(await mayUpload(call, resource)).toBe(true)
  await db.transaction((tx) =>
    tx
      .updateTable('evidence')
      .set({ lifecycle_state: 'Deleted' })
      .where('evidence_id', '=', resource.evidence_id)
      .execute(),
  )
  expect(await mayUpload(call, resource)).toBe(false)
})
