/** What stands in the bays, as the station tells it: by its stream, and by asking where the stream is silent. */
import { useEffect, useState } from 'react'
import type { z } from 'zod'
import * as contract from '../../../../shared/docking/contract.ts'
import { addressOf, call, Fault } from '../../../client/api.ts'

export type DockWall = z.output<typeof contract.DockWallModel>
export type DockTile = DockWall['Tiles'][number]

export interface Live {
  readonly wall: DockWall | null
  /** What is known may not be what is: nobody may go by it. */
  readonly stale: boolean
  /** Why there is nothing, where the station refused. */
  readonly refused: Fault | null
}

/** The stream tells something every three seconds. */
const SILENT_MS = 4_500
const STALE_MS = 9_000
const LOOK_MS = 1_500
/** Whoever may not see the wall here is not asked for it again and again. */
const AFTER_REFUSAL_MS = 30_000

export function useWall(tenant: string): Live {
  const [live, setLive] = useState<Live>({ wall: null, stale: false, refused: null })
  useEffect(() => {
    const params = { tenantId: tenant }
    const begun = performance.now()
    let heard: number | null = null
    let askAgain = 0
    let asking = false
    let source: EventSource | null = null
    const take = (wall: DockWall): void => {
      heard = performance.now()
      setLive({ wall, stale: false, refused: null })
    }
    const listen = (): void => {
      source = new EventSource(addressOf(contract.dockWallEvents, { params }))
      source.addEventListener('wall', (event) => take(JSON.parse(event.data) as DockWall))
    }
    const ask = async (): Promise<void> => {
      asking = true
      try {
        take(await call(contract.getDockWall, { params }))
      } catch (error) {
        if (!(error instanceof Fault)) return
        askAgain = performance.now() + AFTER_REFUSAL_MS
        setLive({ wall: null, stale: false, refused: error })
      } finally {
        asking = false
      }
    }
    const look = (): void => {
      const now = performance.now()
      if (now - (heard ?? begun) > STALE_MS) setLive((was) => (was.stale ? was : { ...was, stale: true }))
      if (now - (heard ?? begun) < SILENT_MS || now < askAgain) return
      if (!asking) void ask()
      // A stream that was refused or that the browser gave up is not taken up again by itself.
      if (source?.readyState === EventSource.CLOSED) listen()
    }
    listen()
    void ask()
    const timer = setInterval(look, LOOK_MS)
    return () => {
      clearInterval(timer)
      source?.close()
    }
  }, [tenant])
  return live
}
