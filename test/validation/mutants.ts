/** For each check of a self-validation something that works wrongly, and has to make the check fail. */
import { chmodSync, globSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { verifyLedger } from '../../server/features/integrity/verification/verify.ts'
import type { Finding, ScratchArea } from '../../server/features/validation/checks/check.ts'
import { checkClock } from '../../server/features/validation/checks/clock.ts'
import { checkDenial } from '../../server/features/validation/checks/denial.ts'
import { checkHashes } from '../../server/features/validation/checks/hashes.ts'
import { checkLedger } from '../../server/features/validation/checks/ledger.ts'
import { checkDecoding, checkMetadata } from '../../server/features/validation/checks/media.ts'
import { checkRestore } from '../../server/features/validation/checks/restore.ts'
import { checkSignatures } from '../../server/features/validation/checks/signatures.ts'
import { checkVolumes } from '../../server/features/validation/checks/volumes.ts'
import type { ValidationNeeds } from '../../server/features/validation/index.ts'
import { createAccess } from '../../server/kernel/access/access.ts'
import { manualClock } from '../../server/platform/clock/manual-clock.ts'
import { systemClock } from '../../server/platform/clock/clock.ts'
import { createMediaTools } from '../../server/platform/ffmpeg/media-tools.ts'
import { flipBit } from '../../server/platform/files/flip-bit.ts'
import { createLog } from '../../server/platform/log/log.ts'
import { findOpenssl } from '../../server/platform/run/openssl.ts'
import { USUAL_FOLDERS } from '../../server/platform/run/tools.ts'
import type { StationKeys } from '../../server/platform/secrets/keys.ts'
import { type FolderStore, openBlobStore } from '../../server/storage/folder/store.ts'
import type { StoreOptions } from '../../server/storage/store.ts'
import type { CheckName } from '../../shared/validation/checks.ts'

export interface Bench {
  readonly area: ScratchArea
  readonly keys: StationKeys
  readonly store: FolderStore
  readonly snapshots: Pick<ValidationNeeds, 'makeSnapshot' | 'restore'>
  /** An empty folder. */
  folder(): string
}

export interface Mutant {
  readonly check: CheckName
  readonly what: string
  readonly run: (bench: Bench) => Promise<Finding>
  readonly told: RegExp
}

const { signal } = new AbortController()
const clock = systemClock
const log = createLog('silent')
const ZEROS = '0'.repeat(64)

/** A program in a folder of its own, which is found before the installed ones. */
export function script(folder: string, name: string, text: string): string {
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, name), `#!/usr/bin/sh\n${text}`)
  chmodSync(path.join(folder, name), 0o755)
  return folder
}

/** Arguments are told apart by what they ask for; `more` goes before the output. */
const ffmpegThat = (asked: string, more: string): string => `case "$*" in *${asked}*)
  n=$#; i=0
  while [ $i -lt $n ]; do a=$1; shift; [ "$a" = -map ] && set -- "$@" ${more}; set -- "$@" "$a"; i=$((i+1)); done;;
esac
exec /usr/bin/ffmpeg "$@"
`
export const PIXEL = ffmpegThat('framehash', '-vf drawbox=x=0:y=0:w=2:h=2:color=red')

const tools = (folder: string) => createMediaTools({ searchPath: [folder, ...USUAL_FOLDERS], exiftoolScript: null })

const media =
  (check: typeof checkDecoding, name: string, text: string) =>
  async ({ area, folder }: Bench): Promise<Finding> =>
    check({ tools: tools(script(folder(), name, text)) }, area, signal)

const openssl =
  (text: string) =>
  async ({ area, keys, folder }: Bench): Promise<Finding> =>
    checkSignatures(
      {
        packageKey: await keys.packages.ensure(),
        ledgerKey: keys.signing.current(),
        openssl: await findOpenssl([script(folder(), 'openssl', text)], signal),
      },
      area,
    )

/** A store of which one part lies. */
const volumes =
  (lie: (store: FolderStore) => Partial<FolderStore>) =>
  ({ area, store }: Bench): Promise<Finding> =>
    checkVolumes(
      {
        store,
        now: clock.now,
        openStore: async (options: StoreOptions) => {
          const opened = await openBlobStore(options)
          return { ...opened, ...lie(opened) }
        },
      },
      area,
      signal,
    )

const ledger =
  (verify: typeof verifyLedger) =>
  ({ area }: Bench): Promise<Finding> =>
    checkLedger({ verifyLedger: verify, clock, log }, area, signal)

export const MUTANTS: readonly Mutant[] = [
  {
    check: 'decoding',
    what: 'an ffmpeg that changes a pixel',
    run: media(checkDecoding, 'ffmpeg', PIXEL),
    told: /20 pictures are not decoded as they are known/,
  },
  {
    check: 'signatures',
    what: 'an openssl that accepts everything',
    run: openssl('exit 0\n'),
    told: /accepts its signature for another text/,
  },
  {
    check: 'volumes',
    what: 'a store whose reading back lies',
    run: volumes((store) => ({
      verifyBlob: async (...given) => ({ ...(await store.verifyBlob(...given)), result: 'ok' }),
    })),
    told: /one bit of a file was changed, and reading it back did not tell/,
  },
  {
    check: 'ledger',
    what: 'a verification that knows no checkpoint',
    run: ledger((options) => verifyLedger({ ...options, outside: [] })),
    told: /Not found: the end cut off\. Not found: an entry edited and all hashes after it made anew\./,
  },
  {
    check: 'restore',
    what: 'a restore that changes a bit',
    run: ({ area, snapshots }) =>
      checkRestore(
        {
          ...snapshots,
          restore: async (given) => {
            const report = await snapshots.restore(given)
            await flipFirst(given.blobs)
            return report
          },
          clock,
          log,
        },
        area,
        signal,
      ),
    told: /The restored file has the hash/,
  },
  {
    check: 'denial',
    what: 'an access check that lets everybody in',
    run: ({ area }) => checkDenial({ access: { onEvidence: async () => 'View' }, clock, log }, area),
    told: /Somebody without any right was let in\. A caller who did not sign in was let in\./,
  },
  {
    check: 'denial',
    what: 'an access check that lets nobody in',
    run: ({ area }) => checkDenial({ access: { onEvidence: async () => 'None' }, clock, log }, area),
    told: /so a refusal says nothing/,
  },
  {
    check: 'denial',
    what: 'an access check that forgets who is asking',
    run: ({ area }) => {
      const access = createAccess({ clock })
      const owner = { kind: 'user', id: '1', name: 'owner', kId: '' } as const
      return checkDenial(
        { access: { onEvidence: (from, _who, id) => access.onEvidence(from, owner, id) }, clock, log },
        area,
      )
    },
    told: /was let in/,
  },
  {
    check: 'hashes',
    what: 'a reader that gives another hash',
    run: ({ area, store }) =>
      checkHashes({ store: { ...store, hashFile: async () => ({ sha256: ZEROS, length: 0 }) } }, area, signal),
    told: /CAVP short, 8 bits, read: 0{64} instead of 28969cdf/,
  },
  {
    check: 'hashes',
    what: 'a store that takes something else in',
    run: ({ area, store }) =>
      checkHashes(
        { store: { ...store, copyIn: async (...given) => ({ ...(await store.copyIn(...given)), sha256: ZEROS }) } },
        area,
        signal,
      ),
    told: /CAVP long, 1304 bits, taken in: 0{64} instead of 3c593aa5/,
  },
  {
    check: 'volumes',
    what: 'a store that sees changes everywhere',
    run: volumes((store) => ({
      verifyBlob: async (...given) => ({ ...(await store.verifyBlob(...given)), result: 'changed' }),
    })),
    told: /a file that nobody changed was read back as changed/,
  },
  {
    check: 'ledger',
    what: 'a verification that finds nothing',
    run: ledger(async (options) => ({ ...(await verifyLedger(options)), problems: [] })),
    told: /Not found: an entry edited\. Not found: an entry deleted\./,
  },
  {
    check: 'ledger',
    what: 'a verification that leaves entries out',
    run: ledger(async (options) => {
      const report = await verifyLedger(options)
      return { ...report, entries: report.entries - 1 }
    }),
    told: /Of 40 entries 39 were verified/,
  },
  {
    check: 'signatures',
    what: 'an openssl that refuses everything',
    run: openssl('[ "$1" = version ] && exit 0; exit 1\n'),
    told: /The key of packages: openssl refuses what it signed\. The key of the ledger: openssl refuses/,
  },
  {
    check: 'decoding',
    what: 'an ffmpeg that leaves pictures out of a copy',
    run: media(checkDecoding, 'ffmpeg', ffmpegThat('copy.mp4', '-frames:v 10')),
    told: /A copy of the stream is not decoded to the pictures of its source/,
  },
  {
    check: 'decoding',
    what: 'an ffprobe that reads another date',
    run: media(checkDecoding, 'ffprobe', '/usr/bin/ffprobe "$@" | sed s/2026-03-14/2026-03-15/\n'),
    told: /its date is read as 2026-03-15T09:26:53 instead of 2026-03-14T09:26:53/,
  },
  {
    check: 'metadata',
    what: 'an exiftool that reads another time',
    run: media(checkMetadata, 'exiftool', '/usr/bin/exiftool "$@" | sed s/09:26:53/09:26:54/\n'),
    told: /its date is read as 2026-03-14T09:26:54/,
  },
  {
    check: 'metadata',
    what: 'an exiftool that reads another place',
    run: media(checkMetadata, 'exiftool', '/usr/bin/exiftool "$@" | sed s/16.3738/17.3738/\n'),
    told: /its place is read as 48.2082, 17.3738/,
  },
  {
    check: 'restore',
    what: 'a restore of nothing',
    run: ({ area, snapshots }) =>
      checkRestore({ ...snapshots, restore: async () => ({ blobs: 0, problems: [] }), clock, log }, area, signal),
    told: /The file of the evidence was not restored/,
  },
  {
    check: 'clock',
    what: 'a clock that somebody sets meanwhile',
    run: async () => {
      const jumping = manualClock()
      const began = { now: jumping.now(), monotonic: jumping.monotonic() }
      jumping.advance(1000)
      jumping.set(jumping.now() - 3_600_000)
      return checkClock({
        clock: jumping,
        clockSync: async () => ({ source: 'ntp', errorMilliseconds: 1 }),
        began,
      })
    },
    told: /jumped by -3600000 ms/,
  },
  {
    check: 'clock',
    what: 'a clock that is synchronised with a wrong one',
    run: async () => {
      const steady = manualClock()
      const began = { now: steady.now(), monotonic: steady.monotonic() }
      return checkClock({ clock: steady, clockSync: async () => ({ source: 'ntp', errorMilliseconds: 9000 }), began })
    },
    told: /may be wrong by 9000 ms/,
  },
]

async function flipFirst(blobs: string): Promise<void> {
  const [file] = globSync('??/??/*', { cwd: blobs })
  if (file === undefined) throw new Error('nothing was restored')
  await flipBit(path.join(blobs, file), Math.floor(statSync(path.join(blobs, file)).size / 2))
}
