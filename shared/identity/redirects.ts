/**
 * Where a program on somebody's desk may be answered (RFC 8252 7): on this very machine, at whatever port it got, or by a scheme of its
 * own. Compared as text and never parsed: what a parser makes equal is not equal here.
 */

/** Names of this machine that no resolver is asked for; `localhost` may lead elsewhere (RFC 8252 8.3). */
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\])(?::([1-9]\d{0,4}))?(\/[A-Za-z0-9._~/-]*)$/
/** A domain backwards, so that it belongs to somebody (RFC 8252 7.1). */
const PRIVATE = /^[a-z][a-z0-9-]*(?:\.[a-z0-9][a-z0-9-]*)+:\/[A-Za-z0-9._~-][A-Za-z0-9._~/-]*$/
const LONGEST = 512

/** Whether it can be registered: a loopback address without a port, or an address of a private scheme. */
export function isRedirect(address: string): boolean {
  if (address.length > LONGEST) return false
  const loopback = LOOPBACK.exec(address)
  return loopback === null ? PRIVATE.test(address) : loopback[2] === undefined
}

/** Whether what a program asks for is the registered address. Of a loopback address any port will do, nothing else differs. */
export function fitsRedirect(registered: string, asked: string): boolean {
  if (asked.length > LONGEST) return false
  if (asked === registered) return isRedirect(registered)
  const [ours, theirs] = [LOOPBACK.exec(registered), LOOPBACK.exec(asked)]
  if (ours === null || theirs === null || ours[2] !== undefined) return false
  return ours[1] === theirs[1] && ours[3] === theirs[3] && Number(theirs[2]) <= 65_535
}
