/** An authority for timestamps (RFC 3161) on loopback, whose answers `openssl ts` makes: honest, or lying in one of several ways. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'

export type Behaviour =
  | 'honest'
  | 'another hash'
  | 'another question'
  | 'somebody else'
  | 'not for timestamps'
  | 'changed'
  | 'refuses'
  | 'a page'
  | 'an error'
  | 'elsewhere'
  | 'endless'
  | 'hangs'

export interface TestAuthority {
  readonly url: string
  /** PEM file with the root. */
  readonly rootFile: string
  behave(as: Behaviour): void
  /** How often it was asked. */
  asked(): number
  close(): Promise<void>
}

const CONFIG = `
[req]
distinguished_name = dn
[dn]
[ca]
basicConstraints = critical,CA:true
keyUsage = critical,keyCertSign
[tsa]
basicConstraints = CA:false
keyUsage = critical,digitalSignature
extendedKeyUsage = critical,timeStamping
[plain]
basicConstraints = CA:false
[tsr]
default_tsa = one
[one]
serial = SERIAL
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256, sha512
accuracy = secs:1
ess_cert_id_alg = sha256
`

/** @param folder empty */
export async function testAuthority(folder: string): Promise<TestAuthority> {
  mkdirSync(folder, { recursive: true })
  const at = (name: string): string => path.join(folder, name)
  const openssl = (...words: string[]): Buffer =>
    execFileSync('openssl', words, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] })
  writeFileSync(at('openssl.cnf'), CONFIG.replace('SERIAL', at('serial')))
  writeFileSync(at('serial'), '1000')
  const root = (name: string): void =>
    void openssl(
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '3650',
      '-subj',
      `/CN=Root of ${name}`,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.pem`,
      '-config',
      'openssl.cnf',
      '-extensions',
      'ca',
    )
  const authority = (name: string, by: string, extensions: string): void => {
    openssl(
      'req',
      '-new',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-subj',
      `/O=${name}/CN=Time Authority`,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.csr`,
      '-config',
      'openssl.cnf',
    )
    openssl(
      'x509',
      '-req',
      '-in',
      `${name}.csr`,
      '-CA',
      `${by}.pem`,
      '-CAkey',
      `${by}.key`,
      '-CAcreateserial',
      '-days',
      '3650',
      '-out',
      `${name}.pem`,
      '-extfile',
      'openssl.cnf',
      '-extensions',
      extensions,
    )
  }
  root('known')
  root('unknown')
  authority('honest', 'known', 'tsa')
  authority('other', 'unknown', 'tsa')
  authority('plain', 'known', 'plain')
  const answer = (query: string, name: string): Buffer =>
    openssl(
      'ts',
      '-reply',
      '-queryfile',
      query,
      '-signer',
      `${name}.pem`,
      '-inkey',
      `${name}.key`,
      '-chain',
      `${name === 'other' ? 'unknown' : 'known'}.pem`,
      '-config',
      'openssl.cnf',
      '-section',
      'one',
    )
  const about = (...words: string[]): string => {
    openssl('ts', '-query', ...words, '-sha256', '-cert', '-out', 'made.tsq')
    return 'made.tsq'
  }

  let behaviour: Behaviour = 'honest'
  const replies: Record<Behaviour, (query: Buffer) => Buffer | null> = {
    honest: () => answer('asked.tsq', 'honest'),
    'another hash': () => answer(about('-digest', '00'.repeat(32), '-no_nonce'), 'honest'),
    // About the right hash, and with another nonce.
    'another question': (query) => answer(about('-digest', hashIn(query)), 'honest'),
    'somebody else': () => answer('asked.tsq', 'other'),
    // openssl makes no timestamp with such a certificate, so the content of one is signed again.
    'not for timestamps': () => {
      writeFileSync(at('honest.tsr'), answer('asked.tsq', 'honest'))
      openssl('ts', '-reply', '-in', 'honest.tsr', '-token_out', '-out', 'token.der')
      openssl('cms', '-verify', '-noverify', '-inform', 'DER', '-in', 'token.der', '-out', 'content.der')
      const type = '1.2.840.113549.1.9.16.1.4'
      const signed = ['-econtent_type', type, '-cades', '-nodetach', '-binary', '-outform', 'DER', '-out', 'again.der']
      openssl('cms', '-sign', '-in', 'content.der', '-signer', 'plain.pem', '-inkey', 'plain.key', ...signed)
      return sequence(Buffer.from('3003020100', 'hex'), readFileSync(at('again.der')))
    },
    changed: () => {
      const bytes = answer('asked.tsq', 'honest')
      // The year of its time.
      const year = bytes.indexOf(Buffer.from(`${new Date().getUTCFullYear()}`))
      bytes.write('2019', year)
      return bytes
    },
    refuses: () => {
      writeFileSync(at('bad.tsq'), 'no question')
      return answer('bad.tsq', 'honest')
    },
    'a page': () => Buffer.from('<html>Sign in to the network</html>'),
    'an error': () => null,
    elsewhere: () => null,
    endless: () => null,
    hangs: () => null,
  }
  let asked = 0
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const query = Buffer.concat(parts)
      writeFileSync(at('asked.tsq'), query)
      asked += 1
      if (behaviour === 'hangs') return
      if (behaviour === 'elsewhere') return void response.writeHead(307, { location: '/elsewhere' }).end()
      if (behaviour === 'endless') {
        const more = setInterval(() => response.write(Buffer.alloc(64 * 1024)), 5)
        response.on('close', () => clearInterval(more))
        return
      }
      const body = replies[behaviour](query)
      response.writeHead(body === null ? 503 : 200, { 'content-type': 'application/timestamp-reply' })
      response.end(body ?? 'busy')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/tsa`,
    rootFile: at('known.pem'),
    behave: (as) => {
      behaviour = as
    },
    asked: () => asked,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** A query of ours has the hash behind the head of its 32 octets. */
const hashIn = (query: Buffer): string => {
  const at = query.indexOf(Buffer.from('0420', 'hex')) + 2
  return query.subarray(at, at + 32).toString('hex')
}

/** In DER, of some hundred bytes to 64 KB. */
function sequence(...members: readonly Buffer[]): Buffer {
  const all = Buffer.concat(members)
  return Buffer.concat([Buffer.from([0x30, 0x82, all.length >> 8, all.length & 0xff]), all])
}
