import { getBlobProperties, getBlockList, putBlob } from '../../../../shared/uploads/contract.ts'
import { type BoundRoute, bytes } from '../../../http/handlers.ts'
import { type BlobHandlerPorts, blobHandler } from './blobs.routes.ts'

/** One handler for three methods: the protocol selects the operation by method and `comp`. */
export function blobRoutes(ports: BlobHandlerPorts): BoundRoute[] {
  const handle = blobHandler(ports)
  return [bytes(putBlob, handle), bytes(getBlockList, handle), bytes(getBlobProperties, handle)]
}
