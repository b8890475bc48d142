/** The forms in which a secret could lie somewhere (promise S3): in plain, base64, base64url, hexadecimal and percent-encoded. */
export const forms = (secret: string): Buffer[] => {
  const bytes = Buffer.from(secret)
  const percent = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
  return [
    secret,
    bytes.toString('base64').replaceAll('=', ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    encodeURIComponent(secret),
    percent,
  ].map((form) => Buffer.from(form))
}
