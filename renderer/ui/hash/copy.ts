/** Puts text on the clipboard. Outside secure contexts the newer interface is missing, so the older way stays behind it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyByEvent(text)
  }
}

/** The copy event carries the text itself: nothing on the page is selected or moved for it. */
function copyByEvent(text: string): boolean {
  let taken = false
  const give = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    taken = true
  }
  document.addEventListener('copy', give, { once: true, capture: true })
  try {
    return document.execCommand('copy') && taken
  } finally {
    document.removeEventListener('copy', give, { capture: true })
  }
}
