import { z } from 'zod'
import { IdMember, IdParam, page, Cursor, Count, TenantParams as Tenant } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'
import {
  LEFT_OUT,
  PACKAGE_FORMS,
  PACKAGE_LANGUAGES,
  PACKAGE_PAPERS,
  PACKAGE_PARTS,
  PACKAGE_VARIANTS,
  PASSPHRASE_LENGTH,
  WITNESS_KINDS,
} from './kinds.ts'

/** Packages of evidence that a stranger can verify (docs/decisions/0034). Extensions. */

const BASE = '/api/v1/tenant/:tenantId/packages'
export const MOST_PACKAGED = 10_000
const Package = Tenant.extend({ packageId: IdParam })

export const PACKAGE_STATES = ['Waiting', 'Making', 'Made', 'Failed', 'Stopped'] as const

const WitnessModel = z
  .object({
    Kind: z.enum(WITNESS_KINDS),
    By: z.string().nullable().meta({
      description: 'The authority, the name in the certificate, or the station. Of a problem the address of a station.',
    }),
    UtcTime: z
      .string()
      .nullable()
      .meta({ description: 'As the witness states it. A signature of the agency has none.' }),
    KeyFingerprint: z
      .string()
      .nullable()
      .meta({ description: 'Of the ledger key of a station that co-signed: SHA-256 of its DER.' }),
    Problem: z.string().nullable().meta({ description: 'Why there is none, in words; null: there is one.' }),
    IsBeside: z
      .boolean()
      .meta({ description: 'It was added later and is a file of its own: `downloadPackageWitness` gives it.' }),
  })
  .meta({ id: 'PackageWitness' })

export const PackageModel = z
  .object({
    PackageId: z.string(),
    Name: z.string().meta({ description: 'Of its file, without the ending.' }),
    Title: z.string(),
    CaseId: z.string().nullable().meta({ description: 'null: of a selection.' }),
    Variant: z.enum(PACKAGE_VARIANTS),
    Parts: z.array(z.enum(PACKAGE_PARTS)),
    Papers: z.array(z.enum(PACKAGE_PAPERS)),
    Language: z.enum(PACKAGE_LANGUAGES),
    Form: z.enum(PACKAGE_FORMS),
    Encrypted: z.boolean().nullable().meta({
      description:
        'In a container of 7-Zip with a passphrase that the station does not keep. null: it was made by the command line.',
    }),
    Drive: z.string().nullable().meta({
      description:
        'What the drive is called on which it is made. null: its file is kept at the station, or lies where the command line put it.',
    }),
    Supplements: z
      .string()
      .nullable()
      .meta({ description: 'The package to which it adds what that one does not have; null: none.' }),
    OfExport: z
      .boolean()
      .meta({ description: 'It is part of an export of the whole station, and made for no recipient.' }),
    State: z.enum(PACKAGE_STATES),
    Problem: z.string().nullable().meta({ description: 'Why it is not made, in words.' }),
    Progress: z.number().nullable().meta({ description: '0 to 1 while it is made; null where that is not known.' }),
    Items: z.int(),
    Bytes: z.int(),
    SignedSha256: z
      .string()
      .nullable()
      .meta({ description: 'SHA-256 of tagmanifest-sha256.txt, which the receipt states.' }),
    Witnesses: z.array(WitnessModel).meta({
      description:
        'Who outside the station vouches for it, and who was asked and did not. Packages of earlier versions name none.',
    }),
    CanDownload: z.boolean().meta({
      description: 'Whether its file is kept at the station. A package that was made into a folder is where that is.',
    }),
    LeftOut: z
      .array(z.object({ EvidenceId: z.string(), Title: z.string(), Why: z.enum(LEFT_OUT) }))
      .nullable()
      .meta({ description: 'Evidence that was chosen and does not go in. null except in the answer to the order.' }),
    CreatedUtcTime: z.string(),
    CreatedBy: z.string(),
    FinishedUtcTime: z.string().nullable(),
  })
  .meta({ id: 'Package' })
export const PackagePage = page(PackageModel).meta({ id: 'PackagePage' })

const asked = {
  Variant: z.enum(PACKAGE_VARIANTS),
  Parts: z.array(z.enum(PACKAGE_PARTS)).max(PACKAGE_PARTS.length),
  Papers: z.array(z.enum(PACKAGE_PAPERS)).max(PACKAGE_PAPERS.length),
  Language: z.enum(PACKAGE_LANGUAGES),
  Form: z.enum(PACKAGE_FORMS).optional().meta({ description: 'Without one: zip. A folder is made on a drive alone.' }),
  DriveId: z.string().max(64).nullable().optional().meta({
    description:
      'Of `listPackagePlaces`. Only for who is at the station itself. Without one it is kept at the station.',
  }),
  Encrypted: z.boolean().optional().meta({
    description: 'The package goes into a container, and is begun by `startPackage` with its passphrase.',
  }),
  Supplements: IdMember.nullable().optional().meta({
    description:
      'A package of the same case for the same recipient. What it has, or one that it supplements, is not given again; numbers go on behind theirs.',
  }),
}
const REFUSED = [
  'InvalidModel',
  'Forbidden',
  'NothingToPackage',
  'PackageNotFound',
  'PackageNotOpen',
  'SupplementDiffers',
  'PackageToolMissing',
  'DriveUnavailable',
  'DriveTooSmall',
  'DriveFileTooLarge',
  'TenantNotFound',
  'ReadOnly',
] as const
const WHAT =
  'A job makes it, as a file that is kept at the station until it is removed, or on a drive. Evidence without a complete file, or whose original is at headquarters only, is left out; so is restricted evidence of a case, and it is refused when it is named. Everything that goes in is asked again when it is complete: a right that went meanwhile ends it.'

export const createCasePackage = route({
  id: 'createCasePackage',
  interface: 'case',
  method: 'POST',
  path: `${BASE}/case/:caseId`,
  origin: 'extension',
  summary: 'Make a package of a case',
  description: `Of all evidence of the case that is not deleted; Download is needed on each. ${WHAT}`,
  permission: { kind: 'level', level: 'Download', on: 'case' },
  audit: { by: 'own', actions: ['package.ordered'] },
  params: Tenant.extend({ caseId: IdParam }),
  body: z.object(asked).meta({ id: 'CreateCasePackageModel' }),
  responses: { 201: PackageModel },
  errors: [...REFUSED, 'NotAllDownloadable', 'CaseNotFound', 'CaseDeleted', 'EvidenceNotFound'],
  idempotent: true,
})

export const createPackage = route({
  id: 'createPackage',
  interface: 'document',
  method: 'POST',
  path: BASE,
  origin: 'extension',
  summary: 'Make a package of chosen evidence',
  description: `Download is needed on each. ${WHAT}`,
  permission: { kind: 'member', guests: false },
  audit: { by: 'own', actions: ['package.ordered'] },
  params: Tenant,
  body: z
    .object({ EvidenceIds: z.array(IdMember).min(1).max(MOST_PACKAGED), ...asked })
    .meta({ id: 'CreatePackageModel' }),
  responses: { 201: PackageModel },
  errors: [...REFUSED, 'EvidenceNotFound', 'EvidenceDeleted', 'EvidenceRestricted'],
  idempotent: true,
})

export const listPackages = route({
  id: 'listPackages',
  interface: 'operations',
  method: 'GET',
  path: BASE,
  origin: 'extension',
  summary: 'Packages that the caller made, and those of cases that they can download',
  permission: { kind: 'member', guests: false },
  audit: { by: 'own', actions: ['package.listed'] },
  params: Tenant,
  query: z.object({ caseId: IdParam.optional(), count: Count(50), cursor: Cursor }),
  responses: { 200: PackagePage },
  errors: ['InvalidModel', 'TenantNotFound'],
})

export const PackagePlaces = z
  .object({
    Drives: z
      .array(
        z.object({
          DriveId: z.string(),
          Name: z.string(),
          FileSystem: z.string(),
          FreeBytes: z.int().nullable().meta({ description: 'null: it does not say.' }),
        }),
      )
      .meta({
        description:
          'Volumes that are connected to the machine of the station, can be written to, and were not taken for a camera. Empty for who is not at the station itself.',
      }),
    DiscImages: z.boolean().meta({ description: 'Whether `iso` can be made: xorriso is installed.' }),
    Containers: z.boolean().meta({ description: 'Whether packages can be encrypted: 7z is installed.' }),
  })
  .meta({ id: 'PackagePlaces' })

export const listPackagePlaces = route({
  id: 'listPackagePlaces',
  interface: 'operations',
  method: 'GET',
  path: `${BASE}/places`,
  origin: 'extension',
  summary: 'Where packages can go, and in which forms',
  permission: { kind: 'member', guests: false },
  audit: { by: 'none', reason: 'It names drives and programs of the machine, and nothing of evidence or people.' },
  params: Tenant,
  responses: { 200: PackagePlaces },
  errors: ['TenantNotFound'],
})

const ofOne = {
  interface: 'operations',
  origin: 'extension',
  permission: { kind: 'member', guests: false },
  params: Package,
} as const
const NOT_FOUND = ['PackageNotFound', 'TenantNotFound'] as const
const NOT_BEGUN = ['PackageNotOpen', 'NotAllDownloadable', 'DriveUnavailable', 'Forbidden', 'ReadOnly'] as const

export const getPackage = route({
  ...ofOne,
  id: 'getPackage',
  method: 'GET',
  path: `${BASE}/:packageId`,
  summary: 'One package, and how far it is',
  audit: { by: 'own', actions: ['package.read'] },
  responses: { 200: PackageModel },
  errors: NOT_FOUND,
})

export const stopPackage = route({
  ...ofOne,
  id: 'stopPackage',
  method: 'POST',
  path: `${BASE}/:packageId/stop`,
  summary: 'Stop the making of a package',
  description: 'What was written stays, and counts when it is gone on with.',
  audit: { by: 'own', actions: ['package.stopped'] },
  responses: { 200: PackageModel },
  errors: [...NOT_FOUND, 'PackageNotOpen', 'ReadOnly'],
})

export const resumePackage = route({
  ...ofOne,
  id: 'resumePackage',
  method: 'POST',
  path: `${BASE}/:packageId/resume`,
  summary: 'Go on with a package that was stopped or failed',
  audit: { by: 'own', actions: ['package.ordered'] },
  responses: { 200: PackageModel },
  errors: [...NOT_FOUND, ...NOT_BEGUN, 'PassphraseNeeded'],
})

export const startPackage = route({
  ...ofOne,
  id: 'startPackage',
  method: 'POST',
  path: `${BASE}/:packageId/start`,
  summary: 'Begin, or go on with, a package that is encrypted',
  description:
    'The passphrase is held in memory until the package is made, stopped or has failed, and is kept nowhere. One that was stopped gets the passphrase of its last start.',
  audit: { by: 'own', actions: ['package.ordered'] },
  body: z
    .object({
      Passphrase: z
        .string()
        .max(1024)
        .refine((given) => [...given].length >= PASSPHRASE_LENGTH && !/\p{Cc}/u.test(given), {
          message: `must be a line of at least ${PASSPHRASE_LENGTH} characters`,
        }),
    })
    .meta({ id: 'StartPackageModel' }),
  responses: { 200: PackageModel },
  errors: [...NOT_FOUND, ...NOT_BEGUN, 'InvalidModel', 'PackageInProgress'],
})

export const downloadPackage = route({
  ...ofOne,
  id: 'downloadPackage',
  method: 'GET',
  path: `${BASE}/:packageId/file`,
  summary: 'The file of a package',
  description: 'Ranges are served. Download is asked again on everything that is in it.',
  audit: { by: 'own', actions: ['package.downloaded'] },
  offers: ['application/zip', 'application/x-iso9660-image', 'application/x-7z-compressed'],
  responses: { 200: 'bytes' },
  errors: [...NOT_FOUND, 'NotAllDownloadable', 'PackageFileGone'],
})

export const printPackageReceipt = route({
  ...ofOne,
  id: 'printPackageReceipt',
  method: 'GET',
  path: `${BASE}/:packageId/receipt`,
  summary: 'The receipt of a package on paper (PDF), with the fingerprints by which a stranger knows whose it is',
  audit: { by: 'own', actions: ['package.receipt'] },
  offers: ['application/pdf'],
  responses: { 200: 'bytes' },
  errors: [...NOT_FOUND, 'PackageNotOpen'],
})

const Witness = Package.extend({ kind: z.enum(WITNESS_KINDS) })

export const askPackageWitness = route({
  ...ofOne,
  id: 'askPackageWitness',
  method: 'POST',
  path: `${BASE}/:packageId/witness/:kind`,
  summary: 'Add a timestamp, the signature of the agency, or co-signatures to a package that has none',
  description:
    'For a package that was made while the authority or a paired station could not be reached. It becomes a file of its own, since the ZIP file does not change. Stations that co-signed are not asked again.',
  params: Witness,
  audit: { by: 'own', actions: ['package.timestamped', 'package.signed', 'package.cosigned'] },
  responses: { 200: PackageModel },
  errors: [
    ...NOT_FOUND,
    'PackageNotOpen',
    'PackageFileGone',
    'DriveUnavailable',
    'Forbidden',
    'TimestampRefused',
    'SignatureUnavailable',
    'CosignatureUnavailable',
    'PackageInProgress',
    'ReadOnly',
  ],
})

export const downloadPackageWitness = route({
  ...ofOne,
  id: 'downloadPackageWitness',
  method: 'GET',
  path: `${BASE}/:packageId/witness/:kind`,
  summary: 'What was added to a package later, as a file',
  description: 'It has the name under which VERIFY.txt looks for it in the folder of the package.',
  params: Witness,
  audit: { by: 'own', actions: ['package.downloaded'] },
  offers: ['application/octet-stream'],
  responses: { 200: 'bytes' },
  errors: [...NOT_FOUND, 'PackageFileGone'],
})

export const removePackageFile = route({
  ...ofOne,
  id: 'removePackageFile',
  method: 'DELETE',
  path: `${BASE}/:packageId/file`,
  summary: 'Remove the file of a package from the station',
  description: 'The record of the package stays, and so does what was handed out.',
  audit: { by: 'own', actions: ['package.fileRemoved'] },
  responses: { 204: null },
  errors: [...NOT_FOUND, 'PackageFileGone', 'ReadOnly'],
})
