/**
 * Detached signatures (CMS, RFC 5652) with a certificate that an authority issued to the agency: `openssl cms -verify` checks them. What is signed is known by
 * its SHA-256 alone, so that a signature can be made when the bytes are somewhere else.
 */
import { createPrivateKey, type KeyObject, sign, type X509Certificate } from 'node:crypto'
import {
  Attribute,
  CertificateChoices,
  CertificateSet,
  CMSVersion,
  ContentInfo,
  DigestAlgorithmIdentifiers,
  EncapsulatedContentInfo,
  id_contentType,
  id_data,
  id_messageDigest,
  id_signedData,
  id_signingTime,
  IssuerAndSerialNumber,
  SignedData,
  SignerIdentifier,
  SignerInfo,
  SignerInfos,
} from '@peculiar/asn1-cms'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import { AlgorithmIdentifier, Certificate, Time } from '@peculiar/asn1-x509'
import { SignatureProblem } from './problem.ts'
import {
  certificatesIn,
  certificatesInPem,
  exactly,
  requireChain,
  setOf,
  SHA256,
  signerOf,
  valueOf,
} from './signed-data.ts'
import { witnessProblem } from '../../../shared/messages/witness-problems.ts'

/** The type of the content, plain data, in DER. */
const DATA_CONTENT = Buffer.from('06092a864886f70d010701', 'hex')
/** By the type of the key. */
const ALGORITHMS = new Map([
  ['rsa', new AlgorithmIdentifier({ algorithm: '1.2.840.113549.1.1.11', parameters: null })],
  ['ec', new AlgorithmIdentifier({ algorithm: '1.2.840.10045.4.3.2' })],
])
/** Purposes with which `openssl cms -verify` takes a certificate, where it names any. */
const MAIL_PURPOSES: readonly string[] = ['1.3.6.1.5.5.7.3.4', '2.5.29.37.0']

export interface CmsSigner {
  /** As the certificate names whoever signs. */
  readonly subject: string
  /** When the certificate ends. */
  readonly validToUtc: string
  /** @param sha256 hexadecimal @returns DER @throws SignatureProblem when the certificate is not valid then */
  sign(sha256: string, at: Date): Buffer
}

/**
 * @param certificates PEM: the certificate of whoever signs, then those between it and the root of its authority
 * @param key PEM, not encrypted
 * @throws SignatureProblem
 */
export function createCmsSigner({ certificates, key }: { certificates: string; key: string }): CmsSigner {
  const [own, ...between] = readable(witnessProblem('certificateUnreadable'), () => certificatesInPem(certificates))
  if (own === undefined) throw new SignatureProblem(witnessProblem('noCertificate'))
  const secret = readable(witnessProblem('keyUnreadable'), () => createPrivateKey(key))
  if (!own.checkPrivateKey(secret)) throw new SignatureProblem(witnessProblem('otherKey'))
  const algorithm = ALGORITHMS.get(secret.asymmetricKeyType ?? '')
  if (algorithm === undefined) throw new SignatureProblem(witnessProblem('keyKind'))
  if (own.keyUsage !== undefined && !own.keyUsage.some((purpose) => MAIL_PURPOSES.includes(purpose)))
    throw new SignatureProblem(witnessProblem('notForMail'))
  return {
    subject: own.subject.replaceAll('\n', ', '),
    validToUtc: new Date(own.validTo).toISOString(),
    sign: (sha256, at) => {
      if (at < new Date(own.validFrom) || at > new Date(own.validTo))
        throw new SignatureProblem(witnessProblem('validFromTo', { from: own.validFrom, to: own.validTo }))
      return signatureOver(sha256, { at, own, between, secret, algorithm })
    },
  }
}

interface Signing {
  readonly at: Date
  readonly own: X509Certificate
  readonly between: readonly X509Certificate[]
  readonly secret: KeyObject
  readonly algorithm: AlgorithmIdentifier
}

function signatureOver(sha256: string, { at, own, between, secret, algorithm }: Signing): Buffer {
  const parsed = [own, ...between].map(({ raw }) => AsnConvert.parse(exactly(raw), Certificate))
  const { issuer, serialNumber } = (parsed[0] as Certificate).tbsCertificate
  const digestAlgorithm = new AlgorithmIdentifier({ algorithm: SHA256 })
  const attributes = sorted([
    attribute(id_contentType, exactly(DATA_CONTENT)),
    attribute(id_messageDigest, AsnConvert.serialize(new OctetString(Buffer.from(sha256, 'hex')))),
    attribute(id_signingTime, AsnConvert.serialize(new Time(at))),
  ])
  const signature = sign('sha256', setOf(attributes), secret)
  const signed = new SignedData({
    version: CMSVersion.v1,
    digestAlgorithms: new DigestAlgorithmIdentifiers([digestAlgorithm]),
    encapContentInfo: new EncapsulatedContentInfo({ eContentType: id_data }),
    certificates: new CertificateSet(parsed.map((certificate) => new CertificateChoices({ certificate }))),
    signerInfos: new SignerInfos([
      new SignerInfo({
        version: CMSVersion.v1,
        sid: new SignerIdentifier({ issuerAndSerialNumber: new IssuerAndSerialNumber({ issuer, serialNumber }) }),
        digestAlgorithm,
        signedAttrs: attributes,
        signatureAlgorithm: algorithm,
        signature: new OctetString(signature),
      }),
    ]),
  })
  return Buffer.from(
    AsnConvert.serialize(new ContentInfo({ contentType: id_signedData, content: AsnConvert.serialize(signed) })),
  )
}

const attribute = (attrType: string, value: ArrayBuffer): Attribute => new Attribute({ attrType, attrValues: [value] })

/** A set in DER has its members in the order of their bytes. */
const sorted = (attributes: readonly Attribute[]): Attribute[] =>
  attributes
    .map((one) => ({ one, der: Buffer.from(AsnConvert.serialize(one)) }))
    .toSorted((a, b) => Buffer.compare(a.der, b.der))
    .map(({ one }) => one)

export interface CmsSignature {
  /** As its certificate names whoever signed. */
  readonly signer: string
  /** When, as whoever signed says; null where that is not said. */
  readonly timeUtc: string | null
}

/**
 * @param sha256 hexadecimal, of what is signed
 * @param roots certificates that are believed
 * @param at when the certificates have to be valid: a time that somebody else states, or now
 * @throws SignatureProblem
 */
export function checkCmsSignature(
  bytes: Uint8Array,
  { sha256, roots, at }: { readonly sha256: string; readonly roots: readonly X509Certificate[]; readonly at: Date },
): CmsSignature {
  return readable('it cannot be read', () => {
    const { contentType, content } = AsnConvert.parse(exactly(bytes), ContentInfo)
    if (contentType !== id_signedData) throw new SignatureProblem('it is no signature')
    const signed = AsnConvert.parse(content, SignedData)
    const certificates = certificatesIn(signed)
    const { signer, attributes } = signerOf(signed, [...certificates, ...roots], {
      type: DATA_CONTENT,
      // Another hash of what is signed is not known here.
      hashWith: (algorithm) => (algorithm === 'sha256' ? Buffer.from(sha256, 'hex') : null),
      namesCertificate: () => true,
    })
    if (signer.keyUsage !== undefined && !signer.keyUsage.some((purpose) => MAIL_PURPOSES.includes(purpose)))
      throw new SignatureProblem('the certificate of whoever signed it is not for signatures')
    requireChain(signer, { certificates, roots, at })
    const time = valueOf(attributes, id_signingTime)
    return {
      signer: signer.subject.replaceAll('\n', ', '),
      timeUtc: time.length === 0 ? null : AsnConvert.parse(exactly(time), Time).getTime().toISOString(),
    }
  })
}

function readable<Value>(otherwise: string, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (error instanceof SignatureProblem) throw error
    throw new SignatureProblem(otherwise, { cause: error })
  }
}
