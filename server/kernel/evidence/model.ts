import type { z } from 'zod'
import type { CreateEvidenceModel } from '../../../shared/evidence/contract.ts'
import type { ClipKind } from '../../../shared/media/clips.contract.ts'
import type { PrincipalKind } from '../../../shared/kernel/principal.ts'
import type { Time } from '../../../shared/kernel/time.ts'

/** Evidence and resources as the station keeps them: stored state only, never members that depend on who asks. */

/** A principal as then (2.4, CreatedBy). */
export interface PrincipalThen {
  readonly KId: string
  readonly Username: string
  readonly PrincipalId: string
  readonly PrincipalType: PrincipalKind
}

export interface Device {
  readonly DeviceType: string | null
  readonly Manufacturer: string | null
  readonly SerialNumber: string | null
  readonly Model: string | null
}

/** Decisions 5: who says that this device recorded it. */
export type DeviceIdentity = 'Claimed' | 'Credential' | 'Docked'

/** What describes it as the contract has it; what is absent is none. */
export interface NewEvidence
  extends Omit<z.output<typeof CreateEvidenceModel>, 'Device' | 'CaseIds' | 'DeviceCredential'> {
  /** Who gave the start; without it, it came with the evidence. */
  readonly startSource?: 'dock' | null
  readonly device: Device | null
  readonly deviceIdentity: DeviceIdentity | null
  /** Who may do what with it from the beginning, beside whoever makes it. */
  readonly policies?: readonly { readonly principalId: number; readonly level: string }[]
}

/** What a resource is to its evidence. Only originals come from outside. */
export type ResourceRole = 'original' | 'playable' | 'metadata' | 'poster' | 'preview'

export interface NewResource {
  readonly name: string
  readonly mimeType: string
  readonly start: Time | null
  readonly end: Time | null
  readonly timeOffset: string | null
  readonly expectedSha256: string | null
  readonly expectedLength: number | null
}

/** Facts read from the bytes, kept with the resource. */
export interface MediaFacts {
  readonly Width?: number
  readonly Height?: number
  readonly DurationSeconds?: number
  readonly VideoCodec?: string
  readonly AudioCodec?: string
  readonly Rotation?: number
  readonly FrameRate?: { readonly Numerator: number; readonly Denominator: number }
  readonly VariableFrameRate?: boolean
  readonly FrameCount?: number
  /** Of a still: where on the time line it was taken. */
  readonly Still?: number
  /** Of a clip: what was asked for and what it is, on the time line that is played, seconds. */
  readonly Clip?: {
    readonly Kind: ClipKind
    readonly AskedFrom: number
    readonly AskedTo: number
    readonly From: number
    readonly To: number
  }
  /** Of a crop: the rectangle of the picture, upright, in its own pixels. */
  readonly Crop?: { readonly Left: number; readonly Top: number; readonly Width: number; readonly Height: number }
  /** Of captions: whose they are is said by the parent. Those that were taken away again stay, and are shown with the recording no more. */
  readonly Captions?: {
    readonly Language: string
    readonly Label: string
    readonly Count: number
    readonly Detached?: true
  }
  /** Which program's idea of these facts it is: older ones are read anew (FACTS_VERSION). */
  readonly Version?: number
}

/** A step where more is read from the bytes than before: stations then look at older resources again. */
export const FACTS_VERSION = 3
