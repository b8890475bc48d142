/**
 * Devices are found as everything else is (decisions 7). Their ids are texts and the rows of `search_list` name numbers: `search_devices`
 * gives each device one, which never changes and never is another's.
 */
import { folded, trigger } from '../0006/search.ts'

/** In the order of the column `kind`. */
const DEVICE = 4
const NAME = "coalesce(nullif(trim(d.common_name), ''), d.serial_number)"
const LISTED = `
  INSERT INTO search_list (tenant_id, kind, object_id, state, protected, name_key)
  SELECT d.tenant_id, ${DEVICE}, n.number, CASE d.active WHEN 1 THEN 'Enabled' ELSE 'Disabled' END, 0, ${folded(NAME)}
  FROM devices d JOIN search_devices n ON n.device_id = d.device_id`
const WORDS = `
  INSERT OR REPLACE INTO search_words (rowid, name, tags, numbers, texts, device, people)
  SELECT s.search_id, ${NAME}, '', d.serial_number, d.device_type,
    d.manufacturer || ' ' || coalesce(d.model, '') || ' ' || d.serial_number || ' ' || coalesce(d.common_name, ''), ''
  FROM devices d JOIN search_devices n ON n.device_id = d.device_id JOIN search_list s ON s.kind = ${DEVICE} AND s.object_id = n.number`
const NUMBERS = `
  INSERT OR IGNORE INTO search_numbers (number_key, search_id)
  SELECT lower(trim(d.serial_number)), s.search_id
  FROM devices d JOIN search_devices n ON n.device_id = d.device_id JOIN search_list s ON s.kind = ${DEVICE} AND s.object_id = n.number
  WHERE trim(d.serial_number) <> ''`
const rowOf = (device: string): string =>
  `(SELECT s.search_id FROM search_list s JOIN search_devices n ON n.number = s.object_id WHERE s.kind = ${DEVICE} AND n.device_id = ${device})`

export const sql = `
CREATE TABLE search_devices (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  device_id TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO search_devices (device_id) SELECT device_id FROM devices ORDER BY created_utc, device_id;
${LISTED} ORDER BY n.number;
${WORDS};
${NUMBERS};
${trigger(
  'device_added',
  'INSERT ON devices',
  'INSERT INTO search_devices (device_id) VALUES (new.device_id);',
  `${LISTED} WHERE d.device_id = new.device_id;`,
  `${WORDS} WHERE d.device_id = new.device_id;`,
  `${NUMBERS} AND d.device_id = new.device_id;`,
)}${trigger(
  'device_changed',
  'UPDATE OF serial_number, manufacturer, model, common_name, device_type, active ON devices',
  `UPDATE search_list SET (state, name_key) = (SELECT CASE d.active WHEN 1 THEN 'Enabled' ELSE 'Disabled' END, ${folded(NAME)} FROM devices d WHERE d.device_id = new.device_id) WHERE search_id = ${rowOf('new.device_id')};`,
  `${WORDS} WHERE d.device_id = new.device_id;`,
  `DELETE FROM search_numbers WHERE search_id = ${rowOf('new.device_id')};`,
  `${NUMBERS} AND d.device_id = new.device_id;`,
)}${trigger(
  'device_gone',
  'DELETE ON devices',
  `DELETE FROM search_words WHERE rowid = ${rowOf('old.device_id')};`,
  `DELETE FROM search_numbers WHERE search_id = ${rowOf('old.device_id')};`,
  `DELETE FROM search_list WHERE search_id = ${rowOf('old.device_id')};`,
  'DELETE FROM search_devices WHERE device_id = old.device_id;',
)}`
