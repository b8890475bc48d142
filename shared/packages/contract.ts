import { z } from 'zod'
import { IdMember, IdParam, page, Cursor, Count, TenantParams as Tenant } from '../kernel/fields.ts'
import { route } from '../kernel/route.ts'
import { LEFT_OUT, PACKAGE_LANGUAGES, PACKAGE_PAPERS, PACKAGE_PARTS, PACKAGE_VARIANTS, WITNESS_KINDS } from './kinds.ts'

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
  'TenantNotFound',
  'ReadOnly',
] as const
const WHAT =
  'A job makes it as a ZIP file, which is kept at the station until it is removed. Evidence without a complete file, or whose original is at headquarters only, is left out; so is restricted evidence of a case, and it is refused when it is named. Everything that goes in is asked again when it is complete: a right that went meanwhile ends it.'

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

const ofOne = {
  interface: 'operations',
  origin: 'extension',
  permission: { kind: 'member', guests: false },
  params: Package,
} as const
const NOT_FOUND = ['PackageNotFound', 'TenantNotFound'] as const

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
  errors: [...NOT_FOUND, 'PackageNotOpen', 'NotAllDownloadable', 'ReadOnly'],
})

export const downloadPackage = route({
  ...ofOne,
  id: 'downloadPackage',
  method: 'GET',
  path: `${BASE}/:packageId/file`,
  summary: 'The ZIP file of a package',
  description: 'Ranges are served. Download is asked again on everything that is in it.',
  audit: { by: 'own', actions: ['package.downloaded'] },
  offers: ['application/zip'],
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
