/** The retention of a source as it is typed, and back to what the station takes. Pure. */
import type { z } from 'zod'
import {
  CreateSourcePolicyModel,
  fitsSomething,
  type SourcePolicyModel,
} from '../../../../shared/retention/contract.ts'
import type { UploaderKind } from '../../../../shared/retention/retention.ts'
import { nameProblem, wrongMembers } from '../editing/wrong-members.ts'

export type Source = z.output<typeof SourcePolicyModel>

export interface SourceDraft {
  readonly Name: string
  readonly DeviceType: string
  readonly SourceId: string
  /** Empty: whoever. */
  readonly Uploader: UploaderKind | ''
  /** Whole days, at least 1; 0 while the number is missing; null: kept. */
  readonly RetentionDays: number | null
}

/** @param source null for a new one */
export const sourceDraft = (source: Source | null): SourceDraft => ({
  Name: source?.Name ?? '',
  DeviceType: source?.DeviceType ?? '',
  SourceId: source?.SourceId ?? '',
  Uploader: source?.Uploader ?? '',
  RetentionDays: source === null ? 365 : source.RetentionDays,
})

export type WrongSource = ReturnType<typeof wrongInSource>

/** What can be told before the station is asked. */
export const wrongInSource = (draft: SourceDraft) => ({
  ...wrongMembers(CreateSourcePolicyModel, sourceMembers(draft), {
    Name: nameProblem(draft.Name),
    DeviceType: 'notStorable',
    SourceId: 'notStorable',
    RetentionDays: 'daysMissing',
  } as const),
  ...(fitsSomething(matchMembers(draft)) ? {} : { Match: 'sourceMatchMissing' as const }),
})

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())

export const matchMembers = ({ DeviceType, SourceId, Uploader, RetentionDays }: SourceDraft) => ({
  DeviceType: orNull(DeviceType),
  SourceId: orNull(SourceId),
  Uploader: Uploader === '' ? null : Uploader,
  RetentionDays,
})

export const sourceMembers = (draft: SourceDraft) => ({ Name: draft.Name.trim(), ...matchMembers(draft) })
