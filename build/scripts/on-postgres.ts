/**
 * The suites about rows, which run on either database (B1): `npm run test:postgres`. Not among them: suites that judge a file or a disk
 * (`test/crash`, `test/backup`, `test/cli`, most of `test/custody`), that start the program as a process of its own, and what a browser shows.
 * Nor `clear-guards` and `rehash` of `test/dock`: some of the changes that their triggers make are in words of SQLite's.
 */
export const ON_POSTGRES: readonly string[] = [
  'test/conformance',
  'test/api/permissions',
  'test/api/search',
  'test/disposition',
  'test/api/disposition',
  'test/api/cases',
  'test/api/documents',
  'test/api/annotations',
  'test/api/devices',
  'test/api/cad',
  'test/api/templates',
  'test/api/users',
  'test/api/jobs',
  'test/correlation',
  'test/notices',
  ...[
    'clear',
    'differs',
    'drop-in',
    'hostile-receipts',
    'names',
    'profiles',
    'receipts',
    'recorded-times',
    'recordings',
    'resume',
    'second-copy',
    'session',
    'sync-folder',
    'time-left',
    'wall',
  ].map((name) => `test/dock/${name}.test.ts`),
]
