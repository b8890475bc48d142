/**
 * The station's own CA and its certificates (decisions 10): ECDSA P-256. Name constraints limit the CA to the names and private networks
 * written into it, and it cannot make another CA. The keys are in keys/ (decisions 12).
 */
import { createHash, createPrivateKey, randomBytes, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { addressBytes, maskByte, readNetwork, withinNetworks } from '../network/networks.ts'
import { sequence, tagged } from './der.ts'

/** A certificate with its key, both PEM. The key is a secret. */
export interface Credential {
  readonly key: string
  readonly certificate: string
}

/** Names and networks that a CA may certify. A name includes its subdomains (RFC 5280, 4.2.1.10). */
export interface Reach {
  readonly names: readonly string[]
  readonly networks: readonly string[]
}

const DAY = 86_400_000
const HOUR = 3_600_000
const CA_LIFE = 3650 * DAY
/** Browsers accept at most 398 days (CA/Browser Forum). */
export const CERTIFICATE_LIFE = 397 * DAY
/** Hosts may have wrong clocks. A new certificate must be valid for them already. */
const BACKDATED = HOUR
/** Time of the renewal before the end. A station that is off for a holiday so comes back with a valid certificate. */
const RENEWED_BEFORE = 45 * DAY

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
/** Common name of a certificate without DNS names. OpenSSL checks one that looks like a host name against the constraints, which an address never fits. */
const NO_NAME = 'Sallyport station'
const NAME_CONSTRAINTS = '2.5.29.30'
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1'

/** Loads the library only when a certificate is made, once a year. Loading it at each start would cost a tenth of a second. */
async function library() {
  await import('reflect-metadata')
  return import('@peculiar/x509')
}

/** @param about common name, which people see in their list of authorities */
export async function makeAuthority(about: string, reach: Reach, now: number): Promise<Credential> {
  const x509 = await library()
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serial(),
    name: [{ CN: [about] }],
    notBefore: new Date(now - BACKDATED),
    notAfter: new Date(now - BACKDATED + CA_LIFE),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      new x509.ExtendedKeyUsageExtension([SERVER_AUTH], false),
      new x509.Extension(NAME_CONSTRAINTS, true, nameConstraints(reach)),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return { key: await pemOf(keys.privateKey), certificate: certificate.toString('pem') }
}

/** @param names DNS names and addresses, the one that people use first. The CA must reach all of them. */
export async function makeCertificate(ca: Credential, names: readonly string[], now: number): Promise<Credential> {
  const x509 = await library()
  const issuer = new x509.X509Certificate(ca.certificate)
  const pkcs8 = createPrivateKey(ca.key).export({ type: 'pkcs8', format: 'der' })
  const signingKey = await crypto.subtle.importKey('pkcs8', new Uint8Array(pkcs8), ALGORITHM, false, ['sign'])
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
  const notBefore = Math.max(now - BACKDATED, issuer.notBefore.getTime())
  // One second less, since both ends are inclusive.
  const notAfter = Math.min(notBefore + CERTIFICATE_LIFE - 1000, issuer.notAfter.getTime())
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serial(),
    subject: [{ CN: [names.find((name) => isIP(name) === 0 && name.length <= 64) ?? NO_NAME] }],
    issuer: issuer.subject,
    notBefore: new Date(notBefore),
    notAfter: new Date(notAfter),
    signingAlgorithm: ALGORITHM,
    publicKey: keys.publicKey,
    signingKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([SERVER_AUTH], false),
      new x509.SubjectAlternativeNameExtension(
        names.map((value) => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value })),
      ),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return { key: await pemOf(keys.privateKey), certificate: certificate.toString('pem') }
}

/** RFC 5280, 4.1.2.2: positive, at most 20 bytes; here with 126 random bits. */
function serial(): string {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] as number) & 0x3f) | 0x40
  return bytes.toString('hex')
}

async function pemOf(key: Parameters<typeof crypto.subtle.exportKey>[1]): Promise<string> {
  const der = Buffer.from(await crypto.subtle.exportKey('pkcs8', key))
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({ type: 'pkcs8', format: 'pem' }) as string
}

/** RFC 5280, 4.2.1.10: permittedSubtrees [0] of dNSName [2] and iPAddress [7], an address with its mask. */
function nameConstraints({ names, networks }: Reach): Uint8Array<ArrayBuffer> {
  const subtrees = [
    ...names.map((name) => sequence(tagged(0x82, Buffer.from(name, 'ascii')))),
    ...networks.map((text) => {
      const network = readNetwork(text)
      if (network === null) throw new Error(`${text} is not a network`)
      const bytes = addressBytes(network.address)
      const mask = bytes.map((_byte, index) => maskByte(network.prefix, index))
      return sequence(tagged(0x87, Buffer.from([...bytes, ...mask])))
    }),
  ]
  return new Uint8Array(sequence(tagged(0xa0, Buffer.concat(subtrees))))
}

/** Whether a CA of this reach may certify a DNS name or an address. */
export function reaches({ names, networks }: Reach): (name: string) => boolean {
  const within = withinNetworks(networks)
  return (name) =>
    isIP(name) === 0 ? names.some((known) => name === known || name.endsWith(`.${known}`)) : within(name)
}

export interface CertificateFacts {
  readonly subject: string
  readonly issuer: string
  readonly serialNumber: string
  /** DNS names, then addresses. */
  readonly names: readonly string[]
  readonly notBefore: number
  readonly notAfter: number
  /** SHA-256 of the certificate, hexadecimal in lower case. */
  readonly fingerprint: string
  readonly der: Uint8Array
}

export function readCertificate(pem: string): CertificateFacts {
  const read = new X509Certificate(pem)
  const parts = (read.subjectAltName ?? '').split(', ')
  const of = (kind: string): string[] =>
    parts.filter((part) => part.startsWith(kind)).map((part) => part.slice(kind.length))
  return {
    subject: commonName(read.subject),
    issuer: commonName(read.issuer),
    serialNumber: read.serialNumber.toLowerCase(),
    names: [...of('DNS:'), ...of('IP Address:').map(canonicalAddress)],
    notBefore: read.validFromDate.getTime(),
    notAfter: read.validToDate.getTime(),
    fingerprint: createHash('sha256').update(read.raw).digest('hex'),
    der: new Uint8Array(read.raw),
  }
}

const commonName = (name: string): string => /^CN=(.*)$/m.exec(name)?.[1] ?? name
/** OpenSSL writes every group of an IPv6 address. This gives the usual short form. */
const canonicalAddress = (address: string): string => readNetwork(address)?.address ?? address

/** When the certificate is to be renewed. */
export const renewalTime = ({ notBefore, notAfter }: CertificateFacts): number =>
  Math.max(notBefore, notAfter - RENEWED_BEFORE)
