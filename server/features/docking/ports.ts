/** Functions of camera profiles and of the device service that the dock needs; app.ts supplies them. The machine's part is platform/volumes. */
import { dockReason } from '../../../shared/messages/dock-reasons.ts'
import type { Time } from '../../../shared/kernel/time.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { Device } from '../../kernel/evidence/model.ts'
import type { FoundFile, FoundFolder, WalkEntry } from '../../platform/files/walk.ts'
import type { Volume } from '../../platform/volumes/volumes.ts'

/** Why a file that says what the camera is stays where it is. It is listed as `foreign`, and is the camera's own all the same. */
export const OF_THE_CAMERA: string = dockReason('ofTheCamera')

/** A mark that was set while recording, in seconds from the start. */
export interface Mark {
  readonly seconds: number
  readonly title: string
}

export interface PartTimes {
  readonly start: Time | null
  readonly end: Time | null
}

export interface Recording {
  /** The same for the same recording at every look. */
  readonly key: string
  readonly name: string
  /** In order: the parts of one recording, then what describes it. */
  readonly files: readonly FoundFile[]
  /** By the camera's clock. */
  readonly start: Time | null
  readonly end: Time | null
  readonly marks: readonly Mark[]
  readonly locationWkt: string | null
  /** Of the files that are its parts, in order: when each began and ended by the camera's clock, where the camera says so. */
  readonly parts: ReadonlyMap<FoundFile, PartTimes>
  /** SHA-256 of files as the camera states it. */
  readonly claimedSha256: ReadonlyMap<FoundFile, string>
  /** Where nothing says when it began: a moment to find by whose it is. It is no time of the recording. */
  readonly about?: Time
  /** Whose it is where its source says so; without it, the one who had the device at that time. */
  readonly officer?: Officer | null
}

/** What the camera's clock showed, and when the station saw it; milliseconds since 1970. */
export interface ClockReading {
  readonly camera: number
  readonly station: number
  /** The camera's clock was read no more exactly than this, in milliseconds. */
  readonly uncertainty: number
  /** In a few words: how it was read. */
  readonly how: string
}

export interface Camera {
  readonly profile: string
  /** Null where nothing on it says who it is. */
  readonly device: Device | null
  readonly commonName: string | null
  /** Null: nothing on it tells what its clock shows. */
  readonly clock: ClockReading | null
  /** What the camera is set to; null where its profile cannot tell. */
  readonly configuration: Readonly<Record<string, unknown>> | null
  readonly capabilities: Readonly<Record<string, unknown>>
  readonly recordings: readonly Recording[]
  /** Files of the camera's own that belong to no recording, and why. What is named nowhere is foreign. */
  readonly others: ReadonlyMap<FoundFile, string>
  /** What on it does not fit together, in sentences. */
  readonly notes: readonly string[]
  /** Paths that its own list names outside it: they are told of, and nothing there is looked at. */
  readonly refused: readonly string[]
  /** Where on it the configuration goes that it is to have, below its root; null where its profile has no way to write one. */
  readonly configurationFile: string | null
  /** Whether the profile allows that a file of a recording is removed. */
  readonly mayBeCleared: (file: FoundFile) => boolean
}

export interface IdentifyInput {
  readonly volume: Volume
  /** Everything that lies on it, as one walk gave it. */
  readonly entries: readonly (FoundFolder | WalkEntry)[]
  /** Null where it is longer than `most` bytes or cannot be read. */
  readonly read: (file: FoundFile, most: number) => Promise<Buffer | null>
  /** When it was plugged in; null where the station did not see it come. Milliseconds since 1970, by the station. */
  readonly pluggedAt: number | null
  readonly now: () => number
}

/** Which camera a volume is, as its profile tells; or why it is none, in a sentence. */
export type Identify = (input: IdentifyInput) => Promise<Camera | { readonly notACamera: string }>

/** The device service (decisions 5), for volume cameras, which cannot speak for themselves. Whether a device is active never gates anything here. */
export interface DeviceRegister {
  /**
   * Adds an unknown device, inactive. What the camera has is committed, and so is what could be written to it; what it should have and
   * cannot be given is rejected, with the reason.
   */
  negotiate(call: Call, tenant: string, camera: KnownCamera, write: WriteConfiguration | null): Promise<Negotiated>
  /** With whom the device, active then, was associated at that moment. */
  officersAt(deviceId: string, at: Time): Promise<readonly Officer[]>
}

/** Puts it where the camera finds it, durable. @throws Error with what happened, for people */
export type WriteConfiguration = (configuration: unknown) => Promise<void>

/** With what a device is known by. */
export type KnownCamera = Camera & {
  readonly device: Device & { readonly SerialNumber: string; readonly Manufacturer: string }
}

export interface Negotiated {
  readonly result: 'seen' | 'unchanged' | 'committed' | 'rejected'
  readonly reason: string | null
}

export interface Officer {
  readonly KId: string
  readonly Username: string
  readonly PrincipalId: string
}
