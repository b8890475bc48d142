import { Readable } from 'node:stream'
import * as contract from '../../../shared/packages/contract.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import type { BytesAnswer, BytesRequest, ServeFile } from '../../http/bytes.ts'
import { checked } from '../../http/checked-answer.ts'
import { answer, type BoundRoute, bytes, type HttpCall, json } from '../../http/handlers.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { PackageFile } from '../../storage/packages/package-file.ts'
import type { KeptPackages } from './kept-packages.service.ts'
import type { Making } from './making.service.ts'
import type { Orders } from './orders.service.ts'
import { fileName, fileType } from './order-places.ts'
import type { PackageRow } from './packages.store.ts'
import { WITNESS_FILES } from './witnesses.ts'

interface Deps {
  readonly orders: Orders
  readonly making: Making
  readonly kept: KeptPackages
  readonly ledger: Pick<Ledger, 'record'>
  readonly serveFile: ServeFile
}

export function packageRoutes({ orders, making, kept, ledger, serveFile }: Deps): BoundRoute[] {
  return [
    json(
      contract.createCasePackage,
      async ({ params, body, call }) => answer(201, await orders.orderCase(call, params.caseId, body)),
      { judge: ({ params, call }) => orders.judgeCase(call, params.caseId) },
    ),
    json(
      contract.createPackage,
      async ({ body: { EvidenceIds, ...given }, call }) => answer(201, await orders.order(call, EvidenceIds, given)),
      { judge: ({ body, call }) => orders.judge(call, body.EvidenceIds) },
    ),
    json(contract.listPackages, async ({ query, call }) => {
      const before = query.cursor === undefined ? Number.MAX_SAFE_INTEGER : readCursor(query.cursor)
      const { Items, next } = await orders.list(call, { caseId: query.caseId ?? null, before, count: query.count })
      return { Items, Cursor: next === null ? null : Buffer.from(String(next)).toString('base64url') }
    }),
    json(contract.listPackagePlaces, async ({ call }) => {
      const { drives, discImages, containers } = await orders.places(call)
      return {
        Drives: drives.map(({ id, name, filesystem, free }) => ({
          DriveId: id,
          Name: name,
          FileSystem: filesystem,
          FreeBytes: free,
        })),
        DiscImages: discImages,
        Containers: containers,
      }
    }),
    json(contract.getPackage, ({ params, call }) => orders.get(call, params.packageId)),
    json(contract.stopPackage, ({ params, call }) => making.stop(call, params.packageId)),
    json(contract.resumePackage, ({ params, call }) => making.resume(call, params.packageId)),
    json(contract.startPackage, ({ params, body, call }) => making.start(call, params.packageId, body.Passphrase)),
    bytes(contract.downloadPackage, (request, call) => download({ kept, ledger, serveFile }, request, call)),
    bytes(contract.printPackageReceipt, (request, call) => receipt({ kept, ledger }, request, call)),
    json(contract.askPackageWitness, ({ params, call, signal }) =>
      kept.askWitness(call, params.packageId, params.kind, signal),
    ),
    bytes(contract.downloadPackageWitness, (request, call) => witness({ kept, ledger }, request, call)),
    json(contract.removePackageFile, async ({ params, call }) => {
      await kept.removeFile(call, params.packageId)
      return undefined
    }),
  ]
}

function readCursor(cursor: string): number {
  const before = Number(Buffer.from(cursor, 'base64url').toString())
  if (!Number.isSafeInteger(before) || before < 1) throw fault('InvalidModel', 'This cursor is none of this list.')
  return before
}

const objectOf = (row: PackageRow) => ({ type: 'package', id: String(row.package_id), name: row.name }) as const

async function download(
  { kept, ledger, serveFile }: Pick<Deps, 'kept' | 'ledger' | 'serveFile'>,
  request: BytesRequest,
  call: HttpCall,
): Promise<BytesAnswer> {
  const { packageId } = checked(contract.downloadPackage.params, request.params)
  const { row, order, file } = await kept.file(call, packageId)
  await ledger.record(call, {
    action: 'package.downloaded',
    object: objectOf(row),
    ...(row.signed_sha256 === null ? {} : { sha256: row.signed_sha256 }),
    detail: { range: request.headers.range ?? null },
  })
  return serveFile(request, {
    name: fileName(row, order),
    type: fileType(row, order),
    size: file.size,
    inline: false,
    // A ZIP file of the same package that was made again has another list of files, and another hash of it.
    sha256: row.signed_sha256 ?? '',
    open: async (start, end) => file.stream(start, end),
  })
}

async function receipt(
  { kept, ledger }: Pick<Deps, 'kept' | 'ledger'>,
  request: BytesRequest,
  call: HttpCall,
): Promise<BytesAnswer> {
  const { packageId } = checked(contract.printPackageReceipt.params, request.params)
  const { row, file } = await kept.receipt(call, packageId)
  await ledger.record(call, { action: 'package.receipt', object: objectOf(row) })
  return whole(request, file, { type: 'application/pdf', name: `${row.name}.receipt.pdf` })
}

async function witness(
  { kept, ledger }: Pick<Deps, 'kept' | 'ledger'>,
  request: BytesRequest,
  call: HttpCall,
): Promise<BytesAnswer> {
  const { packageId, kind } = checked(contract.downloadPackageWitness.params, request.params)
  const { row, file } = await kept.witnessFile(call, packageId, kind)
  await ledger.record(call, { action: 'package.downloaded', object: objectOf(row), detail: { witness: kind } })
  return whole(request, file, { type: 'application/octet-stream', name: WITNESS_FILES[kind] })
}

/** A small file that is not kept in a browser. @param name in ASCII */
const whole = (
  request: BytesRequest,
  file: PackageFile,
  { type, name }: { readonly type: string; readonly name: string },
): BytesAnswer => ({
  status: 200,
  headers: {
    'Content-Type': type,
    'Content-Disposition': `attachment; filename="${name}"`,
    'Content-Length': String(file.size),
    'Cache-Control': 'private, no-store',
  },
  ...(request.method === 'HEAD' ? {} : { body: bodyOf(file) }),
})

const bodyOf = (file: PackageFile): Readable => (file.size === 0 ? Readable.from([]) : file.stream(0, file.size - 1))
