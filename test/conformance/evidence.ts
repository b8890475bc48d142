/** Evidence and files that other calls are about: made, filled, and moved to the recycle bin at the end. */
import { createHash } from 'node:crypto'
import type { Json } from './client.ts'
import type { Expected, Run, Sent } from './run.ts'
import { EvidenceRecord, OpenResourceRecord, ResourceRecord } from './shapes.ts'

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** The next call of each comes back with the record in this state. */
export const whole = { status: 200, shape: EvidenceRecord } as const

/** Into the recycle bin when all is done, unless it is there already. */
export function deletedAtTheEnd(run: Run, evidenceId: string): void {
  run.later(() => run.call('DeleteEvidence', 'at the end', { with: { evidenceId } }, whole))
}

export async function newEvidence(
  run: Run,
  request: string,
  body: Json = {},
  expected: Partial<Expected> = {},
): Promise<Json> {
  const given = { Name: `Conformance ${run.stamp}`, ...body }
  const { json } = await run.needed(
    'CreateEvidence',
    request,
    { body: given },
    { status: 201, shape: EvidenceRecord, ...expected },
  )
  deletedAtTheEnd(run, json.EvidenceId)
  return json
}

export interface OpenResource {
  /** For calls about it. */
  readonly at: Sent & { readonly with: Readonly<Record<string, string>> }
  readonly uri: string
}

export async function newResource(run: Run, evidenceId: string, request: string, body: Json): Promise<OpenResource> {
  const { json } = await run.needed(
    'CreateResource',
    request,
    { with: { evidenceId }, body },
    { status: 201, shape: OpenResourceRecord },
  )
  return { at: { with: { evidenceId, resourceId: json.ResourceId } }, uri: json.UploadUri }
}

/** At an upload address: no token goes there, the address is the authority. */
export const atBlob = (uri: string, query: Readonly<Record<string, string>> = {}): Sent => {
  const more = new URLSearchParams(query).toString()
  return { address: more === '' ? uri : `${uri}&${more}`, token: null }
}

export const WHOLE_BLOB = { 'x-ms-blob-type': 'BlockBlob', 'x-ms-version': '2024-11-04' } as const

/** A file put there at once and completed. @returns the resource as its completion told it */
export async function newFile(run: Run, evidenceId: string, body: Json, bytes: Uint8Array): Promise<Json> {
  const { at, uri } = await newResource(run, evidenceId, `${body.Name}, to be filled`, body)
  const sent = { ...atBlob(uri), raw: bytes, headers: WHOLE_BLOB }
  await run.needed('UploadBlob', `Put Blob: ${body.Name}`, sent, { status: 201 })
  const sums = { Sha256: sha256(bytes), LengthInBytes: bytes.length }
  const done = { status: 200, shape: ResourceRecord }
  return (await run.needed('CompleteResource', body.Name, { ...at, body: sums }, done)).json
}
