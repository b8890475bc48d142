import { createHash } from 'node:crypto'
import type { Device } from './model.ts'

/** First 32 hexadecimal digits of SHA-256(SerialNumber + U+001F + Manufacturer) (decisions 5). */
export function deviceRecordId(device: Device): string | null {
  if (device.SerialNumber === null || device.Manufacturer === null) return null
  return createHash('sha256').update(`${device.SerialNumber}\u001f${device.Manufacturer}`).digest('hex').slice(0, 32)
}
