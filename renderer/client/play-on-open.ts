/** *Play* in a list opens the page of a recording and begins to play it: said in the entry of the browser's history, once. */

const MEMBER = 'play'

/** For the `state` of a navigation. */
export const PLAYING = { [MEMBER]: true }

/** Whether this page was opened to play; a reload, or coming back to it, does not begin again. */
export function takePlaying(): boolean {
  const state: unknown = window.history.state
  if (typeof state !== 'object' || state === null || !(MEMBER in state)) return false
  const { [MEMBER]: playing, ...rest } = state as Record<string, unknown>
  // Past the router, which would take it for another page.
  History.prototype.replaceState.call(window.history, rest, '')
  return playing === true
}
