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
  'test/api/blobs/lifecycle.test.ts': { seconds: 14, reason: 'runs into the ends of uploads by clocks of its own' },
  'test/api/disclosure/histories.test.ts': { seconds: 24, reason: '20 drawn histories, half of them with a package' },
  'test/api/disclosure/restrictions.test.ts': {
    seconds: 16,
    reason: 'makes a package for each way of being held back',
  },
  'test/api/documents/audit.test.ts': { seconds: 32, reason: 'calls each route three times' },
  'test/api/documents/custody.test.ts': { seconds: 15, reason: 'starts a station or two for each way of tampering' },
  'test/api/fuzz/fuzz.test.ts': { seconds: 28, reason: 'sends drawn requests to every route' },
  'test/api/load/load.test.ts': { seconds: 50, reason: 'sends the worst requests of every sixth route' },
  'test/api/permissions/permissions.test.ts': { seconds: 30, reason: 'makes 5,000 calls in drawn worlds' },
  'test/api/permissions/parsed-ids.test.ts': {
    seconds: 16,
    reason: 'asks every operation by every way of writing an id',
  },
  'test/api/permissions/unseen.test.ts': { seconds: 20, reason: 'makes 1,000 drawn calls' },
  'test/api/sample/sample.test.ts': {
    seconds: 30,
    reason: 'has ffmpeg make the sample data and all that is derived from it',
  },
  'test/api/sessions/lock-out.test.ts': { seconds: 20, reason: 'verifies passwords until accounts lock' },
  'test/backup/forged.test.ts': { seconds: 20, reason: 'restores from each way of forging a backup' },
  'test/backup/restore.test.ts': { seconds: 15, reason: 'restores a station again and again' },
  'test/cli/accept-killed.test.ts': {
    seconds: 45,
    reason: 'kills an acceptance at every twelfth sync, of each way of tampering',
  },
  'test/cli/backup.test.ts': { seconds: 20, reason: 'each command is a process, and restores open stations' },
  'test/cli/ingest.test.ts': { seconds: 16, reason: 'each command is a process that opens a station' },
  'test/cli/people.test.ts': { seconds: 20, reason: 'each command is a process that opens a station' },
  'test/cli/start-check.test.ts': { seconds: 35, reason: 'opens a station five times for each way of tampering' },
  'test/cli/start-failures.test.ts': { seconds: 16, reason: 'each start is a process' },
  'test/cli/verify.test.ts': { seconds: 15, reason: 'each command is a process that opens a station' },
  'test/conformance/conformance.test.ts': {
    seconds: 26,
    reason: 'drives every operation of the specification three times',
  },
  'test/crash/d1-process-death.test.ts': { seconds: 60, reason: '20 kills, a start and a judgement after each' },
  'test/crash/d2-power-cut.test.ts': { seconds: 75, reason: '6 cuts, and 2 for each of four mutants' },
  'test/crash/d3-io-failures.test.ts': { seconds: 45, reason: 'two starts for each kind of failure' },
  'test/crash/d4-unknown-outcome.test.ts': { seconds: 24, reason: '20 failed commits, a start after each' },
  'test/crash/d6-full-disk.test.ts': { seconds: 45, reason: 'fills a disk five times, three starts each' },
  'test/crash/l5-overload.test.ts': { seconds: 50, reason: 'keeps both processors busy for a while' },
  'test/crash/u2-interruptions.test.ts': { seconds: 24, reason: '20 uploads that are cut again and again' },
  'test/crash/u8-slow-clients.test.ts': { seconds: 40, reason: 'keeps a processor busy for a while' },
  'test/custody/blobs.test.ts': { seconds: 16, reason: 'opens a station for each way in which a blob may be wrong' },
  'test/scale/two-nodes.test.ts': { seconds: 30, reason: 'two stations, a database server and an object store' },
  'test/database/same-answers.test.ts': { seconds: 35, reason: 'sends 2,000 drawn calls to two stations' },
  'test/disposition/approvers.test.ts': { seconds: 24, reason: '500 drawn organizations' },
  'test/packages/papers.test.ts': {
    seconds: 16,
    reason: 'makes a package for each way in which a draft may be refused',
  },
  'test/packages/verify.test.ts': {
    seconds: 24,
    reason: 'runs a shell over a package for each way in which it may be altered',
  },
  'test/dock/hostile-volumes.test.ts': { seconds: 16, reason: 'lists 100,000 files, and pulls cards of four kinds' },
  'test/dock/killed.test.ts': { seconds: 16, reason: '20 kills while cameras dock' },
  'test/dock/power-cut.test.ts': { seconds: 20, reason: 'cuts the power while cameras dock' },
  'test/dock/recorded-times.test.ts': {
    seconds: 22,
    reason: 'docks forty cameras and looks at every place that shows a time',
  },
  'test/dock/sync-folder.test.ts': { seconds: 14, reason: 'waits for folders that are watched' },
  'test/dock/sync-killed.test.ts': { seconds: 14, reason: 'kills stations that take in a folder' },
  'test/docs/shell-blocks.test.ts': { seconds: 22, reason: 'runs the README in processes of the sources' },
  'test/repository/appends.test.ts': { seconds: 32, reason: 'runs suites for each append that it takes out' },
  'test/repository/permission-mutants.test.ts': {
    seconds: 25,
    reason: 'runs a suite for each check that it takes out',
  },
  'test/lan/s14-tls.test.ts': { seconds: 22, reason: 'two scanners of TLS' },
  'test/lan/s15-no-route.test.ts': { seconds: 14, reason: 'every command and screen of a station without a route' },
  'test/pipeline/formats.test.ts': { seconds: 32, reason: 'converts thirty formats, some by encoding them anew' },
  'test/pipeline/hostile.test.ts': { seconds: 34, reason: 'has every tool traced on more than 120 files' },
  'test/pipeline/still.test.ts': { seconds: 26, reason: 'takes stills of twenty films frame by frame' },
  'test/desktop/closing.test.ts': { seconds: 36, reason: 'starts the program twenty times' },
  'test/desktop/package.test.ts': { seconds: 16, reason: 'packs the program' },
  'test/desktop/start.test.ts': { seconds: 14, reason: 'starts the program as a person does' },
  'test/store/s3-faults.test.ts': { seconds: 60, reason: '200 operations of an object store, with ten kills' },
  'test/store/s3-station.test.ts': { seconds: 35, reason: 'starts an S3 server, and four stations over it' },
  'test/store/s3.test.ts': { seconds: 40, reason: 'starts an S3 server; each case is some requests of it' },
  'test/ui/sample.test.ts': { seconds: 40, reason: 'has ffmpeg make the sample data and all that is derived from it' },
  'test/ui/page-scripts.test.ts': { seconds: 24, reason: 'loads a dozen pages anew' },
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
  'test/validation/validate.test.ts': {
    seconds: 45,
    reason: 'validates stations, with databases and media programs of their own',
  },
  'test/validation/service.test.ts': { seconds: 14, reason: 'opens a ledger for each way in which a run ends' },
  'test/ui/validation.test.ts': { seconds: 25, reason: 'validates a station twice in a browser' },
  'test/ui/evidence-page-looks.test.ts': { seconds: 37, reason: 'looks at six kinds of file in every theme' },
  'test/ui/evidence-page-player.test.ts': { seconds: 42, reason: 'steps and plays videos frame by frame' },
  'test/ui/evidence-page.test.ts': { seconds: 40, reason: 'converts and shows files of every kind' },
  'test/ui/formats-played.test.ts': { seconds: 27, reason: 'converts and plays nine formats' },
  'test/ui/hostile-files.test.ts': { seconds: 27, reason: 'uploads and opens 18 files, each by itself too' },
  'test/ui/integrity.test.ts': { seconds: 17, reason: 'works through the page of fixity' },
  'test/ui/lan.test.ts': { seconds: 27, reason: 'starts browsers of other hosts' },
  'test/ui/main-job.test.ts': { seconds: 24, reason: 'does the main job in a browser and in the desktop program' },
  'test/ui/notices.test.ts': { seconds: 19, reason: 'works through notices as several people' },
  'test/ui/open-states.test.ts': { seconds: 20, reason: 'looks at what opens, in every theme' },
  'test/api/packages/places.test.ts': { seconds: 16, reason: 'writes onto drives, and into images and containers' },
  'test/packages/export.test.ts': {
    seconds: 70,
    reason: 'exports 200 evidences and takes them in, and verifies thirty altered exports at empty stations',
  },
  'test/ui/disclosure.test.ts': {
    seconds: 75,
    reason: 'records, supplements and acknowledges, and looks at each part',
  },
  'test/api/share-links/share-links.test.ts': {
    seconds: 90,
    reason:
      'makes a marked copy of a video for most of its links, and tries codes, each of which is hashed as a password',
  },
  'test/pipeline/marked-copy.test.ts': { seconds: 40, reason: 'looks at every part of each marked copy' },
  'test/ui/share-links.test.ts': { seconds: 60, reason: 'makes marked copies, and opens links in browsers of guests' },
  'test/ui/packages.test.ts': { seconds: 45, reason: 'makes packages, one of them large, and looks at each state' },
  'test/ui/own-refusals.test.ts': { seconds: 18, reason: 'opens the pages as three people' },
  'test/ui/parts.test.ts': { seconds: 30, reason: 'builds the page of parts, and scrolls 100,000 rows' },
  'test/ui/passkeys.test.ts': { seconds: 23, reason: 'verifies passwords and passkeys' },
  'test/ui/annotations.test.ts': { seconds: 35, reason: 'plays a film while it is marked and written about' },
  'test/ui/screens.test.ts': { seconds: 18, reason: 'looks at every screen of the frame in every theme' },
  'test/ui/search.test.ts': { seconds: 16, reason: 'works through the search in every theme' },
  'test/ui/station-marks.test.ts': { seconds: 24, reason: 'looks at nine items on seven screens, in two languages' },
  'test/ui/uploads.test.ts': { seconds: 38, reason: 'sends files of 30 MiB five times' },
}

export const budgetOf = (path: string): Budget => BUDGETS[path] ?? USUAL

/** Files that are listed and are not there any more. */
export const unknownBudgets = (isThere: (path: string) => boolean): readonly string[] =>
  Object.keys(BUDGETS).filter((path) => !isThere(path))
