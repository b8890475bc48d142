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
  'test/desktop/closing.test.ts': { seconds: 36, reason: 'starts the program twenty times' },
  'test/desktop/package.test.ts': { seconds: 16, reason: 'packs the program' },
  'test/desktop/start.test.ts': { seconds: 14, reason: 'starts the program as a person does' },
  'test/ui/account.test.ts': { seconds: 22, reason: 'verifies passwords, and works through the page of an account' },
  'test/ui/administration-people.test.ts': { seconds: 28, reason: 'verifies passwords, and works through seven pages' },
  'test/ui/cad.test.ts': { seconds: 35, reason: 'works through the pages of dispatch' },
  'test/ui/calls.test.ts': { seconds: 17, reason: 'works through the board of calls' },
  'test/ui/cases-looks.test.ts': { seconds: 33, reason: 'looks at each case screen in every theme' },
  'test/ui/cases.test.ts': { seconds: 29, reason: 'works through the pages of cases' },
  'test/ui/correlation.test.ts': { seconds: 16, reason: 'links recordings to calls' },
  'test/ui/device-configuration.test.ts': { seconds: 12, reason: 'works through configurations' },
  'test/ui/device-page.test.ts': { seconds: 12, reason: 'works through the page of a device' },
  'test/ui/devices.test.ts': { seconds: 14, reason: 'works through the list of devices' },
  'test/ui/disposition.test.ts': { seconds: 26, reason: 'works through the queue as two people' },
  'test/ui/dock-sessions.test.ts': { seconds: 16, reason: 'docks cameras, and looks at their sessions' },
  'test/ui/dock-wall-sign-in.test.ts': { seconds: 15, reason: 'verifies passwords, codes and passkeys' },
  'test/ui/dock-wall.test.ts': { seconds: 37, reason: 'docks 26 cameras beside a page, and starts ten stations' },
  'test/ui/drafts.test.ts': { seconds: 12, reason: 'leaves and opens pages again' },
  'test/ui/empty-states.test.ts': { seconds: 20, reason: 'looks at 24 pages in every theme' },
  'test/ui/evidence-acts.test.ts': { seconds: 27, reason: 'works through the acts on evidence' },
  'test/ui/evidence-page-looks.test.ts': { seconds: 37, reason: 'looks at six kinds of file in every theme' },
  'test/ui/evidence-page-player.test.ts': { seconds: 42, reason: 'steps and plays videos frame by frame' },
  'test/ui/evidence-page.test.ts': { seconds: 40, reason: 'converts and shows files of every kind' },
  'test/ui/formats-played.test.ts': { seconds: 27, reason: 'converts and plays nine formats' },
  'test/ui/hostile-files.test.ts': { seconds: 27, reason: 'uploads and opens 18 files, each by itself too' },
  'test/ui/keeping.test.ts': { seconds: 17, reason: 'works through the page of fixity' },
  'test/ui/lan.test.ts': { seconds: 27, reason: 'starts browsers of other hosts' },
  'test/ui/main-job.test.ts': { seconds: 24, reason: 'does the main job in a browser and in the desktop program' },
  'test/ui/notices.test.ts': { seconds: 19, reason: 'works through notices as several people' },
  'test/ui/open-states.test.ts': { seconds: 20, reason: 'looks at what opens, in every theme' },
  'test/ui/own-refusals.test.ts': { seconds: 18, reason: 'opens the pages as three people' },
  'test/ui/parts.test.ts': { seconds: 30, reason: 'builds the page of parts, and scrolls 100,000 rows' },
  'test/ui/passkeys.test.ts': { seconds: 23, reason: 'verifies passwords and passkeys' },
  'test/ui/reading.test.ts': { seconds: 35, reason: 'plays a film while it is marked and written about' },
  'test/ui/screens.test.ts': { seconds: 18, reason: 'looks at every screen of the frame in every theme' },
  'test/ui/search.test.ts': { seconds: 16, reason: 'works through the search in every theme' },
  'test/ui/station-marks.test.ts': { seconds: 24, reason: 'looks at nine items on seven screens, in two languages' },
  'test/ui/uploads.test.ts': { seconds: 38, reason: 'sends files of 30 MiB five times' },
}

export const budgetOf = (path: string): Budget => BUDGETS[path] ?? USUAL

/** Files that are listed and are not there any more. */
export const unknownBudgets = (isThere: (path: string) => boolean): readonly string[] =>
  Object.keys(BUDGETS).filter((path) => !isThere(path))
