import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Bytes for new objects, from which on their space does not grow. */
const MOST = 32 * 2 ** 20

const newSpace = (): number =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0

/**
 * Keeps the space for new objects of this process at some 32 MB; V8 would let it grow to 128 MB under steady traffic. Its own limit can be set only
 * on the command line, which Electron's main process does not have. So growth is stopped after a collection that finds the space large
 * enough. @returns lets it grow again
 */
export function limitYoungMemory(): () => void {
  let grows = true
  const set = (wanted: boolean): void => {
    if (wanted === grows) return
    grows = wanted
    setFlagsFromString(`--semi-space-growth-factor=${wanted ? 2 : 1}`)
  }
  const observer = new PerformanceObserver(() => set(newSpace() < MOST))
  observer.observe({ entryTypes: ['gc'] })
  return () => {
    observer.disconnect()
    set(true)
  }
}

/** For threads that copy and hash bytes and make few objects: V8 would take several megabytes for these before it collects any. */
export const FEW_OBJECTS = { maxYoungGenerationSizeMb: 2 } as const
