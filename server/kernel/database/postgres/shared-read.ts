/**
 * Callers that come while a read is under way share the next one: it begins after all of them have asked, so that each gets a state that is
 * no older than its question.
 */
export function sharedRead<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | null = null
  return () => {
    if (next !== null) return next
    const mine = running.then(() => {
      next = null
      return read()
    })
    next = mine
    running = mine.catch(() => {})
    return mine
  }
}
