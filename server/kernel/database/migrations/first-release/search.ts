/**
 * The search index (decision 7): a row for each case, evidence, user, group and device with the columns for filters and counts, and the search
 * words. Triggers update both in the transaction of the change. SQL cannot compute the box around a geometry and the device of an evidence; the code
 * that writes the record writes these too. `search_pending` lists files with Exif texts that the station has still to read.
 *
 * Ids of devices are texts, but the rows of `search_list` have numbers. `search_devices` gives each device a number, which never changes and is
 * never reused. Spans of up to a day and longer ones have an index each, as in the list of evidence.
 */
import { folded } from './folding.ts'

/** In the order of the column `kind`. */
export const CASE = 0
export const EVIDENCE = 1
const USER = 2
const GROUP = 3
const DEVICE = 4
const DAY_TICKS = 864_000_000_000

const joined = (...parts: string[]): string => parts.map((part) => `coalesce(${part}, '')`).join(` || ' ' || `)
/** Texts are indexed up to this length, which is beyond any description. */
const upTo = (text: string, most = 65_536): string => `substr(${text}, 1, ${most})`
const values = (json: string): string =>
  `(SELECT group_concat(value, ' ') FROM json_each(${json}) WHERE value IS NOT NULL)`
const principal = (json: string): string =>
  joined(`json_extract(${json}, '$.Name')`, `json_extract(${json}, '$.Username')`)
/** As shared/search/search-query.ts has it: a letter of nobody's, which is a letter to the index too. */
const ID_MARK = 'char(57344)'
export const ORDINAL = `c.ordinal_year || '-' || printf('%06d', c.ordinal_number)`

/** name, tags, numbers, texts, device, people */
export const CASE_WORDS = `
  SELECT s.search_id, c.title, ${values('c.tags')},
    ${joined(ORDINAL, 'c.external_reference_1', 'c.external_reference_2')} || ' ' || ${ID_MARK} || c.case_id,
    ${upTo(joined('c.description', 'c.location_text', values('c.location'), values('c.custom_fields')), 262_144)}, '',
    ${joined(
      principal('c.created_by'),
      `(SELECT group_concat(w.name || ' ' || w.first_name || ' ' || w.last_name || ' ' || w.badge, ' ')
        FROM case_personnel p JOIN principals w ON w.principal_id = p.principal_id WHERE p.case_id = c.case_id)`,
    )}
  FROM cases c JOIN search_list s ON s.kind = ${CASE} AND s.object_id = c.case_id`
export const EVIDENCE_WORDS = `
  SELECT s.search_id, e.name, (SELECT group_concat(tag, ' ') FROM evidence_tags t WHERE t.evidence_id = e.evidence_id),
    ${joined('e.source_id')} || ' ' || ${ID_MARK} || e.evidence_id,
    ${upTo(
      joined(
        'e.description',
        'e.location_text',
        values('e.custom_fields'),
        `(SELECT group_concat(name, ' ') FROM resources r WHERE r.evidence_id = e.evidence_id AND r.role = 'original')`,
        `(SELECT group_concat(x.words, ' ') FROM search_exif x WHERE x.evidence_id = e.evidence_id)`,
      ),
      262_144,
    )},
    ${values('e.device')}, ${principal('e.created_by')}
  FROM evidence e JOIN search_list s ON s.kind = ${EVIDENCE} AND s.object_id = e.evidence_id`
export const PRINCIPAL_WORDS = `
  SELECT s.search_id, ${joined('p.name', 'p.first_name', 'p.last_name')}, '', p.badge, '', '',
    CASE WHEN p.kind = 'user' THEN ${joined('p.name', 'p.first_name', 'p.last_name', 'p.badge')} ELSE '' END
  FROM principals p JOIN search_list s ON s.kind IN (${USER}, ${GROUP}) AND s.object_id = p.principal_id`
export const INTO_WORDS = 'INSERT OR REPLACE INTO search_words (rowid, name, tags, numbers, texts, device, people)'
const caseWords = (where: string): string => `${INTO_WORDS} ${CASE_WORDS} WHERE ${where};`
const evidenceWords = (id: string): string => `${INTO_WORDS} ${EVIDENCE_WORDS} WHERE e.evidence_id = ${id};`
const principalWords = (id: string): string => `${INTO_WORDS} ${PRINCIPAL_WORDS} WHERE p.principal_id = ${id};`

export const COLUMNS =
  'tenant_id, kind, object_id, state, protected, category_id, media, from_ticks, to_ticks, name_key'
const stateOf = (row: string): string =>
  `CASE WHEN ${row}.lifecycle_state = 'Deleted' THEN 'Deleted' ELSE ${row}.state END`
const isProtected = (row: string): string => `${row}.lifecycle_state = 'Protected'`
const caseTimes = (row: string): readonly [string, string] => [
  `coalesce(${row}.occurred_ticks, ${row}.ended_ticks, ${row}.created_ticks)`,
  `coalesce(${row}.ended_ticks, ${row}.occurred_ticks, ${row}.created_ticks)`,
]
/** The columns of a row of `search_list` in order, with their sources. */
interface RowSource {
  readonly values: readonly string[]
  readonly from: string
}
/** Ids of categories are texts there; other texts name no category. */
const categoryOf = (row: string): string =>
  `CASE WHEN ${row}.category_id IS NULL THEN NULL ELSE CAST(${row}.category_id AS INTEGER) END`
export const CASE_ROW: RowSource = {
  values: [
    'c.tenant_id',
    `${CASE}`,
    'c.case_id',
    stateOf('c'),
    isProtected('c'),
    'c.category_id',
    'NULL',
    ...caseTimes('c'),
    folded('c.title'),
  ],
  from: 'cases c WHERE 1',
}
export const EVIDENCE_ROW: RowSource = {
  values: [
    'e.tenant_id',
    `${EVIDENCE}`,
    'e.evidence_id',
    stateOf('e'),
    isProtected('e'),
    categoryOf('e'),
    'l.type',
    'l.recorded_ticks',
    'l.ended_ticks',
    'l.name_key',
  ],
  from: 'evidence e JOIN evidence_list l ON l.evidence_id = e.evidence_id WHERE 1',
}
export const PRINCIPAL_ROW: RowSource = {
  values: [
    'p.tenant_id',
    `CASE p.kind WHEN 'user' THEN ${USER} ELSE ${GROUP} END`,
    'p.principal_id',
    `CASE p.enabled WHEN 1 THEN 'Enabled' ELSE 'Disabled' END`,
    '0',
    'NULL',
    'NULL',
    'NULL',
    'NULL',
    folded('p.name'),
  ],
  from: `principals p WHERE p.kind IN ('user', 'group') AND p.deleted_utc IS NULL`,
}
const numbersOf = (id: string, kind: number, ...numbers: string[]): string =>
  `DELETE FROM search_numbers WHERE search_id = (SELECT search_id FROM search_list WHERE kind = ${kind} AND object_id = ${id});
  INSERT OR IGNORE INTO search_numbers (number_key, search_id) SELECT lower(trim(n.value)), s.search_id
    FROM search_list s, json_each(json_array(${numbers.join(', ')})) n WHERE s.kind = ${kind} AND s.object_id = ${id} AND trim(n.value) <> '';`
const caseNumbers = (row: string): string =>
  numbersOf(
    `${row}.case_id`,
    CASE,
    `${row}.ordinal_year || '-' || printf('%06d', ${row}.ordinal_number)`,
    `${row}.external_reference_1`,
    `${row}.external_reference_2`,
  )

const gone = (kind: string, id: string): string => `
  DELETE FROM search_words WHERE rowid IN (SELECT search_id FROM search_list WHERE kind ${kind} AND object_id = ${id});
  DELETE FROM search_numbers WHERE search_id IN (SELECT search_id FROM search_list WHERE kind ${kind} AND object_id = ${id});
  DELETE FROM search_list WHERE kind ${kind} AND object_id = ${id};`
const intoList = ({ values: all, from }: RowSource, where: string): string =>
  `INSERT INTO search_list (${COLUMNS}) SELECT ${all.join(', ')} FROM ${from} AND ${where};`
const setList = (set: string, kind: number, id: string): string =>
  `UPDATE search_list SET ${set} WHERE kind = ${kind} AND object_id = ${id};`
const NOWHERE = 'west = NULL, south = NULL, east = NULL, north = NULL'

const trigger = (name: string, event: string, ...statements: string[]): string =>
  `CREATE TRIGGER search_${name} AFTER ${event} BEGIN ${statements.join(' ').replaceAll(/\s+/g, ' ')} END;\n`
const forEach = (name: string, table: string, of: string, statement: (row: string) => string): string =>
  ['INSERT', of, 'DELETE']
    .map((event, index) =>
      trigger(`${name}_${index + 1}`, `${event} ON ${table}`, statement(event === 'DELETE' ? 'old' : 'new')),
    )
    .join('')

const OF_CASES = [
  trigger(
    'case_added',
    'INSERT ON cases',
    intoList(CASE_ROW, 'c.case_id = new.case_id'),
    caseNumbers('new'),
    caseWords('c.case_id = new.case_id'),
  ),
  trigger(
    'case_changed',
    'UPDATE OF title, state, lifecycle_state, category_id, occurred_ticks, ended_ticks ON cases',
    setList(
      `(state, protected, category_id, from_ticks, to_ticks, name_key) = (${stateOf('new')}, ${isProtected('new')}, new.category_id, ${caseTimes('new').join(', ')}, ${folded('new.title')})`,
      CASE,
      'new.case_id',
    ),
  ),
  trigger(
    'case_words',
    'UPDATE OF title, description, tags, custom_fields, location, location_text, external_reference_1, external_reference_2, created_by ON cases',
    caseNumbers('new'),
    caseWords('c.case_id = new.case_id'),
  ),
  trigger(
    'case_moved',
    'UPDATE OF location_wkt ON cases WHEN new.location_wkt IS NOT old.location_wkt',
    setList(NOWHERE, CASE, 'new.case_id'),
  ),
  trigger('case_gone', 'DELETE ON cases', gone(`= ${CASE}`, 'old.case_id')),
  forEach('personnel', 'case_personnel', 'UPDATE OF principal_id', (row) => caseWords(`c.case_id = ${row}.case_id`)),
]

const OF_EVIDENCE = [
  // The list's row is made by a trigger of its own; this one follows from it, and so never comes before it.
  trigger(
    'evidence_added',
    'INSERT ON evidence_list',
    intoList(EVIDENCE_ROW, 'e.evidence_id = new.evidence_id'),
    numbersOf('new.evidence_id', EVIDENCE, '(SELECT source_id FROM evidence WHERE evidence_id = new.evidence_id)'),
    evidenceWords('new.evidence_id'),
  ),
  trigger(
    'evidence_listed',
    'UPDATE OF type, recorded_ticks, ended_ticks, name_key ON evidence_list',
    setList(
      '(media, from_ticks, to_ticks, name_key) = (new.type, new.recorded_ticks, new.ended_ticks, new.name_key)',
      EVIDENCE,
      'new.evidence_id',
    ),
  ),
  trigger(
    'evidence_state',
    'UPDATE OF state, lifecycle_state, category_id ON evidence',
    setList(
      `(state, protected, category_id) = (${stateOf('new')}, ${isProtected('new')}, ${categoryOf('new')})`,
      EVIDENCE,
      'new.evidence_id',
    ),
  ),
  trigger(
    'evidence_words',
    'UPDATE OF name, description, custom_fields, location_text, source_id, device, created_by ON evidence',
    numbersOf('new.evidence_id', EVIDENCE, 'new.source_id'),
    evidenceWords('new.evidence_id'),
  ),
  trigger(
    'evidence_moved',
    'UPDATE OF location_wkt ON evidence WHEN new.location_wkt IS NOT old.location_wkt',
    setList(NOWHERE, EVIDENCE, 'new.evidence_id'),
  ),
  trigger('evidence_gone', 'DELETE ON evidence_list', gone(`= ${EVIDENCE}`, 'old.evidence_id')),
  forEach('tag', 'evidence_tags', 'UPDATE OF tag', (row) => evidenceWords(`${row}.evidence_id`)),
  trigger('original_added', "INSERT ON resources WHEN new.role = 'original'", evidenceWords('new.evidence_id')),
  trigger('original_named', "UPDATE OF name ON resources WHEN new.role = 'original'", evidenceWords('new.evidence_id')),
  trigger(
    'resource_gone',
    'DELETE ON resources',
    'DELETE FROM search_exif WHERE resource_id = old.resource_id;',
    evidenceWords('old.evidence_id'),
  ),
  forEach('exif', 'search_exif', 'UPDATE OF words', (row) => evidenceWords(`${row}.evidence_id`)),
]

const IS_FOUND = "new.kind IN ('user', 'group')"
const OF_PEOPLE = [
  trigger(
    'principal_added',
    `INSERT ON principals WHEN ${IS_FOUND}`,
    intoList(PRINCIPAL_ROW, 'p.principal_id = new.principal_id'),
    principalWords('new.principal_id'),
  ),
  trigger(
    'principal_changed',
    `UPDATE OF name, first_name, last_name, badge, enabled ON principals WHEN ${IS_FOUND} AND new.deleted_utc IS NULL`,
    `UPDATE search_list SET (state, name_key) = (CASE new.enabled WHEN 1 THEN 'Enabled' ELSE 'Disabled' END, ${folded('new.name')}) WHERE kind IN (${USER}, ${GROUP}) AND object_id = new.principal_id;`,
    principalWords('new.principal_id'),
  ),
  trigger(
    'principal_named',
    "UPDATE OF name, first_name, last_name, badge ON principals WHEN new.kind = 'user' AND (new.name, new.first_name, new.last_name, new.badge) <> (old.name, old.first_name, old.last_name, old.badge)",
    caseWords('c.case_id IN (SELECT case_id FROM case_personnel WHERE principal_id = new.principal_id)'),
  ),
  trigger(
    'principal_buried',
    'UPDATE OF deleted_utc ON principals WHEN new.deleted_utc IS NOT NULL',
    gone(`IN (${USER}, ${GROUP})`, 'new.principal_id'),
  ),
  trigger('principal_gone', 'DELETE ON principals', gone(`IN (${USER}, ${GROUP})`, 'old.principal_id')),
]

const DEVICE_NAME = "coalesce(nullif(trim(d.common_name), ''), d.serial_number)"
const DEVICE_LISTED = `
  INSERT INTO search_list (tenant_id, kind, object_id, state, protected, name_key)
  SELECT d.tenant_id, ${DEVICE}, n.number, CASE d.active WHEN 1 THEN 'Enabled' ELSE 'Disabled' END, 0, ${folded(DEVICE_NAME)}
  FROM devices d JOIN search_devices n ON n.device_id = d.device_id`
/** Whole statement, without a condition. */
export const DEVICE_WORDS = `
  INSERT OR REPLACE INTO search_words (rowid, name, tags, numbers, texts, device, people)
  SELECT s.search_id, ${DEVICE_NAME}, '', d.serial_number, d.device_type,
    d.manufacturer || ' ' || coalesce(d.model, '') || ' ' || d.serial_number || ' ' || coalesce(d.common_name, ''), ''
  FROM devices d JOIN search_devices n ON n.device_id = d.device_id JOIN search_list s ON s.kind = ${DEVICE} AND s.object_id = n.number`
const DEVICE_NUMBERS = `
  INSERT OR IGNORE INTO search_numbers (number_key, search_id)
  SELECT lower(trim(d.serial_number)), s.search_id
  FROM devices d JOIN search_devices n ON n.device_id = d.device_id JOIN search_list s ON s.kind = ${DEVICE} AND s.object_id = n.number
  WHERE trim(d.serial_number) <> ''`
const rowOfDevice = (device: string): string =>
  `(SELECT s.search_id FROM search_list s JOIN search_devices n ON n.number = s.object_id WHERE s.kind = ${DEVICE} AND n.device_id = ${device})`

const OF_DEVICES = [
  trigger(
    'device_added',
    'INSERT ON devices',
    'INSERT INTO search_devices (device_id) VALUES (new.device_id);',
    `${DEVICE_LISTED} WHERE d.device_id = new.device_id;`,
    `${DEVICE_WORDS} WHERE d.device_id = new.device_id;`,
    `${DEVICE_NUMBERS} AND d.device_id = new.device_id;`,
  ),
  trigger(
    'device_changed',
    'UPDATE OF serial_number, manufacturer, model, common_name, device_type, active ON devices',
    `UPDATE search_list SET (state, name_key) = (SELECT CASE d.active WHEN 1 THEN 'Enabled' ELSE 'Disabled' END, ${folded(DEVICE_NAME)} FROM devices d WHERE d.device_id = new.device_id) WHERE search_id = ${rowOfDevice('new.device_id')};`,
    `${DEVICE_WORDS} WHERE d.device_id = new.device_id;`,
    `DELETE FROM search_numbers WHERE search_id = ${rowOfDevice('new.device_id')};`,
    `${DEVICE_NUMBERS} AND d.device_id = new.device_id;`,
  ),
  trigger(
    'device_gone',
    'DELETE ON devices',
    `DELETE FROM search_words WHERE rowid = ${rowOfDevice('old.device_id')};`,
    `DELETE FROM search_numbers WHERE search_id = ${rowOfDevice('old.device_id')};`,
    `DELETE FROM search_list WHERE search_id = ${rowOfDevice('old.device_id')};`,
    'DELETE FROM search_devices WHERE device_id = old.device_id;',
  ),
]

export const tables = `
CREATE TABLE search_list (
  search_id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id TEXT NOT NULL,
  kind INTEGER NOT NULL,
  object_id INTEGER NOT NULL,
  state TEXT NOT NULL,
  protected INTEGER NOT NULL,
  category_id INTEGER,
  media INTEGER,
  from_ticks INTEGER,
  to_ticks INTEGER,
  name_key TEXT NOT NULL,
  device_id TEXT,
  west REAL,
  south REAL,
  east REAL,
  north REAL
) STRICT;
CREATE UNIQUE INDEX search_list_by_object ON search_list (kind, object_id);
CREATE INDEX search_list_by_name ON search_list (tenant_id, name_key, search_id);
CREATE INDEX search_list_by_device ON search_list (device_id) WHERE device_id IS NOT NULL;
CREATE INDEX search_list_by_place ON search_list (west, east, south, north) WHERE west IS NOT NULL;
CREATE INDEX search_list_short ON search_list (tenant_id, from_ticks, to_ticks) WHERE to_ticks - from_ticks <= ${DAY_TICKS};
CREATE INDEX search_list_long ON search_list (tenant_id, from_ticks, to_ticks) WHERE to_ticks - from_ticks > ${DAY_TICKS};

CREATE TABLE search_numbers (
  number_key TEXT NOT NULL,
  search_id INTEGER NOT NULL,
  PRIMARY KEY (number_key, search_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX search_numbers_by_row ON search_numbers (search_id);

CREATE TABLE search_exif (
  resource_id INTEGER PRIMARY KEY,
  evidence_id INTEGER NOT NULL,
  words TEXT NOT NULL
) STRICT;
CREATE INDEX search_exif_by_evidence ON search_exif (evidence_id);

CREATE TABLE search_pending (
  what TEXT NOT NULL CHECK (what IN ('case', 'evidence', 'exif')),
  object_id INTEGER NOT NULL,
  PRIMARY KEY (what, object_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE saved_searches (
  saved_search_id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  principal_id INTEGER NOT NULL REFERENCES principals (principal_id),
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  question TEXT NOT NULL,
  created_utc TEXT NOT NULL,
  modified_utc TEXT NOT NULL,
  UNIQUE (principal_id, name_key)
) STRICT;

CREATE VIRTUAL TABLE search_words USING fts5 (
  name, tags, numbers, texts, device, people,
  content = '', contentless_delete = 1, prefix = '2 3', tokenize = 'unicode61 remove_diacritics 2'
);

CREATE TABLE search_devices (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  device_id TEXT NOT NULL UNIQUE
) STRICT;
`

export const triggers = `
${[...OF_CASES, ...OF_EVIDENCE, ...OF_PEOPLE, ...OF_DEVICES].join('')}`
