/** Pages that are no forms judge a text without the library of schemas. What they say of it is what the schema of the contract says. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import * as correlation from './correlation/contract.ts'
import * as deviceTypes from './devices/models.contract.ts'
import * as passkeys from './identity/passkeys.contract.ts'
import * as apiKeys from './identity/service-api-keys.contract.ts'
import * as integrity from './integrity/contract.ts'
import * as fields from './kernel/fields.ts'
import * as network from './network/contract.ts'
import * as disposition from './retention/disposition.contract.ts'
import * as search from './search/contract.ts'

const typed = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: fc.constantFrom('\u0007', '\u007f', '\n', '\t', '\u2028', '\ud800', 'a', ' '), maxLength: 6 }),
  fc.nat({ max: 5_000 }).map((length) => 'x'.repeat(length)),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.constantFrom('2026-11-20T02:47', '2026-11-20T02:47:31+01:00', '2026-02-30T00:00Z', '', ' '),
)

it.each([
  ['a line', fields.line(1_000, 1), (text: string) => fields.isLine(text, 1_000, 1)],
  ['a text', fields.text(4_000), (text: string) => fields.isText(text, 4_000)],
  ['a tag', fields.tags(1), fields.isTag],
  ['a time in UTC', fields.UtcTime, fields.isUtcTime],
  ['a time with its offset', fields.OffsetTime, fields.isOffsetTime],
  ['a reason of the correlation', correlation.RefuseLinkModel.shape.Reason, correlation.isReason],
  ['a reason of disposition', disposition.Reason, disposition.isReason],
  ['a reason of an alarm', integrity.AlarmReason, integrity.isAlarmReason],
  ['a reason to accept a station', integrity.AcceptReason, integrity.isAcceptReason],
  ['a folder', integrity.Folder, integrity.isFolder],
  ['the name of a passkey', passkeys.PasskeyName, passkeys.isPasskeyName],
  ['the name of a search', search.SavedName, search.isSavedName],
  ['the name of an API key', apiKeys.MakeApiKeyModel.shape.Name, apiKeys.isApiKeyName],
  ['the type of a device', deviceTypes.DeviceTypeParam, deviceTypes.isDeviceType],
])('%s is one by its schema where it is one without', (of, schema, isOne) => {
  fc.assert(
    fc.property(typed, (text) => {
      expect(isOne(text)).toBe(schema.safeParse(of === 'a tag' ? [text] : text).success)
    }),
    { numRuns: 400 },
  )
})

it('a port is one by its schema where it is one without', () => {
  const ports = fc.oneof(fc.integer({ min: -2, max: 65_540 }), fc.constantFrom(Number.NaN, 0.5, 65_535, 65_536))
  fc.assert(
    fc.property(ports, (port) => {
      expect(network.isPort(port)).toBe(network.LanChange.shape.Port.safeParse(port).success)
    }),
  )
})
