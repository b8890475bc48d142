/**
 * Timestamps of an authority (RFC 3161): what is asked for, and whether an answer holds. An answer holds when it is about the hash and the question,
 * and when its signature, its certificate's purpose and the way to a known root hold at the time that it states. `openssl ts -verify` says the same.
 */
import { createHash, timingSafeEqual, verify, X509Certificate } from 'node:crypto'
import { type Attribute, id_contentType, id_messageDigest, id_signedData, SignedData } from '@peculiar/asn1-cms'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import { id_ct_tstInfo, MessageImprint, PKIStatus, TimeStampReq, TimeStampResp, TSTInfo } from '@peculiar/asn1-tsp'
import { AlgorithmIdentifier } from '@peculiar/asn1-x509'
import { type Timestamp, TimestampRefused } from './timestamp.ts'

const SHA256 = '2.16.840.1.101.3.4.2.1'
const HASHES: ReadonlyMap<string, string> = new Map([
  [SHA256, 'sha256'],
  ['2.16.840.1.101.3.4.2.2', 'sha384'],
  ['2.16.840.1.101.3.4.2.3', 'sha512'],
])
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8'
/** RSA (PKCS #1 1.5) and ECDSA, with any of the hashes above. */
const SIGNATURES = /^1\.2\.840\.(?:113549\.1\.1\.(?:1|11|12|13)|10045\.(?:2\.1|4\.3\.[234]))$/
/** Attributes that name the certificate of whoever signed, by its SHA-1 in the first version and by any hash in the second. */
const SIGNING_CERTIFICATE = /^1\.2\.840\.113549\.1\.9\.16\.2\.(?:12|47)$/
/** The type of the content, in DER. */
const TIMESTAMP_CONTENT = Buffer.from('060b2a864886f70d0109100104', 'hex')
/** Certificates between that of the authority and a root. */
const LONGEST_CHAIN = 6
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
    // The parser and the certificates find some faults only where they are used.
    throw new TimestampRefused('the timestamp cannot be read', { cause: error })
  }
}

function checked(answer: Uint8Array, { sha256, nonce, roots }: TimestampAsked): Timestamp {
  const { signed, info, content } = readAnswer(answer)
  const { messageImprint, genTime } = info
  if (
    messageImprint.hashAlgorithm.algorithm !== SHA256 ||
    !isSame(Buffer.from(messageImprint.hashedMessage.buffer), Buffer.from(sha256, 'hex'))
  )
    throw new TimestampRefused('the timestamp is about other bytes')
  if (nonce !== null && (info.nonce === undefined || !isSame(Buffer.from(info.nonce), integerOf(nonce))))
    throw new TimestampRefused('the timestamp answers another question')
  const certificates = certificatesIn(signed)
  const signer = signerOf(signed, certificates, content)
  if (!signer.keyUsage?.includes(TIME_STAMPING))
    throw new TimestampRefused('the certificate of whoever signed it is not for timestamps')
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
    throw new TimestampRefused('the answer is no timestamp')
  }
  const { status, statusString } = response.status
  if (status !== PKIStatus.granted && status !== PKIStatus.grantedWithMods)
    throw new TimestampRefused(
      `the authority refused${statusString === undefined ? '' : `: ${[...statusString].join(' ').slice(0, 200)}`}`,
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
    throw new TimestampRefused('the answer has no timestamp in it')
  }
}

const certificatesIn = ({ certificates }: SignedData): X509Certificate[] =>
  [...(certificates ?? [])].flatMap(({ certificate }) => {
    try {
      return certificate === undefined ? [] : [new X509Certificate(Buffer.from(AsnConvert.serialize(certificate)))]
    } catch {
      return []
    }
  })

/** Whose signature over the content holds. @throws TimestampRefused */
function signerOf(signed: SignedData, certificates: readonly X509Certificate[], content: Buffer): X509Certificate {
  const [info, ...more] = [...signed.signerInfos]
  if (info === undefined || more.length > 0) throw new TimestampRefused('the timestamp does not have one signature')
  const hash = HASHES.get(info.digestAlgorithm.algorithm)
  if (hash === undefined || !SIGNATURES.test(info.signatureAlgorithm.algorithm) || info.signedAttrs === undefined)
    throw new TimestampRefused('the timestamp is signed in a way that is not known here')
  const attributes = info.signedAttrs
  if (
    !isSame(valueOf(attributes, id_messageDigest).subarray(2), createHash(hash).update(content).digest()) ||
    !isSame(valueOf(attributes, id_contentType), TIMESTAMP_CONTENT)
  )
    throw new TimestampRefused('the signature of the timestamp is about other content')
  const bytes = setOf(attributes)
  const signature = Buffer.from(info.signature.buffer)
  const signer = certificates.find(
    (one) => namesCertificate(attributes, one) && isSignedBy(one, { hash, bytes, signature }),
  )
  if (signer === undefined) throw new TimestampRefused('the signature of the timestamp does not hold')
  return signer
}

/** What is signed: the attributes as a set of their own, in DER. In the answer they have the tag of their place. */
function setOf(attributes: readonly Attribute[]): Buffer {
  const members = Buffer.concat(attributes.map((one) => Buffer.from(AsnConvert.serialize(one))))
  const length = members.length < 0x80 ? [members.length] : [0x82, members.length >> 8, members.length & 0xff]
  if (members.length >= 0x80 && members.length <= 0xff) length.splice(0, 2, 0x81)
  return Buffer.concat([Buffer.from([0x31, ...length]), members])
}

/** The one value of an attribute, in DER; empty when there is none, or several. */
function valueOf(attributes: readonly Attribute[], type: string): Buffer {
  const [value, ...more] = attributes
    .filter(({ attrType }) => attrType === type)
    .flatMap(({ attrValues }) => attrValues)
  return value === undefined || more.length > 0 ? Buffer.alloc(0) : Buffer.from(value)
}

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

function isSignedBy(
  { publicKey }: X509Certificate,
  { hash, bytes, signature }: { readonly hash: string; readonly bytes: Buffer; readonly signature: Buffer },
): boolean {
  try {
    return verify(hash, bytes, publicKey, signature)
  } catch {
    return false
  }
}

/** From the certificate of whoever signed to a root, each valid at that time. @throws TimestampRefused */
function requireChain(
  signer: X509Certificate,
  {
    certificates,
    roots,
    at,
  }: { certificates: readonly X509Certificate[]; roots: readonly X509Certificate[]; at: Date },
): void {
  let current = signer
  for (let steps = 0; steps < LONGEST_CHAIN; steps++) {
    if (at < new Date(current.validFrom) || at > new Date(current.validTo))
      throw new TimestampRefused('a certificate of the authority was not valid at that time')
    if (roots.some(({ raw }) => raw.equals(current.raw))) return
    const issuer = [...roots, ...certificates].find(
      (one) => one.ca && current.checkIssued(one) && current.verify(one.publicKey),
    )
    if (issuer === undefined || issuer.raw.equals(current.raw)) break
    current = issuer
  }
  throw new TimestampRefused('it is signed by somebody else than the authority whose certificate the station has')
}

/** Certificates in a PEM file. @throws Error when there is none */
export function certificatesInPem(text: string): X509Certificate[] {
  const found = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  if (found.length === 0) throw new Error('There is no certificate in it.')
  return found.map((pem) => new X509Certificate(pem))
}

/** As DER has a positive integer: without leading zeros, with one where the first bit is set. */
function integerOf(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0)
  const short = Buffer.from(bytes.subarray(first === -1 ? bytes.length - 1 : first))
  return (short[0] ?? 0) > 0x7f ? Buffer.concat([Buffer.from([0]), short]) : short
}

const isSame = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b)

/** A buffer of its own: parts of a pool are not what the parser reads. */
const exactly = (bytes: Uint8Array): ArrayBuffer => Uint8Array.from(bytes).buffer
