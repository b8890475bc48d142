/** The result of a permission check: the level of the caller on one object. */
export interface Decision {
  readonly on: 'evidence' | 'case' | 'device'
  /** As parsed by the contract. */
  readonly id: string
  /** A level; for a device, whether the caller manages it. */
  readonly held: string
}
