/** Media: the tools of this machine, what is derived from originals, and what older derivations lack. */
import { createClips } from './clips/media.clips.ts'
import { deriveHandlers } from './derive/derive.jobs.ts'
import { createDeriver } from './derive/derive.ts'
import { createCaptureRenewal, createZoneRenewal } from './derive/older-starts.ts'
import { createRenewal } from './derive/renew.ts'
import type { ServeFile } from '../../http/bytes.ts'
import { createReach } from '../../kernel/evidence/reach.ts'
import { mediaRoutes } from './media.routes.ts'
import { createMediaService } from './media.service.ts'
import { createCrops } from './media.crops.ts'
import { createStills } from './media.stills.ts'
import { createSmallPictures } from './derive/small-picture.ts'
import { createMarking, missingLetters } from './marked/marked-copy.ts'
import { joinHandlers } from '../../kernel/jobs/queue.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Task } from '../../kernel/scheduler.ts'
import { createMediaTools, type MediaTools } from '../../platform/ffmpeg/media-tools.ts'
import { USUAL_FOLDERS } from '../../platform/run/tools.ts'

interface Needs {
  readonly serveFile: ServeFile
}

export function mediaFeature(kernel: Kernel, { serveFile }: Needs) {
  const { settings, db, ledger, store, records, jobs, clock, log, mode, timeZone } = kernel
  const tools = createMediaTools(
    settings.toolFolders !== undefined
      ? { searchPath: settings.toolFolders, exiftoolScript: null }
      : settings.mediaFolder !== undefined
        ? { searchPath: [settings.mediaFolder, ...USUAL_FOLDERS] }
        : {},
  )
  const deriver = createDeriver({
    tools,
    store,
    vendor: settings.vendor,
    log: (event) => log.info(event, 'a media tool refused a file'),
  })
  const whileWriting = (run: () => Promise<unknown>) => async (): Promise<void> => {
    if (mode.mayWrite()) await run()
  }
  const reached = createReach(kernel)
  const taking = { ...kernel, ...reached, deriver, requireBytes: mode.requireBytes }
  const clips = createClips(taking)
  return {
    tools,
    makeMarked: createMarking(tools),
    smallPicture: createSmallPictures({ tools, store }),
    missingLetters,
    routes: mediaRoutes({
      service: createMediaService({ ...kernel, ...reached }),
      stills: createStills(taking),
      clips,
      crops: createCrops(taking),
      store,
      ledger,
      serveFile,
    }),
    handlers: joinHandlers(
      deriveHandlers({ db: db.inBackground, store, deriver, records, ledger, jobs, clock, timeZone }),
      clips.handlers,
    ),
    tasks: [
      { name: 'older derivations', runsOn: 'one node', everyMs: 5_000, run: createRenewal({ db, jobs }).run },
      {
        name: 'times of older pictures',
        runsOn: 'one node',
        everyMs: 1_000,
        run: whileWriting(createCaptureRenewal({ db, store, records, clock, timeZone }).run),
      },
      {
        name: 'local times in the zone of the station',
        runsOn: 'one node',
        everyMs: 1_000,
        run: whileWriting(createZoneRenewal({ db, records, timeZone }).run),
      },
      { name: 'media tools', runsOn: 'every node', everyMs: 15_000, run: newTools(tools, jobs.wake) },
    ] satisfies Task[],
  }
}

/** What waits for a tool goes on when one appears. What appears between the start and the first round counts too. */
function newTools(tools: MediaTools, wake: () => Promise<void>): () => Promise<void> {
  let known = tools.stamp().catch(() => '')
  return async () => {
    const now = await tools.stamp()
    if (now !== (await known)) await wake()
    known = Promise.resolve(now)
  }
}
