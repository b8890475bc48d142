import { z } from 'zod'
import { route } from '../kernel/route.ts'

/**
 * Upload addresses (decisions 6): the public Block Blob protocol, so bodies and errors are its XML. The signature in the query is the
 * whole authority; `comp` chooses the operation: none is Put Blob, `block` Put Block, `blocklist` Put Block List or Get Block List.
 */
const BlobPath = z.object({ container: z.string(), blob: z.string() })

const write = route({
  id: 'putBlob',
  interface: 'blob',
  method: 'PUT',
  path: '/blob/:container/:blob',
  origin: 'decision',
  summary: 'Put Blob, Put Block, Put Block List',
  permission: { kind: 'signed-address' },
  audit: { by: 'own', actions: ['upload.committed', 'upload.refused'] },
  params: BlobPath,
  accepts: ['*/*'],
  responses: { 201: 'bytes' },
  errors: [],
  uncounted: true,
})

export const putBlob = write

export const getBlockList = route({
  ...write,
  id: 'getBlockList',
  method: 'GET',
  summary: 'Get Block List',
  audit: { by: 'none', reason: 'Tells an uploader which of its own blocks arrived; no content of evidence goes out.' },
  responses: { 200: 'bytes' },
})

export const getBlobProperties = route({
  ...getBlockList,
  id: 'getBlobProperties',
  method: 'HEAD',
  summary: 'Get Blob Properties',
})
