import type { ToolAnswer } from '../../../platform/ffmpeg/media-tools.ts'
import { FinalFailure, NotYet } from '../../../kernel/jobs/types.ts'

const KEPT = 'the original is kept whole and can be downloaded.'
export const UNREADABLE = `No program here could read this file; ${KEPT}`
export const NO_PREVIEW = `This station makes no preview of this kind of file; ${KEPT}`
/** For a file whose name promises a recording or a picture. */
export const NOT_AS_NAMED = (ending: string): string =>
  `The name says ${ending}, but the content was not recognised as a recording or picture; ${KEPT}`
export const EMPTY = 'This file is empty.'
export const TOO_LARGE_PICTURE = `This picture is larger than 64 megapixels, so no preview was made; ${KEPT}`
export const NO_PICTURE = `This file holds no moving picture; ${KEPT}`
export const NO_SOUND = `This file holds no sound that can be read; ${KEPT}`
const TOO_MUCH = `Making a copy to look at took more time or memory than is allowed; ${KEPT}`

export const disagreement = (what: string): string =>
  `The copy made for playing did not agree with the original (${what}), so it was not kept; ${KEPT}`

export const notInstalled = (tool: string): NotYet =>
  new NotYet(`${tool} is not installed on this station; this is done as soon as it is.`)

type Refusal = Extract<ToolAnswer<unknown>, { ok: false }>

/** What a tool's refusal means for the job. The tool's own words go to the log only: they may quote the file. */
export function failureOf(refusal: Refusal, signal?: AbortSignal): Error {
  switch (refusal.why) {
    case 'missing':
      return notInstalled(refusal.tool)
    case 'unreadable':
      return /Unknown encoder/.test(refusal.detail)
        ? new NotYet(
            'The ffmpeg on this station cannot write H.264; this is done as soon as one that can is installed.',
          )
        : new FinalFailure(UNREADABLE)
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
