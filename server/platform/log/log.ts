import pino, { type Logger } from 'pino'

export type Log = Logger

/** The one list of what never reaches a log, at any depth the house logs at. */
export const REDACTED = [
  'authorization',
  'cookie',
  'password',
  'assertion',
  'access_token',
  'apikey',
  'apiKey',
  'APIKey',
  'ServicePrincipalKey',
  'DeviceCredential',
  'sig',
  'uploadUri',
  'UploadUri',
].flatMap((name) => [name, `*.${name}`, `*.*.${name}`])

/** JSON lines on stderr: stdout belongs to the readiness line and to results. */
export function createLog(level: string): Log {
  return pino(
    { level, redact: { paths: REDACTED, censor: '[redacted]' }, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination(2),
  )
}
