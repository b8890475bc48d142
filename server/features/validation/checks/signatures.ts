import { join } from 'node:path'
import { ed25519PublicKey } from '../../../kernel/ledger/signed-note.ts'
import { writeNew } from '../../../platform/files/trees.ts'
import type { Openssl } from '../../../platform/run/openssl.ts'
import type { SigningKeys } from '../../../platform/secrets/keys.ts'
import type { PackageSigner } from '../../../platform/secrets/package-key.ts'
import { type Finding, judged, type ScratchArea, unknown } from './check.ts'

export interface SignatureDeps {
  readonly packageKey: PackageSigner
  readonly ledgerKey: ReturnType<SigningKeys['current']>
  readonly openssl: Openssl | null
}

/** The first line keeps the signature from being valid for anything else: neither a checkpoint, a snapshot nor the list of a package begins so. */
const TEXT = 'sallyport validation\nThis text shows that the keys of the station sign, and nothing else.\n'
const DONE =
  'Signed a text with the key of packages and with that of the ledger, and had the openssl program verify both signatures, and refuse them for a changed text.'

export async function checkSignatures(
  { packageKey, ledgerKey, openssl }: SignatureDeps,
  { data }: ScratchArea,
): Promise<Finding> {
  if (openssl === null)
    return unknown(
      DONE,
      'The program openssl is not installed on this machine, so nobody but the station itself could verify.',
    )
  const at = (name: string): string => join(data, name)
  const [content, changed] = [at('signed.txt'), at('changed.txt')]
  await writeNew(content, TEXT)
  await writeNew(changed, TEXT.replace('keys', 'kays'))
  const bytes = Buffer.from(TEXT)
  const signers = [
    {
      name: 'The key of packages',
      key: at('package.pem'),
      pem: packageKey.publicKey,
      signature: at('package.sig'),
      signed: packageKey.sign(bytes),
      verify: openssl.verifySha256,
    },
    {
      name: 'The key of the ledger',
      key: at('ledger.pem'),
      pem: ed25519PublicKey(ledgerKey.publicKey).export({ type: 'spki', format: 'pem' }),
      signature: at('ledger.sig'),
      signed: ledgerKey.sign(bytes),
      verify: openssl.verifyEd25519,
    },
  ]
  const problems: string[] = []
  for (const { name, key, pem, signature, signed, verify } of signers) {
    await writeNew(key, pem)
    await writeNew(signature, signed)
    if (!(await verify({ key, signature, content }))) problems.push(`${name}: openssl refuses what it signed.`)
    if (await verify({ key, signature, content: changed }))
      problems.push(`${name}: openssl accepts its signature for another text.`)
  }
  return judged(
    DONE,
    { openssl: openssl.version, packageKey: packageKey.fingerprint, signatures: signers.length },
    problems,
  )
}
