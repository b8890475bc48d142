import type { Call } from '../ledger/call.ts'
import type { Tx } from '../database/database.ts'
import { resourceObject } from './objects.ts'
import { resourceById, updateResource } from './records.store.ts'
import { resourceVersion, type RecordDeps } from './row-versions.ts'

export interface CameraList {
  /**
   * The camera's own list has another hash for an original than the station, which took it in earlier (decisions 13). The first such list
   * counts: of a resource that one contradicted already, nothing is changed.
   */
  noteCameraSha256(
    tx: Tx,
    call: Call,
    resourceId: number,
    listed: string,
    detail: { readonly dockSessionId: string; readonly path: string },
  ): Promise<void>
}

export const createCameraList = (deps: RecordDeps): CameraList => ({
  noteCameraSha256: async (tx, call, resourceId, listed, detail) => {
    const before = await resourceById(tx, resourceId)
    if (before === undefined || before.camera_sha256 !== null) return
    // With its state, which stays: the list of evidence looks at an original anew when its state is written.
    await updateResource(tx, resourceId, { camera_sha256: listed, state: before.state })
    const row = await resourceVersion(deps, tx, call, resourceId, 'resource.differs')
    await deps.ledger.append(tx, call, {
      action: 'resource.differs',
      object: resourceObject(row),
      ...(row.sha256 === null ? {} : { sha256: row.sha256 }),
      detail: { ...detail, differsFrom: listed, evidenceId: String(row.evidence_id) },
    })
  },
})
