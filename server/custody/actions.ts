/** Everything the ledger can say happened. One list, so that no act goes by two names. */
export const ACTIONS = [
  // The station itself.
  'station.started',
  'station.stopped',
  'station.readOnly',
  'system.recovered',
  'checkpoint.signed',
  'key.created',
  'key.rotated',
  'clock.jumped',
  // People, groups, integrations.
  'tenant.created',
  'user.created',
  'group.created',
  'service.created',
  // Tokens and denials.
  'token.issued',
  'token.refused',
  'access.denied',
  // Evidence and its resources.
  'evidence.created',
  'evidence.completed',
  'evidence.filled',
  'evidence.read',
  'list.read',
  'resource.created',
  'resource.completed',
  'resource.refused',
  'resource.inspected',
  'resource.listed',
  'resource.read',
  'resource.downloaded',
  'resource.played.started',
  'resource.played.ended',
  'resource.thumbnail',
  'upload.committed',
  'upload.renewed',
  'upload.purged',
  'upload.refused',
  'quarantine.added',
  // What the platform makes of them.
  'derivation.added',
  'derivation.failed',
  'job.cancelled',
  'job.retried',
  // The ledger and the blobs, looked at.
  'ledger.read',
  'ledger.verified',
  'fixity.checked',
  // The station's own figures.
  'metrics.read',
] as const

export type Action = (typeof ACTIONS)[number]
