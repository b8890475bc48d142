/**
 * What a test file may cost, in seconds of all processors together: the time that it takes depends on its neighbours, this hardly does.
 * `npm test` names the files that cost more. It does not fail for them: a machine without memory to spare makes everything dearer.
 */
export interface Budget {
  readonly seconds: number
  /** Why it needs more than others. */
  readonly reason: string
}

/** Of a file that is not listed: one or two stations, and some hundred requests. */
const USUAL: Budget = { seconds: 10, reason: 'usual' }

const BUDGETS: Readonly<Record<string, Budget>> = {
  'test/api/documents/audit.test.ts': { seconds: 35, reason: 'calls each route three times' },
  'test/api/documents/custody.test.ts': { seconds: 15, reason: 'starts a station or two for each way of tampering' },
  'test/api/fuzz/fuzz.test.ts': { seconds: 30, reason: 'sends drawn requests to every route' },
  'test/api/permissions/permissions.test.ts': { seconds: 35, reason: 'makes 5,000 calls in drawn worlds' },
  'test/api/permissions/parsed-ids.test.ts': {
    seconds: 20,
    reason: 'asks every operation by every way of writing an id',
  },
  'test/api/permissions/unseen.test.ts': { seconds: 25, reason: 'makes 2,000 drawn calls' },
  'test/api/sessions/lock-out.test.ts': { seconds: 20, reason: 'verifies passwords until accounts lock' },
  'test/backup/forged.test.ts': { seconds: 28, reason: 'restores from each way of forging a backup' },
  'test/backup/restore.test.ts': { seconds: 15, reason: 'restores a station again and again' },
  'test/cli/people.test.ts': { seconds: 40, reason: 'each command is a process that opens a station' },
  'test/conformance/conformance.test.ts': {
    seconds: 30,
    reason: 'drives every operation of the specification three times',
  },
  'test/dock/hostile-volumes.test.ts': { seconds: 16, reason: 'lists 100,000 files, and pulls cards of four kinds' },
  'test/dock/recorded-times.test.ts': {
    seconds: 25,
    reason: 'docks forty cameras and looks at every place that shows a time',
  },
  'test/house/permission-mutants.test.ts': { seconds: 25, reason: 'runs a suite for each check that it takes out' },
  'test/lan/s14-tls.test.ts': { seconds: 25, reason: 'waits for two scanners of TLS' },
}

export const budgetOf = (path: string): Budget => BUDGETS[path] ?? USUAL

/** Files that are listed and are not there any more. */
export const unknownBudgets = (isThere: (path: string) => boolean): readonly string[] =>
  Object.keys(BUDGETS).filter((path) => !isThere(path))
