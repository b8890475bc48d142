/** Disclosure from the terminal (docs/decisions/0035). */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { DisclosureOut, DisclosuresOut } from '../features/disclosure/disclosure.models.ts'
import { readText } from '../platform/files/read-text.ts'
import { DATA, JSON_FLAG, out, row, settings } from './arguments.ts'
import type { Command } from './command.ts'
import { UsageError } from './error-messages.ts'
import { inStation } from './in-station.ts'
import { claimPrivateFile } from '../platform/files/private-file.ts'

export const DISCLOSURE_COMMANDS: readonly (readonly [string, Command])[] = [
  [
    'disclosure create',
    {
      usage:
        'disclosure create --case ID --to NAME --role prosecutor|defence|court|insurer|public-records|agency [--organisation O] --authority TEXT (--package ID | --evidence ID …) [--withheld FILE.json] [--medium folder|disc|usb|handover] [--serial S] [--request N] [--requested DATE] [--due DATE] [--supplements NO] [--supersedes NO --reason TEXT]',
      does: 'records what is given to somebody, and what is withheld; restricted evidence of the case is withheld by itself',
      run: create,
    },
  ],
  [
    'disclosure list',
    {
      usage: 'disclosure list --case ID',
      does: 'lists the disclosures of a case, and to whom a supplement is due',
      run: list,
    },
  ],
  [
    'disclosure acknowledge',
    {
      usage:
        'disclosure acknowledge --case ID --no NO --by NAME (--scan EVIDENCE | --signed EVIDENCE | --witness NAME --witness NAME)',
      does: 'records that the recipient acknowledged what they got',
      run: acknowledge,
    },
  ],
  [
    'disclosure schedule',
    {
      usage:
        'disclosure schedule --case ID --no NO --to FILE.pdf|FILE.csv [--schedule list|MG6C|MG6D|MG6E|receipt] [--language en|fr]',
      does: 'writes a schedule, or the receipt that the recipient signs, into a new file',
      run: schedule,
    },
  ],
]

const needed = (value: string | undefined, what: string): string => {
  if (value === undefined || value === '') throw new UsageError(`${what} is needed.`)
  return value
}

async function create(argv: string[]): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: {
      ...DATA,
      ...JSON_FLAG,
      case: { type: 'string' },
      to: { type: 'string' },
      role: { type: 'string' },
      organisation: { type: 'string', default: '' },
      authority: { type: 'string' },
      package: { type: 'string' },
      evidence: { type: 'string', multiple: true, default: [] },
      withheld: { type: 'string' },
      medium: { type: 'string', default: 'handover' },
      serial: { type: 'string', default: '' },
      request: { type: 'string', default: '' },
      requested: { type: 'string' },
      due: { type: 'string' },
      supplements: { type: 'string' },
      supersedes: { type: 'string' },
      reason: { type: 'string' },
    },
  })
  const isFollowing = values.supplements !== undefined || values.supersedes !== undefined
  if (values.supersedes !== undefined) needed(values.reason, '--reason')
  const made = (await inStation({
    settings: settings(values),
    command: 'disclosure.create',
    args: {
      caseId: needed(values.case, '--case'),
      ...(values.supersedes === undefined ? {} : { supersedes: values.supersedes }),
      body: {
        Recipient:
          values.to === undefined && isFollowing
            ? null
            : {
                Name: needed(values.to, '--to'),
                Role: needed(values.role, '--role'),
                Organisation: values.organisation,
              },
        Supplements: values.supplements ?? null,
        Authority: needed(values.authority, '--authority'),
        Request: { Number: values.request, Date: values.requested ?? null, Due: values.due ?? null },
        PackageId: values.package?.split('/').at(-1) ?? null,
        EvidenceIds: values.evidence,
        Withheld: values.withheld === undefined ? [] : await withheldIn(values.withheld),
        Medium: values.medium,
        MediumSerial: values.serial,
        ...(values.supersedes === undefined ? {} : { Reason: values.reason }),
      },
    },
    mustExist: true,
  })) as DisclosureOut
  if (values.json) out(JSON.stringify(made))
  else {
    for (const { Number: number, Basis, Description, Ground } of made.Withheld)
      row('WITHHELD', Basis, String(number), Description, Ground)
    for (const { Number: number, Name, Sha256 } of made.Items) row(String(number), Name, Sha256)
    out(`Disclosure ${made.No}: ${made.ItemCount} files given, ${made.WithheldCount} lines withheld.`)
  }
  return 0
}

/** Lines as the contract has them: EvidenceId, Description, Ground, Basis, Reasons. */
async function withheldIn(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readText(resolve(file))) as unknown
  } catch (error) {
    throw new UsageError(`--withheld names a JSON file with a list of lines: ${(error as Error).message}`)
  }
}

async function list(argv: string[]): Promise<number> {
  const { values } = parseArgs({ args: argv, options: { ...DATA, ...JSON_FLAG, case: { type: 'string' } } })
  const found = (await inStation({
    settings: settings(values),
    command: 'disclosure.list',
    args: { caseId: needed(values.case, '--case') },
    mustExist: true,
  })) as DisclosuresOut
  if (values.json) out(JSON.stringify(found))
  else {
    for (const one of found.Items)
      row(
        String(one.No),
        one.GivenTimeUtc,
        one.Recipient.Name,
        one.Recipient.Role,
        `${one.ItemCount} files`,
        `${one.WithheldCount} withheld`,
        one.SupersededBy === null
          ? one.Acknowledged === null
            ? 'not acknowledged'
            : 'acknowledged'
          : `replaced by ${one.SupersededBy}`,
      )
    for (const { Recipient, LastNo, Changes } of found.Due)
      for (const { Reason, EvidenceId } of Changes)
        row('SUPPLEMENT DUE', Recipient.Name, `since ${LastNo}`, Reason, `evidence ${EvidenceId}`)
  }
  return 0
}

async function acknowledge(argv: string[]): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: {
      ...DATA,
      ...JSON_FLAG,
      case: { type: 'string' },
      no: { type: 'string' },
      by: { type: 'string' },
      scan: { type: 'string' },
      signed: { type: 'string' },
      witness: { type: 'string', multiple: true, default: [] },
    },
  })
  const ways = [values.scan, values.signed, values.witness[0]].filter((way) => way !== undefined)
  if (ways.length !== 1)
    throw new UsageError('disclosure acknowledge needs one of --scan, --signed, and two --witness.')
  const record = (await inStation({
    settings: settings(values),
    command: 'disclosure.acknowledge',
    args: {
      caseId: needed(values.case, '--case'),
      no: needed(values.no, '--no'),
      body: {
        By: needed(values.by, '--by'),
        How: values.scan !== undefined ? 'signature-scan' : values.signed !== undefined ? 'signed-file' : 'in-person',
        EvidenceId: values.scan ?? values.signed ?? null,
        Witnesses: values.witness,
      },
    },
    mustExist: true,
  })) as DisclosureOut
  if (values.json) out(JSON.stringify(record))
  else out(`Disclosure ${record.No} is acknowledged.`)
  return 0
}

async function schedule(argv: string[]): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: {
      ...DATA,
      case: { type: 'string' },
      no: { type: 'string' },
      to: { type: 'string' },
      schedule: { type: 'string', default: 'list' },
      language: { type: 'string', default: 'en' },
    },
  })
  const target = resolve(needed(values.to, '--to'))
  const [, format] = /\.(csv|pdf)$/i.exec(target) ?? []
  if (format === undefined) throw new UsageError('--to names a file that ends with .pdf or .csv.')
  if (values.schedule === 'receipt' && !/pdf/i.test(format)) throw new UsageError('The receipt is a PDF.')
  const caseId = needed(values.case, '--case')
  const no = needed(values.no, '--no')
  const file = await claimPrivateFile(target).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST'
      ? new Error(`${target} is there already. Name another file: nothing is replaced.`)
      : new Error(`${target} cannot be written: ${error.message}.`)
  })
  const made = (await inStation({
    settings: settings(values),
    command: 'disclosure.schedule',
    args: {
      caseId,
      no,
      schedule: values.schedule,
      format: format.toLowerCase(),
      language: values.language,
    },
    mustExist: true,
  }).catch(async (error: unknown) => {
    await file.abandon()
    throw error
  })) as { base64: string }
  await file.write(Buffer.from(made.base64, 'base64'))
  out(target)
  return 0
}
