import { createPrivateKey, X509Certificate } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LOOPBACK_NETWORKS, PRIVATE_NETWORKS } from '../network/networks.ts'
import {
  CERTIFICATE_LIFE,
  type Credential,
  makeAuthority,
  makeCertificate,
  readCertificate,
  reaches,
  renewalTime,
} from './authority.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 10, 22)
const REACH = {
  names: ['evidence-pc', 'evidence-pc.local', 'localhost', 'evidence.pd.example'],
  networks: [...PRIVATE_NETWORKS, ...LOOPBACK_NETWORKS],
}
const folder = mkdtempSync(path.join(tmpdir(), 'sallyport-ca-'))
const file = (name: string, text: string): string => {
  const place = path.join(folder, name)
  writeFileSync(place, text)
  return place
}
/** Whether a client that trusts only the CA accepts the certificate, by the verdict of OpenSSL. */
function accepted(ca: Credential, leaf: Credential): string {
  try {
    return execFileSync(
      'openssl',
      [
        'verify',
        '-x509_strict',
        '-attime',
        String(NOW / 1000),
        '-purpose',
        'sslserver',
        '-CAfile',
        file('ca.pem', ca.certificate),
        file('leaf.pem', leaf.certificate),
      ],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
    )
  } catch (error) {
    return String((error as { stderr: string }).stderr)
  }
}

let ca: Credential
beforeAll(async () => {
  ca = await makeAuthority('Sallyport CA of evidence-pc', REACH, NOW)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the station’s CA (decisions 10)', () => {
  it('is a CA for servers only, with path length 0, constrained to its names and private networks', () => {
    const text = execFileSync('openssl', ['x509', '-noout', '-text', '-in', file('ca.pem', ca.certificate)], {
      encoding: 'utf8',
    })
    expect(text).toContain('CA:TRUE, pathlen:0')
    expect(text).toContain('Certificate Sign, CRL Sign')
    expect(text).toMatch(/X509v3 Extended Key Usage:\s+TLS Web Server Authentication\s/)
    expect(text).toMatch(/X509v3 Name Constraints: critical/)
    for (const part of [
      'DNS:evidence.pd.example',
      'DNS:evidence-pc.local',
      'IP:10.0.0.0/255.0.0.0',
      'IP:192.168.0.0/255.255.0.0',
    ])
      expect(text).toContain(part)
    expect(text).toContain('prime256v1')
    const facts = readCertificate(ca.certificate)
    expect(facts.subject).toBe('Sallyport CA of evidence-pc')
    expect(facts.fingerprint).toBe(new X509Certificate(ca.certificate).fingerprint256.replaceAll(':', '').toLowerCase())
    expect(createPrivateKey(ca.key).asymmetricKeyDetails?.namedCurve).toBe('prime256v1')
  })

  it('makes certificates that OpenSSL accepts, for names and addresses, of at most 397 days', async () => {
    const names = ['evidence.pd.example', 'evidence-pc.local', '10.20.30.40', 'fd00::7']
    const leaf = await makeCertificate(ca, names, NOW)
    expect(accepted(ca, leaf)).toMatch(/: OK/)
    const facts = readCertificate(leaf.certificate)
    expect(facts.names).toEqual(names)
    expect(facts.notAfter - facts.notBefore).toBeLessThan(CERTIFICATE_LIFE)
    expect(facts.notAfter - facts.notBefore).toBeGreaterThan(396 * DAY)
    expect(renewalTime(facts)).toBeLessThan(facts.notAfter - 40 * DAY)
    const again = await makeCertificate(ca, names, NOW)
    expect(readCertificate(again.certificate).serialNumber).not.toBe(facts.serialNumber)
    expect(again.key).not.toBe(leaf.key)
  })

  it.each([
    'station.evil.example',
    'google.com',
    '8.8.8.8',
    '2001:db8::1',
    'notevidence.pd.example',
    'evidence.pd.example.evil',
  ])('does not reach %s, and OpenSSL rejects a certificate for it', async (name) => {
    expect(reaches(REACH)(name)).toBe(false)
    expect(accepted(ca, await makeCertificate(ca, [name], NOW))).toMatch(/permitted subtree violation/)
  })

  it.each(['evidence.pd.example', 'cad.evidence.pd.example', 'localhost', '127.0.0.1', '::1', '172.20.1.1', 'fe80::1'])(
    'reaches %s, and OpenSSL accepts a certificate for it',
    async (name) => {
      expect(reaches(REACH)(name)).toBe(true)
      expect(accepted(ca, await makeCertificate(ca, [name], NOW))).toMatch(/: OK/)
    },
  )

  it('cannot make another CA that OpenSSL accepts', async () => {
    const below = await makeCertificate(ca, ['evidence-pc'], NOW)
    const leaf = await makeCertificate({ key: below.key, certificate: below.certificate }, ['evidence-pc'], NOW)
    const result = accepted({ key: '', certificate: ca.certificate + below.certificate }, leaf)
    expect(result).not.toMatch(/: OK/)
  })

  it('a certificate never outlives its CA', async () => {
    const late = readCertificate(ca.certificate).notAfter - 30 * DAY
    const facts = readCertificate((await makeCertificate(ca, ['evidence-pc'], late)).certificate)
    expect(facts.notAfter).toBe(readCertificate(ca.certificate).notAfter)
  })
})
