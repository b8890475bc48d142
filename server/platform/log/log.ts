import pino, { type Logger } from 'pino'

export type Log = Logger

/** Members that are redacted in every log line, at all depths in use. */
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

/** Logs JSON lines to stderr, since stdout is for the readiness line and for results. */
export function createLog(level: string): Log {
  return pino(
    { level, redact: { paths: REDACTED, censor: '[redacted]' }, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination(2),
  )
}
