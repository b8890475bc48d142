/** What the window asks of the station about packages, and what is done with one (docs/decisions/0034). */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { z } from 'zod'
import { Fault } from '../../../shared/kernel/errors.ts'
import * as contract from '../../../shared/packages/contract.ts'
import { visible } from '../../ui/format/visible.ts'
import { toasts } from '../../ui/toast/toast.tsx'
import { addressOf, call } from '../api.ts'
import { isPackageJob, type Job, newestJobOf, useJobs, whenJobEnds } from '../jobs.ts'
import { bytesOf, saveAs, saveFetched } from '../save-file.ts'
import { useSession } from '../session.tsx'
import { translate } from '../translate.ts'

export type Package = z.output<typeof contract.PackageModel>
export type Witness = Package['Witnesses'][number]

export const PACKAGES = ['packages'] as const
const subjectOf = (packageId: string): string => `package:${packageId}`
/** The package that a job makes. */
export const packageOfJob = ({ Subject }: Job): string => Subject.slice(Subject.indexOf(':') + 1)

/** The newest job of each package that this window was told of, by the package. */
export function usePackageJobs(): ReadonlyMap<string, Job> {
  const jobs = useJobs()
  return useMemo(() => new Map(jobs.filter(isPackageJob).map((job) => [packageOfJob(job), job])), [jobs])
}

/** Has every list of packages asked again. */
export function usePackagesChanged(): () => void {
  const queries = useQueryClient()
  return useCallback(() => void queries.invalidateQueries({ queryKey: PACKAGES }), [queries])
}

interface Told {
  readonly tenant: string
  /** Leads to the list of packages. */
  readonly onShow: () => void
}

/** Says when a package is made, wherever in the window its person is then. @param after the job that it had before */
function tellWhenMade({ PackageId, Name, Drive }: Package, after: number, told: Told): void {
  const name = visible(Name)
  const made =
    Drive === null
      ? {
          text: translate('packages', 'ready', { name }),
          act: {
            label: translate('packages', 'download'),
            onAct: () => void downloadPackage(told.tenant, PackageId).catch(toasts.problem),
          },
        }
      : { text: translate('packages', 'readyOnDrive', { name, drive: visible(Drive) }) }
  whenJobEnds(subjectOf(PackageId), after, ({ State }) => {
    if (State === 'cancelled') return
    toasts.show(
      State === 'done'
        ? made
        : {
            text: translate('packages', 'notMade', { name }),
            act: { label: translate('packages', 'show'), onAct: told.onShow },
          },
    )
  })
}

export interface PackageChoice {
  readonly Variant: Package['Variant']
  readonly Parts: Package['Parts']
  readonly Papers: Package['Papers']
  readonly Language: Package['Language']
}

/** All of a case, or some evidence. */
export type Packaged = { readonly caseId: string } | { readonly evidenceIds: readonly string[] }

/** @param passphrase of one that is encrypted, with which it is begun */
export async function orderPackage(
  of: Packaged,
  choice: PackageChoice & {
    readonly Supplements: string | null
    readonly DriveId: string | null
    readonly Form: Package['Form']
    readonly Encrypted: boolean
  },
  key: string,
  told: Told,
  passphrase: string | null,
): Promise<Package> {
  const params = { tenantId: told.tenant }
  const made =
    'caseId' in of
      ? await call(contract.createCasePackage, {
          params: { ...params, caseId: of.caseId },
          body: choice,
          idempotencyKey: key,
        })
      : await call(contract.createPackage, {
          params,
          body: { EvidenceIds: [...of.evidenceIds], ...choice },
          idempotencyKey: key,
        })
  if (passphrase !== null) return { ...(await startPackage(made.PackageId, passphrase, told)), LeftOut: made.LeftOut }
  tellWhenMade(made, 0, told)
  return made
}

/** One that is encrypted, for the first time or again. */
export async function startPackage(packageId: string, passphrase: string, told: Told): Promise<Package> {
  const after = newestJobOf(subjectOf(packageId))
  const params = { tenantId: told.tenant, packageId }
  const made = await call(contract.startPackage, { params, body: { Passphrase: passphrase } })
  tellWhenMade(made, after, told)
  return made
}

export const stopPackage = (tenant: string, packageId: string): Promise<Package> =>
  call(contract.stopPackage, { params: { tenantId: tenant, packageId } })

export async function resumePackage(packageId: string, told: Told): Promise<Package> {
  const after = newestJobOf(subjectOf(packageId))
  const made = await call(contract.resumePackage, { params: { tenantId: told.tenant, packageId } })
  tellWhenMade(made, after, told)
  return made
}

export const removePackageFile = (tenant: string, packageId: string): Promise<void> =>
  call(contract.removePackageFile, { params: { tenantId: tenant, packageId } })

/**
 * Hands the download over to the browser. A refusal would only be a failed download there, without its reason: the first byte is asked for
 * before, and the refusal is thrown.
 */
export async function downloadPackage(tenant: string, packageId: string): Promise<void> {
  const address = addressOf(contract.downloadPackage, { params: { tenantId: tenant, packageId } })
  await bytesOf(address, { Range: 'bytes=0-0' })
  saveAs(address, '')
}

export const askPackageWitness = (tenant: string, packageId: string, kind: Witness['Kind']): Promise<Package> =>
  call(contract.askPackageWitness, { params: { tenantId: tenant, packageId, kind } })

/** The names under which VERIFY.txt looks for them. */
export const WITNESS_FILES: Readonly<Record<Witness['Kind'], string>> = {
  timestamp: 'tagmanifest.tsr',
  signature: 'tagmanifest.p7s',
  cosignature: 'tagmanifest.cosignatures',
}

export const saveWitness = (tenant: string, packageId: string, kind: Witness['Kind']): Promise<void> =>
  saveFetched(
    addressOf(contract.downloadPackageWitness, { params: { tenantId: tenant, packageId, kind } }),
    WITNESS_FILES[kind],
  )

/** Fetched whole, for it is small: so a refusal can be said. */
export const saveReceipt = (tenant: string, { PackageId, Name }: Package): Promise<void> =>
  saveFetched(
    addressOf(contract.printPackageReceipt, { params: { tenantId: tenant, packageId: PackageId } }),
    `${Name}.receipt.pdf`,
  )

const REFUSED = {
  NothingToPackage: 'errorNothing',
  NotAllDownloadable: 'errorDownload',
  EvidenceRestricted: 'errorRestricted',
  PackageFileGone: 'errorGone',
  PackageNotOpen: 'errorNotOpen',
  DriveUnavailable: 'errorDrive',
  DriveTooSmall: 'errorDriveTooSmall',
  DriveFileTooLarge: 'errorDriveFileTooLarge',
  ReadOnly: 'errorReadOnly',
} as const

/** A refusal in the page's own words; undefined: as the station says it. */
export function saidOf(error: Error): string | undefined {
  if (!(error instanceof Fault) || !Object.hasOwn(REFUSED, error.code)) return undefined
  return translate('packages', REFUSED[error.code as keyof typeof REFUSED])
}

/** What a package is, now that its job has gone on since it was read. */
export function liveOf(one: Package, job: Job | undefined): Package {
  if (job === undefined || one.State === 'Made') return one
  if (job.State === 'running') return { ...one, State: 'Making', Progress: job.Progress, Problem: null }
  if (job.State === 'queued' || job.State === 'waiting')
    return { ...one, State: 'Waiting', Progress: null, Problem: job.Message === '' ? null : job.Message }
  return one
}

export function useTold(onShow: () => void): Told {
  const { tenant } = useSession()
  return { tenant, onShow }
}
