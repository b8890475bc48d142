/** Serves all calls of the bridge: checks the sender, validates the argument, and reports failures as text. */
import { ipcMain, type WebContents } from 'electron'
import { z } from 'zod'
import { type Call, CALLS, channelOf, type DesktopBridge, type Outcome } from '../../shared/desktop/bridge.ts'
import { ARGUMENT, type ArgumentOf } from '../../shared/desktop/calls.ts'
import type { Words } from '../system/messages.ts'
import { isAllowedSender } from './sender.ts'

/** The handlers of the bridge. Each gets the validated argument and the calling page. */
export type Answers = {
  readonly [Name in Call]: (argument: ArgumentOf<Name>, from: WebContents) => ReturnType<DesktopBridge[Name]>
}

/** A refusal with a message for the person. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

export interface ServeDeps {
  readonly station: string
  readonly isOurs: (contents: WebContents) => boolean
  readonly answers: Answers
  readonly words: Words
  readonly report: (text: string, error: unknown) => void
}

export function serveBridge({ station, isOurs, answers, words, report }: ServeDeps): void {
  for (const call of CALLS) {
    ipcMain.handle(channelOf(call), async (event, argument: unknown): Promise<Outcome> => {
      if (!isAllowedSender(event.senderFrame, station) || !isOurs(event.sender)) return refused(words('refusedSender'))
      const checked = ARGUMENT[call].safeParse(argument ?? undefined)
      if (!checked.success) return refused(words('refusedArgument', { problem: z.prettifyError(checked.error) }))
      try {
        const answer = answers[call] as (argument: unknown, from: WebContents) => Promise<unknown>
        return { ok: true, value: await answer(checked.data, event.sender) }
      } catch (error) {
        if (error instanceof Refusal) return refused(error.message)
        report(`the call ${call} of the bridge failed`, error)
        return refused(words('callFailed'))
      }
    })
  }
}

const refused = (message: string): Outcome => ({ ok: false, message })
