/** Decides whose calls are answered: only the main frame of a page of the station. */
import { originOf } from '../window/addresses.ts'

/** The used members of a frame. */
export interface SenderFrame {
  readonly url: string
  readonly parent: unknown
}

export const isAllowedSender = (frame: SenderFrame | null, station: string): boolean =>
  frame !== null && frame.parent === null && originOf(frame.url) === station
