/**
 * Timestamps of an authority (RFC 3161): what is asked for, and whether an answer holds. An answer holds when it is about the hash and the question,
 * and when its signature, its certificate's purpose and the way to a known root hold at the time that it states. `openssl ts -verify` says the same.
 */
import { createHash, type X509Certificate } from 'node:crypto'
import { type Attribute, id_signedData, SignedData } from '@peculiar/asn1-cms'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import { id_ct_tstInfo, MessageImprint, PKIStatus, TimeStampReq, TimeStampResp, TSTInfo } from '@peculiar/asn1-tsp'
import { AlgorithmIdentifier } from '@peculiar/asn1-x509'
import { SignatureProblem } from '../signatures/problem.ts'
import {
  certificatesIn,
  exactly,
  isSame,
  requireChain,
  SHA256,
  type SignedContent,
  signerOf,
} from '../signatures/signed-data.ts'
import { type Timestamp, TimestampRefused } from './timestamp.ts'
import { witnessProblem } from '../../../shared/messages/witness-problems.ts'

const TIME_STAMPING = '1.3.6.1.5.5.7.3.8'
/** Attributes that name the certificate of whoever signed, by its SHA-1 in the first version and by any hash in the second. */
const SIGNING_CERTIFICATE = /^1\.2\.840\.113549\.1\.9\.16\.2\.(?:12|47)$/
/** The type of the content, in DER. */
const TIMESTAMP_CONTENT = Buffer.from('060b2a864886f70d0109100104', 'hex')
const NONCE_BYTES = 8

/** @param sha256 hexadecimal @param nonce 8 bytes that were never used */
export function timestampQuery(sha256: string, nonce: Uint8Array): Buffer {
  if (nonce.length !== NONCE_BYTES) throw new Error(`A nonce has ${NONCE_BYTES} bytes`)
  const query = new TimeStampReq({
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithm: SHA256, parameters: null }),
      hashedMessage: new OctetString(Buffer.from(sha256, 'hex')),
    }),
    nonce: exactly(integerOf(nonce)),
    certReq: true,
  })
  return Buffer.from(AsnConvert.serialize(query))
}

export interface TimestampAsked {
  /** Hexadecimal. */
  readonly sha256: string
  /** Null when an answer is read again, and the question is not known any more. */
  readonly nonce: Uint8Array | null
  /** Certificates that are believed. */
  readonly roots: readonly X509Certificate[]
}

/** @throws TimestampRefused */
export function checkTimestamp(answer: Uint8Array, asked: TimestampAsked): Timestamp {
  try {
    return checked(answer, asked)
  } catch (error) {
    if (error instanceof TimestampRefused) throw error
    if (error instanceof SignatureProblem) throw new TimestampRefused(error.message, { cause: error })
    // The parser and the certificates find some faults only where they are used.
    throw new TimestampRefused(witnessProblem('unreadable'), { cause: error })
  }
}

function checked(answer: Uint8Array, { sha256, nonce, roots }: TimestampAsked): Timestamp {
  const { signed, info, content } = readAnswer(answer)
  const { messageImprint, genTime } = info
  if (
    messageImprint.hashAlgorithm.algorithm !== SHA256 ||
    !isSame(Buffer.from(messageImprint.hashedMessage.buffer), Buffer.from(sha256, 'hex'))
  )
    throw new TimestampRefused(witnessProblem('otherBytes'))
  if (nonce !== null && (info.nonce === undefined || !isSame(Buffer.from(info.nonce), integerOf(nonce))))
    throw new TimestampRefused(witnessProblem('otherQuestion'))
  const certificates = certificatesIn(signed)
  const { signer } = signerOf(signed, certificates, contentOf(content))
  if (!signer.keyUsage?.includes(TIME_STAMPING)) throw new TimestampRefused(witnessProblem('notForTimestamps'))
  requireChain(signer, { certificates, roots, at: genTime })
  return {
    timeUtc: genTime.toISOString(),
    authority: signer.subject.replaceAll('\n', ', '),
    serial: Buffer.from(info.serialNumber).toString('hex'),
  }
}

function readAnswer(answer: Uint8Array) {
  let response: TimeStampResp
  try {
    response = AsnConvert.parse(exactly(answer), TimeStampResp)
  } catch {
    throw new TimestampRefused(witnessProblem('noTimestamp'))
  }
  const { status, statusString } = response.status
  if (status !== PKIStatus.granted && status !== PKIStatus.grantedWithMods)
    throw new TimestampRefused(
      statusString === undefined
        ? witnessProblem('refused')
        : witnessProblem('refusedWhy', { why: [...statusString].join(' ').slice(0, 200) }),
    )
  try {
    const token = response.timeStampToken
    if (token === undefined || token.contentType !== id_signedData) throw new Error('no token')
    const signed = AsnConvert.parse(token.content, SignedData)
    const { eContentType, eContent } = signed.encapContentInfo
    if (eContentType !== id_ct_tstInfo || eContent?.single === undefined) throw new Error('no content')
    const content = Buffer.from(eContent.single.buffer)
    return { signed, content, info: AsnConvert.parse(exactly(content), TSTInfo) }
  } catch {
    throw new TimestampRefused(witnessProblem('emptyAnswer'))
  }
}

const contentOf = (content: Buffer): SignedContent => ({
  type: TIMESTAMP_CONTENT,
  hashWith: (algorithm) => createHash(algorithm).update(content).digest(),
  namesCertificate,
})

/** Whether the attributes that are signed name this certificate: another one with the same key is another authority. */
function namesCertificate(attributes: readonly Attribute[], { raw }: X509Certificate): boolean {
  const named = attributes.filter(({ attrType }) => SIGNING_CERTIFICATE.test(attrType))
  return named.some(({ attrValues }) =>
    attrValues.some((value) =>
      ['sha1', 'sha256', 'sha384', 'sha512'].some((hash) =>
        Buffer.from(value).includes(createHash(hash).update(raw).digest()),
      ),
    ),
  )
}

/** As DER has a positive integer: without leading zeros, with one where the first bit is set. */
function integerOf(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0)
  const short = Buffer.from(bytes.subarray(first === -1 ? bytes.length - 1 : first))
  return (short[0] ?? 0) > 0x7f ? Buffer.concat([Buffer.from([0]), short]) : short
}
