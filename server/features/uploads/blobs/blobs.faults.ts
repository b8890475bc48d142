/** Faults of the block blob protocol: code, HTTP status and text as the public documentation of Azure Storage lists them. */
const FAULTS = {
  AuthenticationFailed: [
    403,
    'Server failed to authenticate the request. Make sure the link is complete and has not expired.',
  ],
  AuthorizationPermissionMismatch: [
    403,
    'This request is not authorized to perform this operation using this permission.',
  ],
  ResourceNotFound: [404, 'The specified resource does not exist.'],
  BlobNotFound: [404, 'The specified blob does not exist.'],
  UnsupportedHttpVerb: [405, 'The resource does not support the specified HTTP verb.'],
  MissingContentLengthHeader: [411, 'The Content-Length header was not specified.'],
  MissingRequiredHeader: [400, 'An HTTP header that is mandatory for this request is not specified.'],
  MissingRequiredQueryParameter: [400, 'A query parameter that is mandatory for this request is not specified.'],
  InvalidHeaderValue: [400, 'The value for one of the HTTP headers is not in the correct format.'],
  UnsupportedHeader: [400, 'One of the headers specified in the request is not supported.'],
  InvalidQueryParameterValue: [400, 'Value for one of the query parameters specified in the request URI is invalid.'],
  UnsupportedQueryParameter: [400, 'One of the query parameters specified in the request URI is not supported.'],
  InvalidMetadata: [400, 'The metadata specified is invalid. It has characters that are not permitted.'],
  MetadataTooLarge: [400, 'The size of the specified metadata exceeds the maximum size permitted.'],
  InvalidMd5: [
    400,
    'The MD5 value specified in the request is invalid. MD5 value must be 128 bits and base64-encoded.',
  ],
  Md5Mismatch: [
    400,
    'The MD5 value specified in the request did not match with the MD5 value calculated by the server.',
  ],
  InvalidCrc64: [
    400,
    'The CRC64 value specified in the request is invalid. CRC64 value must be 64 bits and base64-encoded.',
  ],
  Crc64Mismatch: [
    400,
    'The CRC64 value specified in the request did not match with the CRC64 value calculated by the server.',
  ],
  InvalidStructuredBody: [400, 'The structured body of the request does not follow its own framing.'],
  IncompleteBody: [400, 'The body of the request is shorter or longer than was announced.'],
  InvalidBlobOrBlock: [400, 'The specified blob or block content is invalid.'],
  InvalidBlockList: [400, 'The specified block list is invalid.'],
  BlockListTooLong: [400, 'The block list may not contain more than 50,000 blocks.'],
  InvalidXmlDocument: [400, 'The specified XML is not syntactically valid.'],
  RequestBodyTooLarge: [413, 'The request body is too large and exceeds the maximum permissible limit.'],
  ConditionNotMet: [412, 'The condition specified using HTTP conditional header(s) is not met.'],
  LeaseNotPresentWithBlobOperation: [412, 'There is currently no lease on the blob.'],
  BlobAlreadyExists: [409, 'The specified blob already exists.'],
  BlobImmutableDueToPolicy: [409, 'This resource is complete. Its bytes never change.'],
  ContainerBeingDeleted: [409, 'The specified container is being deleted.'],
  PendingCopyOperation: [409, 'This resource is being completed. Nothing can be uploaded meanwhile.'],
  BlockCountExceedsLimit: [409, 'The uncommitted block count cannot exceed the maximum limit of 100,000 blocks.'],
  RequestTimeout: [408, 'The sender was silent or too slow, and the connection was given up.'],
  // Not 503: the client library repeats 500 and 503 three times within a minute, which does not free space.
  InsufficientStorage: [507, 'The station has no room for more. What was acknowledged is kept.'],
  // 503 makes clients try again: a station with a failing disk restarts within seconds.
  ServerBusy: [503, 'The station takes no writes right now.'],
  InternalError: [500, 'The server encountered an internal error. Please retry the request.'],
} as const satisfies Record<string, readonly [number, string]>

export type BlobFaultCode = keyof typeof FAULTS

/** A refusal in the terms of the protocol. `detail` is added to the message; it never carries a path or SQL. */
export class BlobFault extends Error {
  override readonly name = 'BlobFault'
  readonly code: BlobFaultCode
  readonly status: number
  /** For the ledger, when it says more than the code. It is not sent to the client. */
  readonly reason: string
  constructor(code: BlobFaultCode, detail?: string, reason: string = code) {
    const [status, text] = FAULTS[code]
    super(detail === undefined ? text : `${text} ${detail}`)
    this.code = code
    this.status = status
    this.reason = reason
  }
}

export const refuse = (code: BlobFaultCode, detail?: string): never => {
  throw new BlobFault(code, detail)
}
