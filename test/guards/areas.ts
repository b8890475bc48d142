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
    files: [
      'server/features/docking/transfer/*.ts',
      'server/features/docking/steps/{clear,copy,create-evidence,known-files}.ts',
    ],
    suites: [
      'test/dock/{clear,clear-in-bay,clear-guards,second-copy,rehash,resume,names,session,configuration,differs}.test.ts',
    ],
  },
  {
    name: 'disposition',
    files: [
      'server/features/retention/disposition/*.ts',
      'server/features/retention/*.ts',
      'shared/identity/account-control.ts',
    ],
    suites: [
      'shared/{identity,kernel,retention}/*.test.ts',
      'test/disposition/*.test.ts',
      'test/api/disposition/*.test.ts',
    ],
  },
  {
    name: 'access',
    files: [
      'server/kernel/access/*.ts',
      'server/features/uploads/upload-authority.ts',
      'server/app/authorize.ts',
      'server/kernel/evidence/reach.ts',
      'shared/kernel/permissions.ts',
    ],
    suites: [
      'shared/{identity,kernel,retention}/*.test.ts',
      'server/kernel/access/*.test.ts',
      'server/app/authorize.test.ts',
      'test/api/permissions/*.test.ts',
      'test/api/documents/authority.test.ts',
      'test/api/sessions/{authorization,cookie,own-access,sessions,streams}.test.ts',
      'test/api/cad/secrets.test.ts',
    ],
  },
  {
    name: 'disclosure',
    files: ['server/features/disclosure/*.ts', 'server/features/packages/custody-lines.ts'],
    suites: ['server/features/packages/*.test.ts', 'test/api/disclosure/*.test.ts'],
  },
  {
    name: 'orders',
    files: [
      'server/features/packages/{orders.service,making.service,kept-packages.service,order-access,order-places}.ts',
    ],
    suites: ['test/api/packages/*.test.ts'],
  },
  {
    name: 'witnesses',
    files: [
      'server/kernel/ledger/cosignature.ts',
      'server/features/integrity/verification/received.ts',
      'server/features/packages/{add-later,agency-signature,cosignatures,timestamps,verify,witnesses}.ts',
      'server/platform/{signatures,timestamps}/*.ts',
    ],
    suites: [
      'test/custody/received.test.ts',
      'test/packages/{agency-signature,altered-signatures,cosignatures,timestamps,verify}.test.ts',
      'test/api/integrity/copies.test.ts',
    ],
  },
  {
    name: 'export',
    files: ['server/features/packages/export/*.ts'],
    suites: ['server/features/packages/export/*.test.ts', 'test/packages/{export,export-kills,import-package}.test.ts'],
  },
  {
    name: 'share-links',
    files: ['server/features/share-links/*.ts'],
    // The model of rights has guests with accounts.
    suites: ['test/api/share-links/*.test.ts', 'test/api/permissions/permissions.test.ts'],
  },
  {
    name: 'uploads',
    files: ['server/features/uploads/blobs/*.ts'],
    suites: [
      'server/features/uploads/blobs/*.test.ts',
      'test/api/blobs/*.test.ts',
      'test/api/users/containment.test.ts',
    ],
  },
  {
    name: 'placement',
    files: [
      'server/storage/*.ts',
      'server/storage/folder/*.ts',
      'server/features/uploads/ingest/*.ts',
      'server/kernel/evidence/place-and-commit.ts',
    ],
    suites: [
      'test/store/{disk-faults,refusals,store}.test.ts',
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
      'server/kernel/ledger/{ledger,format,canonical,merkle,signed-note,key-rotation,denial-tally,group-commit}.ts',
      'server/kernel/versions/versions.ts',
      'server/features/integrity/verification/{checkpoints,received,consistency,copies}.ts',
    ],
    suites: [
      'server/kernel/{ledger,versions}/*.test.ts',
      'server/features/integrity/verification/*.test.ts',
      'test/custody/*.test.ts',
      'test/api/integrity/*.test.ts',
    ],
  },
  {
    name: 'verification',
    files: ['server/features/integrity/verification/{verify*,row-*}.ts', 'server/kernel/database/row-*.ts'],
    suites: [
      'server/kernel/{ledger,versions}/*.test.ts',
      'server/features/integrity/verification/*.test.ts',
      'test/custody/*.test.ts',
      'test/api/documents/custody.test.ts',
    ],
  },
  {
    name: 'restore',
    files: ['server/features/integrity/backup/*.ts', 'server/kernel/database/sqlite/rebuild.ts'],
    suites: ['test/backup/*.test.ts'],
  },
  {
    name: 'sign-in',
    files: ['server/features/identity/sessions/*.ts'],
    suites: ['server/features/identity/{sessions,users}/*.test.ts', 'test/api/sessions/*.test.ts'],
  },
  {
    name: 'tokens',
    files: ['server/features/identity/tokens/*.ts'],
    suites: [
      'server/features/identity/tokens/*.test.ts',
      'test/api/tokens/*.test.ts',
      'test/api/sessions/{authorization,own-access}.test.ts',
    ],
  },
]
