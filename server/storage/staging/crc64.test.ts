import { createRequire } from 'node:module'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { crc64 } from './crc64.ts'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

describe('U3 CRC-64 as Azure Storage computes it', () => {
  test.each([
    ['', '0000000000000000'],
    ['123456789', '8898790a86148bae'],
  ])('%j', (text, sum) => {
    expect(hex(crc64().update(Buffer.from(text)).digest())).toBe(sum)
  })

  test('agrees with the public client library for any bytes, however they are cut', async () => {
    const require = createRequire(createRequire(import.meta.url).resolve('@azure/storage-blob'))
    const { StorageCRC64Calculator } = require('@azure/storage-common') as {
      StorageCRC64Calculator: {
        init(): Promise<void>
        new (): {
          append(bytes: Uint8Array, length: number): void
          final(bytes: Uint8Array, length: number): Uint8Array
        }
      }
    }
    await StorageCRC64Calculator.init()
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(300), (bytes, cut) => {
        const theirs = new StorageCRC64Calculator()
        theirs.append(bytes, bytes.length)
        const ours = crc64().update(bytes.subarray(0, cut)).update(bytes.subarray(cut)).digest()
        expect(hex(ours)).toBe(hex(theirs.final(new Uint8Array(0), 0)))
      }),
    )
  })
})
