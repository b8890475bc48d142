/**
 * Signed data (CMS, RFC 5652) as far as timestamps and signatures of an agency need it: who signed, over which bytes, and whether certificates lead to one
 * that is believed. The parser is a library's, signatures are Node's. RSA-PSS is not taken.
 */
import { timingSafeEqual, verify, X509Certificate } from 'node:crypto'
import { type Attribute, id_contentType, id_messageDigest, type SignedData } from '@peculiar/asn1-cms'
import { AsnConvert } from '@peculiar/asn1-schema'
import { SignatureProblem } from './problem.ts'
import { witnessProblem } from '../../../shared/messages/witness-problems.ts'

export const SHA256 = '2.16.840.1.101.3.4.2.1'
const HASHES: ReadonlyMap<string, string> = new Map([
  [SHA256, 'sha256'],
  ['2.16.840.1.101.3.4.2.2', 'sha384'],
  ['2.16.840.1.101.3.4.2.3', 'sha512'],
])
/** RSA (PKCS #1 1.5) and ECDSA, with any of the hashes above. */
const SIGNATURES = /^1\.2\.840\.(?:113549\.1\.1\.(?:1|11|12|13)|10045\.(?:2\.1|4\.3\.[234]))$/
/** Certificates between that of whoever signed and a root. */
const LONGEST_CHAIN = 6

/** What the signature is over: the content itself, or its hash where only that is known. */
export interface SignedContent {
  /** The type of the content, in DER. */
  readonly type: Buffer
  readonly hashWith: (algorithm: string) => Buffer | null
  /** Whether the signed attributes must name the certificate. Timestamps must, signatures of mail need not. */
  readonly namesCertificate: (attributes: readonly Attribute[], certificate: X509Certificate) => boolean
}

export const certificatesIn = ({ certificates }: SignedData): X509Certificate[] =>
  [...(certificates ?? [])].flatMap(({ certificate }) => {
    try {
      return certificate === undefined ? [] : [new X509Certificate(Buffer.from(AsnConvert.serialize(certificate)))]
    } catch {
      return []
    }
  })

/** Whose signature over the content holds. @throws SignatureProblem */
export function signerOf(
  signed: SignedData,
  certificates: readonly X509Certificate[],
  { type, hashWith, namesCertificate }: SignedContent,
): { readonly signer: X509Certificate; readonly attributes: readonly Attribute[] } {
  const [info, ...more] = [...signed.signerInfos]
  if (info === undefined || more.length > 0) throw new SignatureProblem(witnessProblem('severalSignatures'))
  const hash = HASHES.get(info.digestAlgorithm.algorithm)
  const digest = hash === undefined ? null : hashWith(hash)
  if (
    hash === undefined ||
    digest === null ||
    !SIGNATURES.test(info.signatureAlgorithm.algorithm) ||
    info.signedAttrs === undefined
  )
    throw new SignatureProblem(witnessProblem('unknownWay'))
  const attributes = info.signedAttrs
  if (
    !isSame(valueOf(attributes, id_messageDigest).subarray(2), digest) ||
    !isSame(valueOf(attributes, id_contentType), type)
  )
    throw new SignatureProblem(witnessProblem('otherContent'))
  const bytes = setOf(attributes)
  const signature = Buffer.from(info.signature.buffer)
  const signer = certificates.find(
    (one) => namesCertificate(attributes, one) && isSignedBy(one, { hash, bytes, signature }),
  )
  if (signer === undefined) throw new SignatureProblem(witnessProblem('signatureBroken'))
  return { signer, attributes }
}

/** What is signed: the attributes as a set of their own, in DER. In the answer they have the tag of their place. */
export function setOf(attributes: readonly Attribute[]): Buffer {
  const members = Buffer.concat(attributes.map((one) => Buffer.from(AsnConvert.serialize(one))))
  const length = members.length < 0x80 ? [members.length] : [0x82, members.length >> 8, members.length & 0xff]
  if (members.length >= 0x80 && members.length <= 0xff) length.splice(0, 2, 0x81)
  return Buffer.concat([Buffer.from([0x31, ...length]), members])
}

/** The one value of an attribute, in DER; empty when there is none, or several. */
export function valueOf(attributes: readonly Attribute[], type: string): Buffer {
  const [value, ...more] = attributes
    .filter(({ attrType }) => attrType === type)
    .flatMap(({ attrValues }) => attrValues)
  return value === undefined || more.length > 0 ? Buffer.alloc(0) : Buffer.from(value)
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

/** From the certificate of whoever signed to a root, each valid at that time. @throws SignatureProblem */
export function requireChain(
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
      throw new SignatureProblem(witnessProblem('notValidThen'))
    if (roots.some(({ raw }) => raw.equals(current.raw))) return
    const issuer = [...roots, ...certificates].find(
      (one) => one.ca && current.checkIssued(one) && current.verify(one.publicKey),
    )
    if (issuer === undefined || issuer.raw.equals(current.raw)) break
    current = issuer
  }
  throw new SignatureProblem(witnessProblem('otherAuthority'))
}

/** Certificates in a PEM file. @throws Error when there is none */
export function certificatesInPem(text: string): X509Certificate[] {
  const found = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  if (found.length === 0) throw new Error('There is no certificate in it.')
  return found.map((pem) => new X509Certificate(pem))
}

export const isSame = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b)

/** A buffer of its own: parts of a pool are not what the parser reads. */
export const exactly = (bytes: Uint8Array): ArrayBuffer => Uint8Array.from(bytes).buffer
