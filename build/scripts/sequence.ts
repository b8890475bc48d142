/** The order of the suites: what is known to take long begins first, so that no core waits at the end for one file that began late. */
import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The longest first. A machine that ran them before knows how long each of the others takes; a fresh checkout knows only how long their
 * text is, and that says little: S14 is short and waits for scanners.
 */
const LONG: readonly string[] = [
  'test/database/same-answers.test.ts',
  'test/api/documents/audit.test.ts',
  'test/packages/export.test.ts',
  'test/store/s3-faults.test.ts',
  'test/crash/d2-power-cut.test.ts',
  'test/crash/d1-process-death.test.ts',
  'test/crash/d3-io-failures.test.ts',
  'test/crash/d6-full-disk.test.ts',
  'test/crash/d4-unknown-outcome.test.ts',
  'test/lan/s14-tls.test.ts',
  'test/repository/appends.test.ts',
  'test/crash/u2-interruptions.test.ts',
  'test/cli/accept-killed.test.ts',
  'test/pipeline/hostile.test.ts',
  'test/desktop/closing.test.ts',
  'test/ui/sample.test.ts',
  'test/api/share-links/share-links.test.ts',
  'test/packages/verify.test.ts',
  'test/api/permissions/permissions.test.ts',
  'test/dock/sync-folder.test.ts',
  'test/pipeline/formats.test.ts',
  'test/lan/three-hosts.test.ts',
  'test/docs/shell-blocks.test.ts',
  'test/disposition/approvers.test.ts',
  'test/repository/permission-mutants.test.ts',
  'test/api/fuzz/fuzz.test.ts',
  'test/desktop/package.test.ts',
  'test/cli/start-check.test.ts',
  'test/cli/people.test.ts',
  'test/conformance/conformance.test.ts',
  'test/dock/rehash.test.ts',
  'test/api/station/station.test.ts',
  'test/dock/recorded-times.test.ts',
]

const rank = (spec: TestSpecification): number => {
  const at = LONG.indexOf(relative(process.cwd(), spec.moduleId))
  return at === -1 ? LONG.length : at
}

/** Groups stay apart (`sequence.groupOrder`); within one, the projects mix. */
const group = (spec: TestSpecification): number => spec.project.config.sequence.groupOrder

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    for (const file of LONG) if (!existsSync(file)) throw new Error(`${file} is sorted first and is not there any more`)
    const usual = await super.sort(files)
    return usual.toSorted((a, b) => group(a) - group(b) || rank(a) - rank(b))
  }
}
