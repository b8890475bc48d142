/** An authority that issues certificates for signatures, made with `openssl`: a root, one below it, and certificates of several kinds. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export type KeyKind = 'rsa' | 'ec' | 'ed25519'

export interface IssuedCertificate {
  /** PEM file: the certificate, then the one below the root. */
  readonly certificateFile: string
  readonly keyFile: string
}

export interface TestCertificateAuthority {
  /** PEM file with the root. */
  readonly rootFile: string
  /** PEM file with the certificate below the root, which issues the others. */
  readonly issuingFile: string
  /** @param name as in the certificate, and of its files @param given `days` until it ends; `by`: a certificate issued before, which is of no authority */
  issue(
    name: string,
    given?: { key?: KeyKind; usage?: 'mail' | 'server' | 'any'; days?: number; by?: string },
  ): IssuedCertificate
  /** A root of another name with the key of this one, as PEM. */
  rootOfAnotherName(): string
}

const USAGES = {
  mail: 'extendedKeyUsage=emailProtection',
  server: 'extendedKeyUsage=serverAuth',
  any: 'keyUsage=critical,digitalSignature',
}
const KEYS: Readonly<Record<KeyKind, readonly string[]>> = {
  rsa: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'],
  ec: ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-384'],
  ed25519: ['-algorithm', 'ED25519'],
}

/** @param folder made when it is missing @param name of the authority, as in its certificates */
export function testCertificateAuthority(folder: string, name: string): TestCertificateAuthority {
  mkdirSync(folder, { recursive: true })
  const at = (file: string): string => path.join(folder, file)
  const openssl = (...words: string[]): void =>
    void execFileSync('openssl', words, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  const CA = ['-addext', 'basicConstraints=critical,CA:true', '-addext', 'keyUsage=critical,keyCertSign']
  openssl('genpkey', ...KEYS.ec, '-out', 'root.key')
  openssl(
    'req',
    '-x509',
    '-new',
    '-key',
    'root.key',
    '-subj',
    `/O=${name}/CN=Root`,
    '-days',
    '3650',
    ...CA,
    '-out',
    'root.pem',
  )
  const below = (file: string, subject: string, signer: string, extensions: string, days: number): void => {
    openssl('req', '-new', '-key', `${file}.key`, '-subj', subject, '-out', `${file}.csr`)
    writeFileSync(at(`${file}.ext`), extensions)
    const signing = ['-CA', `${signer}.pem`, '-CAkey', `${signer}.key`, '-CAcreateserial', '-extfile', `${file}.ext`]
    openssl('x509', '-req', '-in', `${file}.csr`, ...signing, '-days', String(days), '-out', `${file}.pem`)
  }
  openssl('genpkey', ...KEYS.rsa, '-out', 'between.key')
  below(
    'between',
    `/O=${name}/CN=Issuing`,
    'root',
    'basicConstraints=critical,CA:true\nkeyUsage=critical,keyCertSign\n',
    3000,
  )
  return {
    rootFile: at('root.pem'),
    issuingFile: at('between.pem'),
    issue: (subject, { key = 'ec', usage = 'mail', days = 300, by = 'between' } = {}) => {
      openssl('genpkey', ...KEYS[key], '-out', `${subject}.key`)
      below(subject, `/O=${name}/CN=${subject}`, by, `basicConstraints=CA:false\n${USAGES[usage]}\n`, days)
      const chain = [`${subject}.pem`, ...(by === 'between' ? [] : [`${by}.pem`]), 'between.pem'].map((file) =>
        readFileSync(at(file), 'utf8'),
      )
      writeFileSync(at(`${subject}.chain.pem`), chain.join(''))
      return { certificateFile: at(`${subject}.chain.pem`), keyFile: at(`${subject}.key`) }
    },
    rootOfAnotherName: () => {
      const words = ['-x509', '-new', '-key', 'root.key', '-subj', '/O=Somebody/CN=Root', '-days', '3650', ...CA]
      openssl('req', ...words, '-out', 'namesake.pem')
      return readFileSync(at('namesake.pem'), 'utf8')
    },
  }
}
