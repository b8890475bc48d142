import { join } from 'node:path'
import { ed25519PublicKey } from '../../../kernel/ledger/signed-note.ts'
import { writeNew } from '../../../platform/files/trees.ts'
import type { Openssl } from '../../../platform/run/openssl.ts'
import type { SigningKeys } from '../../../platform/secrets/keys.ts'
import type { PackageSigner } from '../../../platform/secrets/package-key.ts'
import { type Finding, judged, type ScratchArea, unknown } from './check.ts'
import { validationReason } from '../../../../shared/messages/validation-reasons.ts'

export interface SignatureDeps {
  readonly packageKey: PackageSigner
  readonly ledgerKey: ReturnType<SigningKeys['current']>
  readonly openssl: Openssl | null
}

/** The first line keeps the signature from being valid for anything else: neither a checkpoint, a snapshot nor the list of a package begins so. */
const TEXT = 'sallyport validation\nThis text shows that the keys of the station sign, and nothing else.\n'
const DONE = validationReason('didSignatures')

export async function checkSignatures(
  { packageKey, ledgerKey, openssl }: SignatureDeps,
  { data }: ScratchArea,
): Promise<Finding> {
  if (openssl === null) return unknown(DONE, validationReason('noOpenssl'))
  const at = (name: string): string => join(data, name)
  const [content, changed] = [at('signed.txt'), at('changed.txt')]
  await writeNew(content, TEXT)
  await writeNew(changed, TEXT.replace('keys', 'kays'))
  const bytes = Buffer.from(TEXT)
  const signers = [
    {
      refused: 'packageRefused',
      accepted: 'packageAccepted',
      key: at('package.pem'),
      pem: packageKey.publicKey,
      signature: at('package.sig'),
      signed: packageKey.sign(bytes),
      verify: openssl.verifySha256,
    },
    {
      refused: 'ledgerRefused',
      accepted: 'ledgerAccepted',
      key: at('ledger.pem'),
      pem: ed25519PublicKey(ledgerKey.publicKey).export({ type: 'spki', format: 'pem' }),
      signature: at('ledger.sig'),
      signed: ledgerKey.sign(bytes),
      verify: openssl.verifyEd25519,
    },
  ] as const
  const problems: string[] = []
  for (const { refused, accepted, key, pem, signature, signed, verify } of signers) {
    await writeNew(key, pem)
    await writeNew(signature, signed)
    if (!(await verify({ key, signature, content }))) problems.push(validationReason(refused))
    if (await verify({ key, signature, content: changed })) problems.push(validationReason(accepted))
  }
  return judged(
    DONE,
    { openssl: openssl.version, packageKey: packageKey.fingerprint, signatures: signers.length },
    problems,
  )
}
