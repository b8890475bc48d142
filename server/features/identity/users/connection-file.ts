import type { KeyObject } from 'node:crypto'
import { fault } from '../../../../shared/kernel/errors.ts'

/** Means "no bound" in the validity of a key; integrations expect this form (interfaces 2.8, decisions 9). */
const NO_DATE = '0001-01-01T00:00:00'

/** The key of a connection file: a JSON web key whose unused members are null. */
export interface ServicePrincipalKey {
  readonly k: null
  readonly kid: string
  readonly kty: 'RSA'
  readonly use: null
  readonly n: string
  readonly e: string
  readonly x5t: null
  readonly d: string
  readonly p: string
  readonly q: string
  readonly dp: string
  readonly dq: string
  readonly qi: string
  readonly nbf: string
  readonly exp: string
}

/** `config.json` (interfaces 2.8, decisions 9). Holds the only copy of the private key and of the API key. */
export interface ConnectionFile {
  readonly TenantId: string
  readonly ServicePrincipalId: string
  readonly ServicePrincipalKey: ServicePrincipalKey
  readonly APIKey: string
  readonly ApiBaseAddresses: readonly string[]
  readonly SecurityTokenServiceBaseAddresses: readonly string[]
  readonly CADApiAddresses: readonly string[]
  readonly CaseServiceBaseAddresses: readonly string[]
  readonly DeviceServiceBaseAddresses: readonly string[]
  readonly DocumentStoreBaseAddresses: readonly string[]
  readonly KeyStoreBaseAddresses: readonly string[]
  readonly SearchServiceBaseAddresses: readonly string[]
  readonly UserServiceBaseAddresses: readonly string[]
  readonly CertificateThumbprints: readonly string[]
  readonly DisableEncryption: true
}

export interface ConnectionFileParts {
  readonly tenantId: string
  readonly principalId: string
  readonly kId: string
  readonly privateKey: KeyObject
  readonly apiKey: string
  /** Scheme, host and port. */
  readonly origin: string
  /** SHA-256 of the station's CA, then of its certificate; empty for an address without TLS. */
  readonly certificates: readonly string[]
}

export function connectionFile({
  tenantId,
  principalId,
  kId,
  privateKey,
  apiKey,
  origin,
  certificates,
}: ConnectionFileParts): ConnectionFile {
  return {
    TenantId: tenantId,
    ServicePrincipalId: principalId,
    ServicePrincipalKey: keyMembers(privateKey, kId),
    APIKey: apiKey,
    ApiBaseAddresses: [origin],
    SecurityTokenServiceBaseAddresses: [`${origin}/connect`],
    CADApiAddresses: [`${origin}/cadservice`],
    CaseServiceBaseAddresses: [`${origin}/api/v1`],
    DeviceServiceBaseAddresses: [`${origin}/api/v1`],
    DocumentStoreBaseAddresses: [`${origin}/api/v1`],
    KeyStoreBaseAddresses: [`${origin}/keystore/api/v1`],
    SearchServiceBaseAddresses: [`${origin}/searchservice/api/v1`],
    UserServiceBaseAddresses: [`${origin}/userservice/api/v1`],
    CertificateThumbprints: certificates,
    DisableEncryption: true,
  }
}

function keyMembers(privateKey: KeyObject, kid: string): ServicePrincipalKey {
  const { n, e, d, p, q, dp, dq, qi } = privateKey.export({ format: 'jwk' }) as Record<
    'n' | 'e' | 'd' | 'p' | 'q' | 'dp' | 'dq' | 'qi',
    string
  >
  return { k: null, kid, kty: 'RSA', use: null, n, e, x5t: null, d, p, q, dp, dq, qi, nbf: NO_DATE, exp: NO_DATE }
}

/** @throws Fault InvalidModel unless it is a plain http or https origin: the station answers at the root of its names only. */
export function originOf(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null
  const plain =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.pathname === '/' &&
    url.search + url.hash + url.username + url.password === ''
  if (!plain) {
    throw fault('InvalidModel', 'The base address cannot be used.', [
      {
        Path: 'baseUrl',
        Message: 'It must be http:// or https:// with a name and, if need be, a port, and nothing else.',
      },
    ])
  }
  return url.origin
}
