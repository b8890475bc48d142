/** Where the safety guards stand, by what they keep safe, and the suites that watch them (S19). */
export interface Area {
  readonly name: string
  /** Patterns of source files. */
  readonly files: readonly string[]
  /** Patterns of test files. */
  readonly suites: readonly string[]
}

export const AREAS: readonly Area[] = [
  {
    name: 'clearing',
    files: ['server/dock/transfer/*.ts'],
    suites: [
      'test/dock/{clear,clear-in-bay,clear-guards,second-copy,rehash,resume,names,session,configuration,differs}.test.ts',
    ],
  },
  {
    name: 'disposition',
    files: [
      'server/evidence/disposition/*.ts',
      'server/interfaces/disposition/*.ts',
      'shared/identity/account-control.ts',
    ],
    suites: ['shared/domain/*.test.ts', 'test/disposition/*.test.ts', 'test/api/disposition/*.test.ts'],
  },
  {
    name: 'access',
    files: [
      'server/evidence/access/*.ts',
      'server/app/authorize.ts',
      'server/features/evidence/evidence.access.ts',
      'shared/kernel/access.ts',
    ],
    suites: [
      'shared/domain/*.test.ts',
      'server/evidence/access/*.test.ts',
      'server/app/authorize.test.ts',
      'test/api/permissions/*.test.ts',
      'test/api/documents/authority.test.ts',
      'test/api/sessions/{authorization,cookie,own-access,sessions,streams}.test.ts',
      'test/api/cad/secrets.test.ts',
    ],
  },
  {
    name: 'uploads',
    files: ['server/interfaces/blobs/*.ts'],
    suites: ['server/interfaces/blobs/*.test.ts', 'test/api/blobs/*.test.ts', 'test/api/users/containment.test.ts'],
  },
  {
    name: 'placement',
    files: ['server/evidence/store/*.ts', 'server/evidence/ingest/*.ts'],
    suites: [
      'test/store/*.test.ts',
      'test/api/blobs/*.test.ts',
      'test/pipeline/{unfinished,purge,intake-refusals}.test.ts',
      'test/api/documents/{authority,uploads-in-bin,resources,fixity}.test.ts',
      'test/cli/ingest.test.ts',
      'test/custody/blobs.test.ts',
      'test/disposition/destruction.test.ts',
    ],
  },
  {
    name: 'ledger',
    files: [
      'server/custody/{ledger,format,canonical,merkle,note,checkpoints,rotation,tally,versions,received,group-commit,consistency,copies}.ts',
    ],
    suites: ['server/custody/*.test.ts', 'test/custody/*.test.ts', 'test/api/keeping/*.test.ts'],
  },
  {
    name: 'verification',
    files: ['server/custody/{verify*,row-*}.ts', 'server/db/row-*.ts'],
    suites: ['server/custody/*.test.ts', 'test/custody/*.test.ts', 'test/api/documents/custody.test.ts'],
  },
  {
    name: 'restore',
    files: ['server/backup/*.ts', 'server/kernel/database/sqlite/rebuild.ts'],
    suites: ['test/backup/*.test.ts'],
  },
  {
    name: 'sign-in',
    files: ['server/interfaces/sessions/*.ts'],
    suites: ['server/interfaces/{sessions,users}/*.test.ts', 'test/api/sessions/*.test.ts'],
  },
  {
    name: 'tokens',
    files: ['server/interfaces/tokens/*.ts'],
    suites: [
      'server/interfaces/tokens/*.test.ts',
      'test/api/tokens/*.test.ts',
      'test/api/sessions/{authorization,own-access}.test.ts',
    ],
  },
]
