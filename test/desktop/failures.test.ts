import { expect, test } from 'vitest'
import { describeFailure } from '../../main/system/failures.ts'
import { wordsFor } from '../../main/system/messages.ts'
import { SettingsError } from '../../server/config/settings.ts'
import { StationBusy } from '../../server/kernel/database/sqlite/station-lock.ts'
import { DatabaseBeforeRelease, DatabaseNewer } from '../../server/kernel/database/migrate.ts'

const where = { data: '/var/evidence', host: '127.0.0.1', port: 7460 }
const coded = (code: string, message = code): Error => Object.assign(new Error(message), { code })
const wrapped = (cause: Error): Error => new Error('something around it', { cause })

test.each([
  ['failBusy', new StationBusy('…'), 'Another station is using this folder.', '/var/evidence'],
  ['failPort', wrapped(coded('EADDRINUSE')), 'Port 7460 is taken.', '127.0.0.1:7460'],
  ['failNewer', new DatabaseNewer('of version 9; this program knows 2'), 'used with a newer Sallyport', 'of version 9'],
  ['failBeforeRelease', new DatabaseBeforeRelease('of version 9'), 'before the first release', 'of version 9'],
  ['failFull', wrapped(wrapped(coded('ENOSPC'))), 'The disk is full.', 'What is there is safe'],
  ['failFull', coded('SQLITE_FULL'), 'The disk is full.', '/var/evidence'],
  ['failRights', coded('EACCES'), 'cannot be written', '/var/evidence'],
  ['failRights', coded('SQLITE_CANTOPEN_ISDIR'), 'cannot be written', '/var/evidence'],
  ['failDamaged', coded('SQLITE_NOTADB', 'file is not a database'), 'cannot be read', 'file is not a database'],
  ['failSettings', new SettingsError(['SALLYPORT_PORT: too big']), 'cannot be used', 'SALLYPORT_PORT: too big'],
  ['failOther', new Error('no idea'), 'did not start', 'no idea'],
  ['failOther', 'not even an error', 'did not start', 'not even an error'],
])('%s: what is the matter and what to do', (kind, error, heading, body) => {
  const failure = describeFailure(error, where, wordsFor(['en']))
  expect(failure.kind).toBe(kind)
  expect(failure.heading).toContain(heading)
  expect(failure.body).toContain(body)
  const french = describeFailure(error, where, wordsFor(['fr']))
  expect([french.kind, french.heading === failure.heading]).toEqual([kind, false])
})
