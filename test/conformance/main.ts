/**
 * `npm run conformance -- --config config.json`: drives a running station through every operation of the specification as an integrator
 * would, with nothing of the product but a connection file. Exit code 0 when no call failed, 1 when one did, 2 when it was called wrongly.
 */
import { parseArgs } from 'node:util'
import { CATEGORY_OPERATIONS, driveCategories, drivePrefilledFields, FIELD_OPERATIONS } from './categories.ts'
import { CHANGE_OPERATIONS, driveCaseChanges } from './case-changes.ts'
import { CAD_OPERATIONS, driveCad } from './cad.ts'
import { CASE_OPERATIONS, driveCases } from './cases.ts'
import { type ConnectionFile, readConnectionFile, signIn } from './client.ts'
import { DEFAULT_OPERATIONS, DEPARTMENT_OPERATIONS, driveDepartments } from './departments.ts'
import { driveDerivation } from './derivation.ts'
import { driveEvidenceLife, driveIntoCase, driveRecords, driveTypedFields, LIFE_OPERATIONS } from './document-rules.ts'
import { DOCUMENT_OPERATIONS, driveDocuments } from './documents.ts'
import { DEVICE_OPERATIONS, driveDevices } from './devices.ts'
import { driveLinks, driveSharing, LINK_OPERATIONS, SHARE_OPERATIONS } from './links.ts'
import { table } from './report.ts'
import { driveRights } from './rights.ts'
import { countsOf, createRun, forgotten, type Row } from './run.ts'
import { driveSearch, driveSearchRights } from './search.ts'
import { driveTemplates, TEMPLATE_OPERATIONS } from './templates.ts'
import { drive, driveUnauthorized } from './tokens.ts'
import { driveEncrypted, driveUploads } from './uploads.ts'

const USAGE = `npm run conformance -- --config FILE [--other FILE] [--wait SECONDS] [--json]

--config  the connection file of an integration; what it is in no policy for is told as not allowed
--other   that of a second integration in no policy: with it, refusals for lack of rights are driven too
--wait    how many seconds what is made of a picture or a film may take (60)
--json    the rows as JSON instead of a table

What it makes is called "Conformance …". Cases and evidence are deleted at the end (into the recycle bin), categories and
departments disabled, the default department and the templates given back, devices deactivated. Each row names the section that says so.
`

interface Options {
  readonly config: ConnectionFile
  readonly other: ConnectionFile | null
  /** Milliseconds. */
  readonly patience: number
}

async function driven({ config, other, patience }: Options): Promise<readonly Row[]> {
  const run = createRun(config, await signIn(config))
  const otherToken = other === null ? null : await signIn(other)
  const viewer = other === null || otherToken === null ? null : { token: otherToken, connection: other }
  await run.part(['IssueToken', 'Discovery', 'JsonWebKeys', 'UserInfo', 'Authorize'], drive)
  await run.part([], driveUnauthorized)
  try {
    await run.part(CATEGORY_OPERATIONS, driveCategories)
    await run.part(FIELD_OPERATIONS, drivePrefilledFields)
    await run.part([...DEPARTMENT_OPERATIONS, ...DEFAULT_OPERATIONS], driveDepartments)
    await run.part(CASE_OPERATIONS, driveCases)
    await run.part(CHANGE_OPERATIONS, driveCaseChanges)
    await run.part(SHARE_OPERATIONS, () => driveSharing(run, other))
    await run.part(DOCUMENT_OPERATIONS, () => driveDocuments(run, patience))
    await run.part([], driveRecords)
    await run.part(['GetBlockList', 'GetBlobProperties', 'HeadContent'], driveUploads)
    await run.part(['GetTenantKey'], driveEncrypted)
    await run.part([], () => driveDerivation(run, patience, viewer))
    await run.part(LINK_OPERATIONS, driveLinks)
    await run.part(DEVICE_OPERATIONS, driveDevices)
    await run.part([], driveIntoCase)
    await run.part(LIFE_OPERATIONS, driveEvidenceLife)
    await run.part(CAD_OPERATIONS, driveCad)
    await run.part(TEMPLATE_OPERATIONS, driveTemplates)
    await run.part([], driveTypedFields)
    await run.part(['Search'], driveSearch)
    if (viewer !== null) {
      await run.part([], () => driveRights(run, viewer.token, viewer.connection))
      await run.part([], () => driveSearchRights(run, viewer.token))
    }
  } finally {
    await run.part(['DeleteCase', 'DeleteEvidence'], run.tidy)
  }
  return [...run.rows, ...forgotten(run.rows)]
}

function options(): (Options & { readonly json: boolean }) | null {
  const { values } = parseArgs({
    options: {
      config: { type: 'string' },
      other: { type: 'string' },
      wait: { type: 'string', default: '60' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help || values.config === undefined || !/^\d{1,5}$/.test(values.wait)) return null
  return {
    config: readConnectionFile(values.config),
    other: values.other === undefined ? null : readConnectionFile(values.other),
    patience: Number(values.wait) * 1000,
    json: values.json,
  }
}

/** @throws Error where a station gives no token at all */
async function main(): Promise<number> {
  let given: ReturnType<typeof options>
  try {
    given = options()
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    return 2
  }
  if (given === null) {
    process.stderr.write(USAGE)
    return 2
  }
  const rows = await driven(given)
  const counts = countsOf(rows)
  process.stdout.write(`${given.json ? JSON.stringify({ rows, counts }, null, 2) : table(rows)}\n`)
  return counts.FAILED === 0 ? 0 : 1
}

try {
  process.exitCode = await main()
} catch (error) {
  const { message, cause } = error as Error
  process.stderr.write(`${message}${cause instanceof Error ? `: ${cause.message}` : ''}\n`)
  process.exitCode = 1
}
