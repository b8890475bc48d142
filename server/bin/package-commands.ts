/** Packages from the terminal (docs/decisions/0034). */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import {
  PACKAGE_LANGUAGES,
  PACKAGE_PAPERS,
  PACKAGE_PARTS,
  PACKAGE_VARIANTS,
  type PackageForm,
  PASSPHRASE_LENGTH,
} from '../../shared/packages/kinds.ts'
import type { SaidCosignature } from '../kernel/ledger/cosignature.ts'
import type { MadePackage, PackageProgress, Packages } from '../features/packages/packages.service.ts'
import type { PackageRow } from '../features/packages/packages.store.ts'
import { readText } from '../platform/files/read-text.ts'
import { DATA, JSON_FLAG, note, one, out, row, settings } from './arguments.ts'
import type { Command } from './command.ts'
import { UsageError } from './error-messages.ts'
import { formatBytes, oneLine, progressLine } from './format.ts'
import { inStation } from './in-station.ts'

export const PACKAGE_COMMANDS: readonly (readonly [string, Command])[] = [
  [
    'package create',
    {
      usage:
        'package create (--case ID | --evidence ID …) --to FOLDER|FILE.zip|FILE.iso [--variant prosecution|defence|court] [--with copies,clips,stills] [--papers certificate-902-14,…] [--language en|fr] [--encrypt-with PASSPHRASE-FILE] [--supplements NUMBER]',
      does: 'makes a package of evidence that anybody can verify with plain tools, in an existing folder, or as a ZIP file or disc image; with --supplements only of what that package does not have; prints where it is last',
      run: create,
    },
  ],
  [
    'package verify',
    {
      usage: 'package verify PATH [--key FINGERPRINT] [--authority CERTIFICATES.pem] [--witness FINGERPRINT …]',
      does: 'verifies a package, also of another station; exit 1 with a list when something does not hold',
      run: verify,
    },
  ],
  [
    'package timestamp',
    {
      usage: 'package timestamp NUMBER',
      does: 'gets a timestamp of the authority that is set for a package that has none, and adds it to the package',
      run: adding<Awaited<ReturnType<Packages['stamp']>>>('package.timestamp', ({ timeUtc, authority }) =>
        out(oneLine(`${timeUtc}, by ${authority}.`)),
      ),
    },
  ],
  [
    'package sign',
    {
      usage: 'package sign NUMBER',
      does: 'signs a package for the agency with the certificate that is set, where it has no such signature, and adds that to the package',
      run: adding<Awaited<ReturnType<Packages['sign']>>>('package.sign', ({ signer }) =>
        out(oneLine(`Signed for the agency: ${signer}.`)),
      ),
    },
  ],
  [
    'package cosign',
    {
      usage: 'package cosign NUMBER',
      does: 'has paired stations co-sign the tree head of a package that has no co-signature, and adds that to the package',
      run: adding<Awaited<ReturnType<Packages['cosign']>>>('package.cosign', ({ by, problems }) => {
        sayCosigned(by)
        for (const { address, problem } of problems) note(oneLine(`NO CO-SIGNATURE  ${address}: ${problem}`))
      }),
    },
  ],
  ['package list', { usage: 'package list', does: 'lists the packages of this station', run: list }],
]

const WHY_LEFT_OUT = {
  deleted: 'it is deleted',
  incomplete: 'it has no complete file',
  forwarded: 'its original is at headquarters only; fetch it back first',
  restricted: 'it may not be disclosed',
} as const

async function create(argv: string[]): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: {
      ...DATA,
      ...JSON_FLAG,
      case: { type: 'string' },
      evidence: { type: 'string', multiple: true },
      to: { type: 'string' },
      variant: { type: 'string', default: 'prosecution' },
      with: { type: 'string', default: 'copies' },
      papers: { type: 'string', default: 'certificate-902-14' },
      language: { type: 'string', default: 'en' },
      'encrypt-with': { type: 'string' },
      supplements: { type: 'string' },
    },
  })
  if (values.to === undefined) throw new UsageError('package create needs --to.')
  if ((values.case === undefined) === (values.evidence === undefined))
    throw new UsageError('package create needs either --case or --evidence.')
  const show = progressLine()
  const made = (await inStation({
    settings: settings(values),
    command: 'package.create',
    args: {
      of: values.case === undefined ? { evidenceIds: values.evidence } : { caseId: values.case },
      form: formOf(values.to),
      target: resolve(values.to),
      passphrase: await passphraseIn(values['encrypt-with']),
      variant: oneOf(PACKAGE_VARIANTS, values.variant, '--variant'),
      parts: someOf(PACKAGE_PARTS, values.with, '--with'),
      papers: someOf(PACKAGE_PAPERS, values.papers, '--papers'),
      language: oneOf(PACKAGE_LANGUAGES, values.language, '--language'),
      supplements: values.supplements === undefined ? null : packageIdIn(values.supplements),
    },
    onProgress: (value) => {
      const { bytes, total } = value as PackageProgress
      show(`${formatBytes(bytes / 2)} of ${formatBytes(total / 2)}`)
    },
    mustExist: true,
  }).finally(() => show(null))) as MadePackage
  for (const { evidenceId, title, why } of made.leftOut)
    note(oneLine(`NOT IN IT  evidence ${evidenceId} “${title}”: ${WHY_LEFT_OUT[why]}.`))
  if (made.timestamp !== null && 'problem' in made.timestamp)
    note(oneLine(`NO TIMESTAMP  ${made.timestamp.problem}. Later: package timestamp ${made.number}`))
  if (made.agencySignature !== null && 'problem' in made.agencySignature)
    note(oneLine(`NO SIGNATURE OF THE AGENCY  ${made.agencySignature.problem}. Later: package sign ${made.number}`))
  for (const { address, problem } of problemsOf(made.cosignatures))
    note(oneLine(`NO CO-SIGNATURE  ${address}${problem} Later: package cosign ${made.number}`))
  if (values.json) out(JSON.stringify(made))
  else {
    out(
      `${made.items} files, ${formatBytes(made.bytes)}${made.resumed > 0 ? `, ${made.resumed} of them from an interrupted run` : ''}.`,
    )
    out(`The key’s fingerprint, for the paper: ${made.fingerprint}`)
    if (made.timestamp !== null && 'timeUtc' in made.timestamp)
      out(oneLine(`Timestamp: ${made.timestamp.timeUtc}, by ${made.timestamp.authority}.`))
    if (made.agencySignature !== null && 'signer' in made.agencySignature)
      out(oneLine(`Signed for the agency: ${made.agencySignature.signer}.`))
    if (made.cosignatures !== null && 'by' in made.cosignatures) sayCosigned(made.cosignatures.by)
    out(made.path)
  }
  return 0
}

/** Where some co-signed, the others are named; where none did, one sentence names all. */
function problemsOf(
  said: MadePackage['cosignatures'],
): readonly { readonly address: string; readonly problem: string }[] {
  if (said === null) return []
  if ('problem' in said) return [{ address: '', problem: said.problem }]
  return said.problems.map(({ address, problem }) => ({ address: `${address}: `, problem }))
}

function sayCosigned(by: readonly SaidCosignature[]): void {
  for (const { station, timeUtc, fingerprint } of by)
    out(oneLine(`Co-signed by ${station} at ${timeUtc}, with the key ${fingerprint}.`))
}

const formOf = (to: string): PackageForm => (/\.zip$/i.test(to) ? 'zip' : /\.iso$/i.test(to) ? 'iso' : 'folder')

/** The one line of a file: everybody on the machine can read the words of a command. */
async function passphraseIn(file: string | undefined): Promise<string | null> {
  if (file === undefined) return null
  const text = (await readText(resolve(file))).replace(/\r?\n$/, '')
  if (/\p{Cc}/u.test(text)) throw new UsageError('--encrypt-with names a file with the passphrase in its only line.')
  if ([...text].length < PASSPHRASE_LENGTH)
    throw new UsageError(`The passphrase has fewer than ${PASSPHRASE_LENGTH} characters.`)
  return text
}

function oneOf<One extends string>(all: readonly One[], text: string, flag: string): One {
  const found = all.find((one) => one === text)
  if (found === undefined) throw new UsageError(`${flag} is one of ${all.join(', ')}.`)
  return found
}

function someOf<One extends string>(all: readonly One[], text: string, flag: string): One[] {
  return text
    .split(',')
    .filter((part) => part !== '')
    .map((part) => oneOf(all, part, flag))
}

const isFingerprint = (text: string): boolean => /^[0-9a-f]{64}$/i.test(text)

async function verify(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    options: {
      ...JSON_FLAG,
      key: { type: 'string' },
      authority: { type: 'string' },
      witness: { type: 'string', multiple: true, default: [] },
    },
    allowPositionals: true,
  })
  const folder = resolve(one(positionals, 'package verify needs one folder.'))
  const fingerprint = values.key
  if (fingerprint !== undefined && !isFingerprint(fingerprint))
    throw new UsageError('--key is the fingerprint on the paper: 64 hexadecimal digits.')
  if (!values.witness.every(isFingerprint))
    throw new UsageError('--witness is the fingerprint of the ledger key of another station: 64 hexadecimal digits.')
  const { verifyPackage } = await import('../features/packages/verify.ts')
  const { certificatesInPem } = await import('../platform/signatures/signed-data.ts')
  const roots =
    values.authority === undefined ? undefined : certificatesInPem(await readText(resolve(values.authority)))
  const found = await verifyPackage(folder, { fingerprint, roots, witnesses: values.witness })
  if (values.json) out(JSON.stringify(found))
  else {
    for (const { where, text } of found.problems) row('WRONG', where, text)
    out(
      `${found.files} files (${formatBytes(found.bytes)}), ${found.entries} entries of the ledger${found.origin === null ? '' : oneLine(` of ${found.origin}`)}: ${found.problems.length === 0 ? 'all of it holds' : `${found.problems.length} do not hold`}.`,
    )
    if (found.timestamp === 'unchecked')
      out('There is a timestamp in it. It is checked with the certificates of its authority: --authority FILE.')
    else if (found.timestamp !== null)
      out(oneLine(`Stamped at ${found.timestamp.timeUtc} by ${found.timestamp.authority}.`))
    if (found.agencySignature === 'unchecked')
      out('The agency signed it. That is checked with the certificates of its authority: --authority FILE.')
    else if (found.agencySignature !== null) out(oneLine(`Signed for the agency by ${found.agencySignature.signer}.`))
    sayCosigned(found.cosignatures)
    if (found.cosignatures.length > 0 && values.witness.length === 0)
      out('Compare these keys with what those stations tell you, or give them with --witness.')
    if (fingerprint === undefined && found.fingerprints.package !== null) {
      out(`The key in it has the fingerprint ${found.fingerprints.package}.`)
      out(
        'Compare it with the paper of the station, or give that one with --key: whoever forges a package encloses a key of their own.',
      )
    }
  }
  return found.problems.length === 0 ? 0 : 1
}

/** A command that adds something to one package and prints where it is. */
function adding<Said extends { readonly path: string }>(
  command: 'package.timestamp' | 'package.sign' | 'package.cosign',
  say: (said: Said) => void,
): (argv: string[]) => Promise<number> {
  return async (argv) => {
    const options = { ...DATA, ...JSON_FLAG }
    const { values, positionals } = parseArgs({ args: argv, options, allowPositionals: true })
    const packageId = packageIdIn(one(positionals, `${command.replace('.', ' ')} needs the number of one package.`))
    const asked = { settings: settings(values), command, args: { packageId }, mustExist: true }
    const found = (await inStation(asked)) as Said
    if (values.json) out(JSON.stringify(found))
    else {
      say(found)
      out(found.path)
    }
    return 0
  }
}

/** @throws UsageError */
function packageIdIn(number: string): number {
  const packageId = Number(/^(?:P0*)?(\d{1,15})$/i.exec(number)?.[1])
  if (!Number.isSafeInteger(packageId))
    throw new UsageError(`${oneLine(number)} is no number of a package, such as P000012.`)
  return packageId
}

async function list(argv: string[]): Promise<number> {
  const { values } = parseArgs({ args: argv, options: { ...DATA, ...JSON_FLAG } })
  const found = (await inStation({
    settings: settings(values),
    command: 'package.list',
    args: {},
    mustExist: true,
  })) as PackageRow[]
  if (values.json) out(JSON.stringify(found))
  else
    for (const one of found)
      row(one.name, one.state, one.created_utc, `${one.items} files`, formatBytes(one.bytes), one.signed_sha256 ?? '')
  return 0
}
