import type { PartWriter } from '../../../storage/staging/staging.ts'
import { BlobFault } from './blobs.faults.ts'
import type { BodyReader } from './body.ts'

/** The only supported value of `x-ms-structured-body`. */
export const STRUCTURED = 'XSM/1.0; properties=crc64'

const HEADER = 13
const SEGMENT_HEADER = 10
const CRC = 8
const VERSION = 1
const HAS_CRC = 1

/** The sender's checksum, read from the framing. */
export interface StructuredClaims {
  readonly segments: readonly string[]
  /** Base64. */
  readonly crc64: string
}

/**
 * Parses a structured message (version 1: header, segments each with number, length, content and CRC-64, then the CRC-64 of all). The
 * content is written to the part; the CRCs are returned and compared on another thread. All integers are little-endian.
 * @param wire length of the framed message, from Content-Length
 * @param content length of its content, from x-ms-structured-content-length
 * @throws BlobFault InvalidStructuredBody; never more than `content` bytes are written
 */
export async function readStructured(
  body: BodyReader,
  part: PartWriter,
  wire: number,
  content: number,
): Promise<StructuredClaims> {
  const { exactly, through, atEnd } = cursor(body)
  const header = await exactly(HEADER)
  const count = header.readUInt16LE(11)
  if (header[0] !== VERSION) throw bad('Its version is not 1.')
  if (header.readBigUInt64LE(1) !== BigInt(wire)) throw bad('Its length is not the one in its header.')
  if (header.readUInt16LE(9) !== HAS_CRC) throw bad('Its properties are not crc64.')

  const segments: string[] = []
  let left = content
  for (let number = 1; number <= count; number++) {
    const head = await exactly(SEGMENT_HEADER)
    const length = head.readBigUInt64LE(2)
    if (head.readUInt16LE(0) !== number) throw bad('Its segments are not in order.')
    if (length > BigInt(left)) throw bad('Its segments are longer than was announced.')
    if (number === 1) await part.segment()
    await through(Number(length), (chunk) => part.push(chunk))
    await part.segment()
    left -= Number(length)
    segments.push((await exactly(CRC)).toString('hex'))
  }
  if (left !== 0) throw bad('Its segments are shorter than was announced.')
  const total = await exactly(CRC)
  if (!(await atEnd())) throw bad('Something follows its end.')
  return { segments, crc64: total.toString('base64') }
}

const bad = (detail: string): BlobFault => new BlobFault('InvalidStructuredBody', detail)

/** Reads a body in pieces of a given length. */
function cursor(body: BodyReader) {
  let rest: Buffer = Buffer.alloc(0)
  const some = async (most: number): Promise<Buffer> => {
    while (rest.length === 0) {
      const chunk = await body.next()
      if (chunk === null) throw bad('It ends too early.')
      rest = chunk
    }
    const taken = rest.subarray(0, most)
    rest = rest.subarray(taken.length)
    return taken
  }
  const through = async (length: number, take: (chunk: Buffer) => Promise<void>): Promise<void> => {
    for (let left = length; left > 0; ) {
      const chunk = await some(left)
      left -= chunk.length
      await take(chunk)
    }
  }
  const exactly = async (length: number): Promise<Buffer> => {
    const parts: Buffer[] = []
    await through(length, async (chunk) => void parts.push(chunk))
    return Buffer.concat(parts)
  }
  const atEnd = async (): Promise<boolean> => rest.length === 0 && (await body.next()) === null
  return { exactly, through, atEnd }
}
