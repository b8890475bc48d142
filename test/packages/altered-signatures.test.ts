/** S19: what an authority that lies signs with its own key: each part of a timestamp and of a signature is asked for by itself. */
import { createHash, createPrivateKey, sign, X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  Attribute,
  ContentInfo,
  EncapsulatedContent,
  id_contentType,
  id_data,
  id_messageDigest,
  SignedData,
  type SignerInfo,
  SignerInfos,
} from '@peculiar/asn1-cms'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import { TimeStampResp, TSTInfo } from '@peculiar/asn1-tsp'
import { AlgorithmIdentifier } from '@peculiar/asn1-x509'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkCmsSignature, createCmsSigner } from '../../server/platform/signatures/cms-signature.ts'
import { certificatesInPem, exactly, setOf } from '../../server/platform/signatures/signed-data.ts'
import { checkTimestamp, timestampQuery } from '../../server/platform/timestamps/timestamp-token.ts'
import { testCertificateAuthority } from '../support/certificate-authority.ts'
import { testAuthority, type TestAuthority } from '../support/timestamp-authority.ts'

const SHA = createHash('sha256').update('what is signed').digest('hex')
const NONCE = Buffer.from('0102030405060708', 'hex')
const folder = mkdtempSync(path.join(tmpdir(), 'sallyport-signatures-'))

let authority: TestAuthority
/** An honest answer. */
let honest: Buffer
let roots: X509Certificate[]
beforeAll(async () => {
  authority = await testAuthority(path.join(folder, 'time'))
  const reply = await fetch(authority.url, {
    method: 'POST',
    headers: { 'content-type': 'application/timestamp-query' },
    body: new Uint8Array(timestampQuery(SHA, NONCE)),
  })
  honest = Buffer.from(await reply.arrayBuffer())
  roots = certificatesInPem(readFileSync(authority.rootFile, 'utf8'))
})
afterAll(async () => {
  await authority?.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Token {
  readonly signed: SignedData
  readonly info: TSTInfo
  readonly signer: SignerInfo
  contentType?: string
}

/** Changes a token, and signs it again with the key of whoever made it. @param after is done last, and not signed */
function altered(alter: (token: Token) => void, after: (token: Token) => void = () => {}): Buffer {
  const response = AsnConvert.parse(exactly(honest), TimeStampResp)
  const { timeStampToken } = response
  if (timeStampToken === undefined) throw new Error('The authority gave no token')
  const signed = AsnConvert.parse(timeStampToken.content, SignedData)
  const { single } = signed.encapContentInfo.eContent as EncapsulatedContent
  const info = AsnConvert.parse((single as OctetString).buffer, TSTInfo)
  const [signer] = signed.signerInfos as unknown as [SignerInfo]
  const token: Token = { signed, info, signer }
  alter(token)
  const content = AsnConvert.serialize(info)
  signed.encapContentInfo.eContent = new EncapsulatedContent({ single: new OctetString(content) })
  const digest = new OctetString(createHash('sha256').update(Buffer.from(content)).digest())
  const attributes = (signer.signedAttrs ?? []).map((one) =>
    one.attrType === id_messageDigest
      ? new Attribute({ attrType: one.attrType, attrValues: [AsnConvert.serialize(digest)] })
      : one,
  )
  signer.signedAttrs = attributes
  const key = createPrivateKey(readFileSync(path.join(folder, 'time/honest.key')))
  signer.signature = new OctetString(sign('sha256', setOf(attributes), key))
  after(token)
  if (token.contentType !== undefined) timeStampToken.contentType = token.contentType
  timeStampToken.content = AsnConvert.serialize(signed)
  return Buffer.from(AsnConvert.serialize(response))
}

const check = (answer: Uint8Array) => checkTimestamp(answer, { sha256: SHA, nonce: NONCE, roots })

describe('S19 a timestamp', () => {
  it('is taken as the authority made it, and signed again unchanged', () => {
    expect(check(honest)).toMatchObject({ authority: expect.stringContaining('Time Authority') })
    expect(check(altered(() => {}))).toEqual(check(honest))
  })

  it.each<{ what: string; alter: (token: Token) => void; after?: (token: Token) => void; says: RegExp }>([
    {
      what: 'with the same bytes as a hash of another kind',
      alter: ({ info }) => {
        info.messageImprint.hashAlgorithm = new AlgorithmIdentifier({ algorithm: '2.16.840.1.101.3.4.2.8' })
      },
      says: /about other bytes/,
    },
    {
      what: 'in something that is no signed data',
      alter: (token) => {
        token.contentType = id_data
      },
      says: /has no timestamp in it/,
    },
    {
      what: 'whose content is said to be something else',
      alter: ({ signed }) => {
        signed.encapContentInfo.eContentType = id_data
      },
      says: /has no timestamp in it/,
    },
    {
      what: 'whose signature is about something else than a timestamp',
      alter: ({ signer }) => {
        signer.signedAttrs = (signer.signedAttrs ?? []).map((one) =>
          one.attrType === id_contentType
            ? new Attribute({
                attrType: one.attrType,
                attrValues: [exactly(Buffer.from('06092a864886f70d010701', 'hex'))],
              })
            : one,
        )
      },
      says: /signature is about other content/,
    },
    {
      what: 'that names another certificate than the one that signed',
      alter: ({ signer }) => {
        const raw = new X509Certificate(readFileSync(path.join(folder, 'time/honest.pem'))).raw
        const own = createHash('sha256').update(raw).digest()
        signer.signedAttrs = (signer.signedAttrs ?? []).map((one) => {
          const values = one.attrValues.map((value) => {
            const bytes = Buffer.from(value)
            const at = bytes.indexOf(own)
            if (at !== -1) bytes.fill(0xaa, at, at + own.length)
            return exactly(bytes)
          })
          return new Attribute({ attrType: one.attrType, attrValues: values })
        })
      },
      says: /its signature does not hold/,
    },
    {
      what: 'without a signature',
      alter: () => {},
      after: ({ signed }) => {
        signed.signerInfos = new SignerInfos([])
      },
      says: /does not have one signature/,
    },
    {
      what: 'with two signatures',
      alter: () => {},
      after: ({ signed, signer }) => {
        signed.signerInfos = new SignerInfos([signer, signer])
      },
      says: /does not have one signature/,
    },
    {
      what: 'that says it is signed by a way that is not taken',
      alter: ({ signer }) => {
        signer.signatureAlgorithm = new AlgorithmIdentifier({ algorithm: '1.2.840.113549.1.1.10' })
      },
      says: /signed in a way that is not known here/,
    },
    {
      what: 'that says it is hashed by MD5',
      alter: ({ signer }) => {
        signer.digestAlgorithm = new AlgorithmIdentifier({ algorithm: '1.2.840.113549.2.5' })
      },
      says: /signed in a way that is not known here/,
    },
    {
      what: 'without signed attributes',
      alter: () => {},
      after: ({ signer }) => {
        delete signer.signedAttrs
      },
      says: /signed in a way that is not known here/,
    },
  ])('$what is refused', ({ alter, after, says }) => {
    expect(() => check(altered(alter, after))).toThrow(says)
  })

  it('is asked for with a number of eight bytes', () => {
    for (const bytes of [7, 9]) expect(() => timestampQuery(SHA, Buffer.alloc(bytes, 1))).toThrow(/A nonce has 8 bytes/)
  })
})

describe('S19 a signature of an agency', () => {
  const made = () => {
    const agency = testCertificateAuthority(path.join(folder, 'agency'), 'State')
    const { certificateFile, keyFile } = agency.issue('station')
    const files = { certificates: readFileSync(certificateFile, 'utf8'), key: readFileSync(keyFile, 'utf8') }
    return { files, root: certificatesInPem(readFileSync(agency.rootFile, 'utf8')) }
  }

  it('holds, and not in something that is no signed data, nor over a hash of another kind', () => {
    const { files, root } = made()
    const at = new Date()
    const bytes = createCmsSigner(files).sign(SHA, at)
    const holds = (of: Uint8Array) => checkCmsSignature(of, { sha256: SHA, roots: root, at })
    expect(holds(bytes).signer).toContain('station')

    const outer = AsnConvert.parse(exactly(bytes), ContentInfo)
    outer.contentType = id_data
    expect(() => holds(Buffer.from(AsnConvert.serialize(outer)))).toThrow(/it is no signature/)

    const inner = AsnConvert.parse(exactly(bytes), ContentInfo)
    const signed = AsnConvert.parse(inner.content, SignedData)
    const [signer] = signed.signerInfos as unknown as [SignerInfo]
    signer.digestAlgorithm = new AlgorithmIdentifier({ algorithm: '2.16.840.1.101.3.4.2.3' })
    inner.content = AsnConvert.serialize(signed)
    expect(() => holds(Buffer.from(AsnConvert.serialize(inner)))).toThrow(/signed in a way that is not known here/)
  })

  it('is made by a certificate that is valid then, and by none without one', () => {
    const { files } = made()
    const signer = createCmsSigner(files)
    for (const at of ['2001-01-01', '2101-01-01']) expect(() => signer.sign(SHA, new Date(at))).toThrow(/is valid from/)
    expect(() => createCmsSigner({ ...files, certificates: '' })).toThrow(/certificate/)
  })
})
