import type { Call } from '../../kernel/ledger/call.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Clock } from '../../platform/clock/clock.ts'

/** A player that asks for no more bytes for so long has stopped. */
const SILENCE_MS = 60_000

/** A playback is many range requests, and one entry at its start and one at its end with bytes (decisions 12). */
export interface Playbacks {
  /** Resolves when the start is in the ledger, or at once when this playback runs already. @returns to be told, once an answer, of the bytes that went out. */
  touch(
    call: Call,
    object: { type: string; id: string; name: string },
    evidenceId: string,
  ): Promise<(bytes: number) => void>
  /** Ends what has been silent; called by a timer. */
  sweep(): Promise<void>
  /** Ends all, at shutdown. */
  stop(): Promise<void>
}

interface Playback {
  readonly call: Call
  readonly object: { type: string; id: string; name: string }
  readonly evidenceId: string
  readonly since: number
  readonly started: Promise<unknown>
  bytes: number
  last: number
  /** Answers still on their way: one request may play for an hour. */
  open: number
}

export function createPlaybacks({ ledger, clock }: { ledger: Ledger; clock: Clock }): Playbacks {
  const playing = new Map<string, Playback>()

  const end = async (key: string, playback: Playback): Promise<void> => {
    playing.delete(key)
    await ledger.record(playback.call, {
      action: 'resource.played.ended',
      object: playback.object,
      bytes: playback.bytes,
      detail: { evidenceId: playback.evidenceId, seconds: Math.round((playback.last - playback.since) / 1000) },
    })
  }

  return {
    touch: async (call, object, evidenceId) => {
      const key = `${call.actor.kind} ${call.actor.id} ${call.source} ${object.id}`
      let playback = playing.get(key)
      if (playback === undefined) {
        const started = ledger.record(call, { action: 'resource.played.started', object, detail: { evidenceId } })
        playback = {
          call,
          object,
          evidenceId,
          since: clock.monotonic(),
          started,
          bytes: 0,
          last: clock.monotonic(),
          open: 0,
        }
        playing.set(key, playback)
        started.catch(() => playing.delete(key))
      }
      const current = playback
      current.open += 1
      await current.started
      let told = false
      return (bytes) => {
        if (told) return
        told = true
        current.open -= 1
        current.bytes += bytes
        current.last = clock.monotonic()
      }
    },
    sweep: async () => {
      for (const [key, playback] of playing)
        if (playback.open === 0 && clock.monotonic() - playback.last > SILENCE_MS) await end(key, playback)
    },
    stop: async () => {
      for (const [key, playback] of playing) await end(key, playback)
    },
  }
}
