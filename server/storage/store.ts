/** What every blob store shares; folder/ and s3/ open one. */
export type * from './types.ts'
export { StorageFault, type StorageFaultCode } from './faults.ts'
export { pieceDigest } from './piece-digest.ts'
