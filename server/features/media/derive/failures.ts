import { jobReason } from '../../../../shared/messages/job-reasons.ts'
import type { ToolAnswer } from '../../../platform/ffmpeg/media-tools.ts'
import { FinalFailure, NotYet } from '../../../kernel/jobs/types.ts'

export const UNREADABLE = jobReason('unreadable')
export const NO_PREVIEW = jobReason('noPreview')
/** For a file whose name promises a recording or a picture. */
export const NOT_AS_NAMED = (ending: string): string => jobReason('notAsNamed', { ending })
export const EMPTY = jobReason('empty')
export const TOO_LARGE_PICTURE = jobReason('pictureTooLarge')
export const NO_PICTURE = jobReason('noPicture')
export const NO_SOUND = jobReason('noSound')
const TOO_MUCH = jobReason('tooMuch')

export const disagreement = (what: string): string => jobReason('copyDiffers', { what })

export const notInstalled = (tool: string): NotYet => new NotYet(jobReason('notInstalled', { tool }))

type Refusal = Extract<ToolAnswer<unknown>, { ok: false }>

/** What a tool's refusal means for the job. The tool's own words go to the log only: they may quote the file. */
export function failureOf(refusal: Refusal, signal?: AbortSignal): Error {
  switch (refusal.why) {
    case 'missing':
      return notInstalled(refusal.tool)
    case 'unreadable':
      return /Unknown encoder/.test(refusal.detail) ? new NotYet(jobReason('noH264')) : new FinalFailure(UNREADABLE)
    case 'limit':
      return new FinalFailure(TOO_MUCH)
    case 'aborted':
      return signal?.reason instanceof Error ? signal.reason : new Error('aborted')
    case 'machine':
      return new Error(`${refusal.tool} could not be started: ${refusal.detail.slice(0, 200)}`)
  }
}

/** The value of an answer, or its failure thrown. */
export function valueOf<T>(answer: ToolAnswer<T>, signal?: AbortSignal): Extract<ToolAnswer<T>, { ok: true }> {
  if (answer.ok) return answer
  throw failureOf(answer, signal)
}
