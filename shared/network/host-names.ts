/** Which texts are names of hosts. Pure. */

export const LONGEST_HOST_NAME = 253
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** Whether a text is a valid DNS name and not an address: the last label has a letter (RFC 1123, 2.1). */
export function isHostName(text: string): boolean {
  const labels = text.split('.')
  return (
    text.length <= LONGEST_HOST_NAME &&
    labels.every((label) => LABEL.test(label)) &&
    /[a-z]/.test(labels.at(-1) as string)
  )
}
