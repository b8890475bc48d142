import { join } from 'node:path'
import { removeFile, writeNew } from '../../../platform/files/trees.ts'
import type { BlobStore } from '../../../storage/store.ts'
import { type Finding, judged, type ScratchArea } from './check.ts'
import { validationReason } from '../../../../shared/messages/validation-reasons.ts'

interface KnownAnswer {
  readonly name: string
  readonly message: () => Uint8Array
  readonly sha256: string
}

const text = (message: string) => (): Uint8Array => Buffer.from(message)
const hex = (message: string) => (): Uint8Array => Buffer.from(message, 'hex')

/** NIST CAVP, SHA256LongMsg.rsp, Len = 1304. */
const LONG =
  '451101250ec6f26652249d59dc974b7361d571a8101cdfd36aba3b5854d3ae086b5fdd4597721b66e3c0dc5d8c606d9657d0e323283a5217d1f53f2f284f57b85c8a61ac8924711f895c5ed90ef17745ed2d728abd22a5f7a13479a462d71b56c19a74a40b655c58edfe0a188ad2cf46cbf30524f65d423c837dd1ff2bf462ac4198007345bb44dbb7b1c861298cdf61982a833afc728fae1eda2f87aa2c9480858bec'

/**
 * Known answers of NIST: CAVP (SHA256ShortMsg.rsp and SHA256LongMsg.rsp of shabytetestvectors.zip), and the examples for SHA-256 that go with the
 * Secure Hash Standard (FIPS 180).
 */
const KNOWN_ANSWERS: readonly KnownAnswer[] = [
  {
    name: 'CAVP short, 0 bits',
    message: text(''),
    sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  },
  {
    name: 'CAVP short, 8 bits',
    message: hex('d3'),
    sha256: '28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1',
  },
  {
    name: 'CAVP long, 1304 bits',
    message: hex(LONG),
    sha256: '3c593aa539fdcdae516cdf2f15000f6634185c88f505b39775fb9ab137a10aa2',
  },
  {
    name: 'FIPS 180 example, 24 bits',
    message: text('abc'),
    sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  },
  {
    name: 'FIPS 180 example, 448 bits',
    message: text('abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq'),
    sha256: '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  },
  {
    name: 'FIPS 180 example, 896 bits',
    message: text(
      'abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu',
    ),
    sha256: 'cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1',
  },
  {
    name: 'FIPS 180 example, one million letters',
    message: () => Buffer.alloc(1_000_000, 'a'),
    sha256: 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0',
  },
]

/** Hashes messages of NIST as evidence is hashed: by the threads of the store, once where they lie and once while they are taken in. */
export async function checkHashes(
  { store }: { readonly store: Pick<BlobStore, 'hashFile' | 'copyIn' | 'discard'> },
  { data }: ScratchArea,
  signal: AbortSignal,
): Promise<Finding> {
  const problems: string[] = []
  let bytes = 0
  for (const [index, { name, message, sha256 }] of KNOWN_ANSWERS.entries()) {
    signal.throwIfAborted()
    const file = join(data, `hash-${index}`)
    const content = message()
    await writeNew(file, content)
    bytes += content.length
    const read = await store.hashFile(file, { signal })
    const staged = await store.copyIn(file, { signal })
    await store.discard(staged)
    await removeFile(file)
    for (const [how, found] of [
      ['otherRead', read.sha256],
      ['otherTakenIn', staged.sha256],
    ] as const)
      if (found !== sha256) problems.push(validationReason(how, { name, found, expected: sha256 }))
  }
  return judged(
    validationReason('didHashes'),
    { messages: KNOWN_ANSWERS.length, hashes: 2 * KNOWN_ANSWERS.length, bytes },
    problems,
  )
}
