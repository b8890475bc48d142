import { WATCHED_PROFILE } from '../../../../shared/docking/docking.ts'
import { timeOf } from '../../../../shared/kernel/time.ts'
import type { Device } from '../../../kernel/evidence/model.ts'
import type { FoundFile } from '../../../platform/files/walk.ts'
import type { Volume } from '../../../platform/volumes/volumes.ts'
import type { Camera, Identify, IdentifyInput, Officer, Recording } from '../ports.ts'
import { belowRoot } from '../session/context.ts'
import { pathKeyOf } from '../steps/camera-contents.ts'
import { whyUnfinished } from './still.ts'

/** A folder that is watched, as sessions see a camera: every file that is whole is a recording of its own. */

/** Whose the files of one folder are, as the setting says. */
export interface Attribution {
  readonly device: Device | null
  /** By the name that they sign in with. */
  readonly officer: string | null
  /** Folders directly in it are called as their officers sign in. */
  readonly officerFolders: boolean
  readonly after: 'keep' | 'clear' | 'move'
}

export interface FolderIdentifyDeps {
  readonly attributionOf: (volume: Volume) => Attribution
  /** Null where no user has this sign-in name. */
  readonly officerNamed: (username: string) => Promise<Officer | null>
}

export const identifyFolder =
  ({ attributionOf, officerNamed }: FolderIdentifyDeps): Identify =>
  async ({ volume, entries }: IdentifyInput) => {
    const { device, officer, officerFolders, after } = attributionOf(volume)
    const files = entries.filter((entry) => entry.kind === 'file')
    const others = new Map<FoundFile, string>()
    const recordings: Recording[] = []
    const notes = new Set<string>()
    const known = new Map<string, Officer | null>()
    const named = async (username: string): Promise<Officer | null> => {
      const before = known.get(username)
      if (before !== undefined) return before
      const found = await officerNamed(username)
      if (found === null) notes.add(`Nobody signs in as ${username}: what is theirs is attributed to nobody.`)
      known.set(username, found)
      return found
    }
    for (const file of files) {
      const why = whyUnfinished(file.name)
      if (why !== null) {
        others.set(file, why)
        continue
      }
      const username = officerFolders ? firstFolder(volume, file) : officer
      recordings.push({
        ...recordingOf(volume, file),
        // A device of which files are says by its associations whose they are.
        ...(device === null ? { officer: username === null ? null : await named(username) } : {}),
      })
    }
    return {
      profile: WATCHED_PROFILE,
      device,
      commonName: null,
      clock: null,
      configuration: null,
      capabilities: {},
      recordings,
      others,
      notes: [...notes],
      refused: [],
      configurationFile: null,
      mayBeCleared: () => after !== 'keep',
    } satisfies Camera
  }

/** Nothing but its bytes says when it was recorded, and they are looked into later: the time of its last change is no such time. */
function recordingOf(volume: Volume, file: FoundFile): Recording {
  return {
    key: pathKeyOf(belowRoot(volume, file.location)),
    name: file.name,
    files: [file],
    start: null,
    end: null,
    marks: [],
    locationWkt: null,
    parts: new Map(),
    claimedSha256: new Map(),
    about: timeOf(Number(file.modifiedNs / 1_000_000n)),
  }
}

/** The name of the folder directly below the root in which it lies, at whatever depth; null for a file of the root itself. */
function firstFolder(volume: Volume, file: FoundFile): string | null {
  const [first, second] = belowRoot(volume, file.location).toString('utf8').split('/')
  return first === undefined || second === undefined ? null : first
}
