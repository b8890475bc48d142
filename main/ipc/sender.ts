/** Whose calls are answered: the station's own page, and of it only the frame that a person sees as the page. */
import { originOf } from '../window/addresses.ts'

/** What of a frame is looked at; null when it is gone already. */
export interface SenderFrame {
  readonly url: string
  readonly parent: unknown
}

export const mayAsk = (frame: SenderFrame | null, station: string): boolean =>
  frame !== null && frame.parent === null && originOf(frame.url) === station
