/** That somebody was judged: what they hold on what. */
export interface Decision {
  readonly on: 'evidence' | 'case' | 'device'
  /** As the contract parsed it. */
  readonly id: string
  /** A level; on a device whether they manage it. */
  readonly held: string
}
