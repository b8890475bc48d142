import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLong } from '../support/scale.ts'
import { temporaryFolder } from '../support/station.ts'
import { type CallSite, type Copy, callSites, copyOfProduct } from './appends.ts'

/**
 * I1: removing any one append makes a test fail. Each is taken out of a copy of the product and the suites run there: two of them in the
 * gate, each with the test that must notice; all of them in the long run.
 */
const SITES = callSites()
const named = ({ file, line, text, action }: CallSite): string => `${file}:${line} ${text}${action})`
const AUDIT = 'test/api/documents/audit.test.ts'
/** Asked in turn until one notices. */
const SUITES: readonly (readonly string[])[] = [
  [AUDIT, 'test/api/documents/audit-station.test.ts'],
  [
    'test/api/documents/resources.test.ts',
    'test/api/documents/playbacks.test.ts',
    'test/api/documents/fixity.test.ts',
    'test/api/jobs/jobs.test.ts',
    'test/api/documents/evidence-acts.test.ts',
    'test/api/blobs/encrypted.test.ts',
    'test/custody/tenant-keys.test.ts',
  ],
  [
    'test/custody/checkpoints.test.ts',
    'test/custody/ledger.test.ts',
    'test/api/users/users.test.ts',
    'test/api/users/people.test.ts',
    'test/api/users/groups.test.ts',
    'test/api/users/services.test.ts',
    'test/api/users/policies.test.ts',
    'test/api/users/guards.test.ts',
    'test/api/users/trail.test.ts',
    'test/api/tokens/assertions.test.ts',
    'test/api/blobs/lifecycle.test.ts',
  ],
  [
    'test/api/integrity/fixity.test.ts',
    'test/api/integrity/copies.test.ts',
    'test/custody/received.test.ts',
    'test/backup/restore.test.ts',
    'test/backup/tampering.test.ts',
  ],
  [
    'test/api/sessions/sessions.test.ts',
    'test/api/sessions/attempts.test.ts',
    'test/api/sessions/setup.test.ts',
    'test/api/sessions/cookie.test.ts',
    'test/api/sessions/passkeys.test.ts',
    'test/api/sessions/own-access.test.ts',
  ],
  ['test/correlation/orders.test.ts'],
  [
    'test/api/cases/cases.test.ts',
    'test/api/cases/case-acts.test.ts',
    'test/api/cases/categories.test.ts',
    'test/api/cases/departments.test.ts',
    'test/api/cases/default-department.test.ts',
    'test/api/cases/prefilled-fields.test.ts',
  ],
  [
    'test/api/devices/register.test.ts',
    'test/api/devices/devices.test.ts',
    'test/api/devices/configurations.test.ts',
    'test/api/devices/associations.test.ts',
  ],
  ['test/disposition/destruction.test.ts', 'test/api/disposition/disposition.test.ts'],
  ['test/dock/session.test.ts', 'test/dock/clear.test.ts'],
  ['test/cli/start-check.test.ts'],
  ['test/forwarding/forward.test.ts', 'test/forwarding/clearing.test.ts', 'test/forwarding/refusals.test.ts'],
]
const siteOf = (action: string): CallSite => {
  const found = SITES.find((site) => site.action === action)
  if (found === undefined) throw new Error(`nothing appends ${action} any more`)
  return found
}
const SAMPLE = [
  ['upload.renewed', 'renewUploadUri leaves exactly its entries'],
  ['derivation.failed', 'a broken file derivation.failed'],
] as const

let copy: Copy
let dispose: () => Promise<void>
beforeAll(async () => {
  const folder = await temporaryFolder('appends')
  dispose = folder.dispose
  copy = copyOfProduct(path.join(folder.dir, 'product'))
})
afterAll(async () => {
  copy.dispose()
  await dispose()
})

describe('I1 an append that is missing', () => {
  it('there are as many as there are acts, at least', () => {
    expect(SITES.length).toBeGreaterThanOrEqual(35)
    expect(SITES.every(({ file }) => !file.endsWith('.test.ts'))).toBe(true)
  })

  if (isLong) {
    it('with all of them in place every suite passes', { timeout: 1_800_000 }, async () => {
      expect((await copy.run(SUITES.flat())).failed).toEqual([])
    })
    it.each(SITES.map((site) => [named(site), site] as const))(
      '%s is noticed',
      { timeout: 600_000 },
      async (_name, site) => {
        for (const files of SUITES) if ((await copy.run(files, [site], 'bail')).failed.length > 0) return
        throw new Error(`Nobody notices when ${named(site)} writes nothing`)
      },
    )
  } else {
    it(`${SAMPLE.map(([action]) => action).join(' and ')} are noticed, each by its own test`, {
      timeout: 400_000,
    }, async () => {
      const { passed, failed } = await copy.run(
        [AUDIT],
        SAMPLE.map(([action]) => siteOf(action)),
      )
      expect(passed).toBeGreaterThan(50)
      for (const [, noticed] of SAMPLE) expect(failed).toContainEqual(expect.stringContaining(noticed))
      expect(failed).toHaveLength(SAMPLE.length)
    })
  }
})
