/** One good call of each route of packages (promise I1). */
import { copyFileSync, existsSync } from 'node:fs'
import path from 'node:path'
import { testCertificateAuthority } from '../../support/certificate-authority.ts'
import type { Json } from '../../support/given.ts'
import { createTrigger, dropTrigger } from '../../support/rows.ts'
import { asChief } from '../cases/acts.ts'
import type { Act, World } from '../documents/acts.ts'

export const PACKAGES = '/api/v1/tenant/station/packages'
const CHOSEN = { Variant: 'court', Parts: [], Papers: [], Language: 'en' }

export const PACKAGE_ACTS: Readonly<Record<string, (world: World) => Promise<Act> | Act>> = {
  createCasePackage: async (world) => {
    const { CaseId } = await world.given.expecting(
      201,
      asChief(world, 'POST', '/api/v1/case/station', { Title: 'Theft' }),
    )
    const Evidences = [{ EvidenceId: world.photo.evidenceId }]
    await asChief(world, 'POST', `/api/v1/case/station/${CaseId}/link-evidences`, { Evidences })
    return {
      call: () => asChief(world, 'POST', `${PACKAGES}/case/${CaseId}`, CHOSEN),
      status: 201,
      actor: 'chief',
      entries: ({ json }) => [['package.ordered', 'package', json.PackageId]],
    }
  },
  createPackage: (world) => ({
    call: () => order(world),
    status: 201,
    actor: 'chief',
    entries: ({ json }) => [['package.ordered', 'package', json.PackageId]],
  }),
  listPackages: (world) => ({
    call: () => asChief(world, 'GET', PACKAGES),
    status: 200,
    actor: 'chief',
    entries: () => [['package.listed', 'package', '']],
  }),
  listPackagePlaces: (world) => ({
    call: () => asChief(world, 'GET', `${PACKAGES}/places`),
    status: 200,
    actor: 'chief',
    entries: () => [],
  }),
  getPackage: (world) => ofMade(world, 'GET', '', 200, 'package.read'),
  downloadPackage: (world) => ofMade(world, 'GET', '/file', 200, 'package.downloaded'),
  printPackageReceipt: (world) => ofMade(world, 'GET', '/receipt', 200, 'package.receipt'),
  removePackageFile: (world) => ofMade(world, 'DELETE', '/file', 204, 'package.fileRemoved'),
  askPackageWitness: async (world) => {
    const { PackageId } = await made(world)
    withCertificate(world)
    return {
      call: () => asChief(world, 'POST', `${PACKAGES}/${PackageId}/witness/signature`),
      status: 200,
      actor: 'chief',
      entries: () => [['package.signed', 'package', PackageId]],
    }
  },
  downloadPackageWitness: async (world) => {
    const { PackageId } = await made(world)
    withCertificate(world)
    const at = `${PACKAGES}/${PackageId}/witness/signature`
    await world.given.expecting(200, asChief(world, 'POST', at))
    return {
      call: () => asChief(world, 'GET', at),
      status: 200,
      actor: 'chief',
      entries: () => [['package.downloaded', 'package', PackageId]],
    }
  },
  startPackage: async (world) => {
    const { PackageId } = await world.given.expecting(201, order(world, { Encrypted: true }))
    return {
      call: () => asChief(world, 'POST', `${PACKAGES}/${PackageId}/start`, { Passphrase: 'a long enough pass phrase' }),
      status: 200,
      actor: 'chief',
      entries: () => [['package.ordered', 'package', PackageId]],
    }
  },
  stopPackage: (world) => ofWaiting(world, '/stop', 'package.stopped'),
  resumePackage: async (world) => {
    const { PackageId } = await waiting(world)
    await world.given.expecting(200, asChief(world, 'POST', `${PACKAGES}/${PackageId}/stop`))
    return {
      call: () => asChief(world, 'POST', `${PACKAGES}/${PackageId}/resume`),
      status: 200,
      actor: 'chief',
      entries: () => [['package.ordered', 'package', PackageId]],
    }
  },
}

function withCertificate({ given, signing }: World): void {
  if (existsSync(signing.keyFile)) return
  const issued = testCertificateAuthority(path.join(given.dir, 'authority'), 'State').issue('station')
  copyFileSync(issued.certificateFile, signing.certificateFile)
  copyFileSync(issued.keyFile, signing.keyFile)
}

const order = (world: World, more: Readonly<Record<string, unknown>> = {}) =>
  asChief(world, 'POST', PACKAGES, { EvidenceIds: [world.photo.evidenceId], ...CHOSEN, ...more })

async function made(world: World): Promise<Json> {
  const { PackageId } = await world.given.expecting(201, order(world))
  for (let tries = 0; tries < 200; tries++) {
    const found = await world.given.expecting(200, asChief(world, 'GET', `${PACKAGES}/${PackageId}`))
    if (found.State === 'Made') return found
    if (found.State === 'Failed') throw new Error(found.Problem)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('the package was not made')
}

async function ofMade(world: World, method: string, place: string, status: number, action: string): Promise<Act> {
  const { PackageId } = await made(world)
  return {
    call: () => asChief(world, method, `${PACKAGES}/${PackageId}${place}`),
    status,
    actor: 'chief',
    entries: () => [[action, 'package', PackageId]],
  } as Act
}

/** Jobs that make a package are put off past the end of the station. */
export const PUT_OFF = {
  name: 'put_off',
  table: 'jobs',
  when: "NEW.kind = 'package.make'",
  does: "UPDATE jobs SET state = 'waiting', run_after = 99999999999999 WHERE job_id = NEW.job_id",
}

/** One that waits: its job is put off past the end of the station. */
async function waiting(world: World): Promise<Json> {
  await world.given.meddle((db) => createTrigger(db, PUT_OFF))
  try {
    return await world.given.expecting(201, order(world))
  } finally {
    await world.given.meddle((db) => dropTrigger(db, PUT_OFF.name, PUT_OFF.table))
  }
}

async function ofWaiting(world: World, place: string, action: string): Promise<Act> {
  const { PackageId } = await waiting(world)
  return {
    call: () => asChief(world, 'POST', `${PACKAGES}/${PackageId}${place}`),
    status: 200,
    actor: 'chief',
    entries: () => [[action, 'package', PackageId]],
  } as Act
}
