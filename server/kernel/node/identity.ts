/** The identity of a process among those that share one database: its nodes. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { keepPrivateText } from '../../platform/files/private-file.ts'
import { thisMachine } from '../../platform/network/machine.ts'

export interface NodeIdentity {
  /** A random UUID. It belongs to the data folder and survives restarts. */
  readonly id: string
  /** For people. */
  readonly name: string
}

/** The file with the id in the data folder. It is no secret, and belongs in no backup: a node with a copied id is refused. */
const FILE = 'node-id'
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

interface Settings {
  readonly data: string
  readonly port: number
  readonly nodeName?: string | undefined
}

/**
 * @param mayWrite false: nothing may be written to the data folder; a folder without an id then has one for this run only
 * @throws Error when the file holds something else
 */
export async function openNodeIdentity({ data, port, nodeName }: Settings, mayWrite: boolean): Promise<NodeIdentity> {
  const name = nodeName ?? (port === 0 ? thisMachine().name : `${thisMachine().name}:${port}`)
  const fresh = randomUUID()
  if (!mayWrite) return { id: fresh, name }
  const path = join(data, FILE)
  const id = (await keepPrivateText(path, `${fresh}\n`).catch(withoutSpace(fresh))).trim()
  if (!UUID.test(id))
    throw new Error(`${path} does not hold the id of a node. Remove the file; the next start makes a new id.`)
  return { id, name }
}

/** A full disk keeps no station from starting (D6). */
const withoutSpace =
  (fresh: string) =>
  (error: unknown): string => {
    if (['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')) return fresh
    throw error
  }
