/** Which link this tab opened. The cookie says who the guest is; an address of another link must not show what that cookie opens. */
const OPENED = 'sallyport.share-link'

/** The token behind `#`; null where there is none. */
export function tokenInAddress(hash = window.location.hash): string | null {
  const token = hash.slice(1)
  return /^[\w-]{20,128}$/.test(token) ? token : null
}

export function isOpened(token: string): boolean {
  try {
    return sessionStorage.getItem(OPENED) === token
  } catch {
    return false
  }
}

export function keepOpened(token: string): void {
  try {
    sessionStorage.setItem(OPENED, token)
  } catch {
    // Without storage the code is asked for at each visit.
  }
}

export function forgetOpened(): void {
  try {
    sessionStorage.removeItem(OPENED)
  } catch {
    // There is nothing to forget then.
  }
}
