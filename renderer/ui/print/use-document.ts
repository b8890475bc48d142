/** A document that the station makes while it is fetched: how far it is, its end, and the way to stop it. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { refusalOf } from '../../client/api.ts'

export type Making =
  | { readonly state: 'idle' | 'stopped' }
  | { readonly state: 'busy'; readonly bytes: number }
  | { readonly state: 'ready'; readonly bytes: number; readonly url: string; readonly name: string }
  | { readonly state: 'failed'; readonly error: Error }

const IDLE: Making = { state: 'idle' }
/** So often the bytes that came are shown anew. */
const SHOWN_EVERY_MS = 250

export function useDocument(): {
  readonly making: Making
  readonly make: (address: string) => void
  readonly stop: () => void
  readonly forget: () => void
} {
  const [making, setMaking] = useState<Making>(IDLE)
  const running = useRef<AbortController | null>(null)
  const url = useRef<string | null>(null)
  const forget = useCallback((): void => {
    if (url.current !== null) URL.revokeObjectURL(url.current)
    url.current = null
    setMaking(IDLE)
  }, [])
  const stop = useCallback((): void => {
    running.current?.abort()
    running.current = null
    setMaking({ state: 'stopped' })
  }, [])
  // Whoever closes the dialog stops the station too.
  useEffect(
    () => () => {
      running.current?.abort()
      if (url.current !== null) URL.revokeObjectURL(url.current)
    },
    [],
  )
  const make = useCallback(
    (address: string): void => {
      forget()
      const control = new AbortController()
      running.current = control
      setMaking({ state: 'busy', bytes: 0 })
      fetched(address, control.signal, (bytes) => setMaking({ state: 'busy', bytes })).then(
        ({ blob, name }) => {
          if (control.signal.aborted) return
          url.current = URL.createObjectURL(blob)
          setMaking({ state: 'ready', bytes: blob.size, url: url.current, name })
        },
        (error: Error) => {
          if (!control.signal.aborted) setMaking({ state: 'failed', error })
        },
      )
    },
    [forget],
  )
  return { making, make, stop, forget }
}

async function fetched(
  address: string,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<{ blob: Blob; name: string }> {
  const answer = await fetch(address, { signal, credentials: 'same-origin', cache: 'no-store' })
  if (!answer.ok || answer.body === null) throw await refusalOf(answer)
  const parts: Uint8Array<ArrayBuffer>[] = []
  let [bytes, shown] = [0, 0]
  for (const reader = answer.body.getReader(); ; ) {
    const { done, value } = await reader.read()
    if (done) break
    parts.push(value)
    bytes += value.length
    if (performance.now() - shown < SHOWN_EVERY_MS) continue
    shown = performance.now()
    onBytes(bytes)
  }
  const name = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? 'document.pdf'
  return { blob: new Blob(parts, { type: 'application/pdf' }), name }
}
