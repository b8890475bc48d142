import type { z } from 'zod'
import type { CertificateModel, LanHostModel, LanModel, PairingModel } from '../../../shared/network/contract.ts'
import { fingerprintWords } from '../../../shared/network/certificate-fingerprint.ts'
import { readCertificate, renewalTime } from '../../platform/certificates/authority.ts'
import { isoMillis } from '../../platform/clock/clock.ts'
import type { LanCredentials } from '../../platform/secrets/lan-keys.ts'
import type { ListenerHost } from './ports.ts'

export type LanOut = z.input<typeof LanModel>
export type PairingOut = z.input<typeof PairingModel>
type CertificateOut = z.input<typeof CertificateModel>

export const authorityModel = ({ authority }: LanCredentials): CertificateOut => ({
  ...common(authority.certificate),
  Names: [...authority.names, ...authority.networks],
  RenewsTimeUtc: null,
})

export function certificateModel({ certificate }: LanCredentials): CertificateOut {
  const facts = readCertificate(certificate.certificate)
  return {
    ...common(certificate.certificate),
    Names: [...facts.names],
    RenewsTimeUtc: isoMillis(renewalTime(facts)),
  }
}

function common(pem: string) {
  const { subject, issuer, serialNumber, notBefore, notAfter, fingerprint } = readCertificate(pem)
  return {
    Subject: subject,
    Issuer: issuer,
    SerialNumber: serialNumber,
    NotBeforeUtc: isoMillis(notBefore),
    NotAfterUtc: isoMillis(notAfter),
    Sha256Fingerprint: fingerprint,
    Words: fingerprintWords(fingerprint),
  }
}

export const hostModel = (host: ListenerHost, source: string): z.input<typeof LanHostModel> => ({
  Address: host.address,
  HostName: host.hostName,
  People: host.people.map(({ id, name, kind }) => ({ PrincipalId: id, Name: name, PrincipalType: kind })),
  SinceUtc: isoMillis(host.since),
  LastRequestTimeUtc: host.lastRequestAt === null ? null : isoMillis(host.lastRequestAt),
  LastRequest: host.lastRequest,
  Connections: host.connections,
  Requests: host.requests,
  RequestsUnderWay: host.underWay,
  BytesReceived: host.received,
  BytesSent: host.sent,
  ThisOne: host.address === source,
})

export const PEM_PATH = '/pairing/ca.pem'
export const DER_PATH = '/pairing/ca.crt'

/** @param origin of the request: the addresses are on it. */
export function pairingCa(held: LanCredentials, origin: string): NonNullable<PairingOut['Ca']> {
  const { Subject, NotBeforeUtc, NotAfterUtc, Sha256Fingerprint, Words } = authorityModel(held)
  return {
    Subject,
    NotBeforeUtc,
    NotAfterUtc,
    Sha256Fingerprint,
    Words,
    Pem: `${origin}${PEM_PATH}`,
    Der: `${origin}${DER_PATH}`,
  }
}
