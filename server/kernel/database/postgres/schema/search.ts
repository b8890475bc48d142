/** Keeps the search index (migrations/first-release/search.ts) on PostgreSQL. */
import { SEARCH_COLUMNS } from '../text-search.ts'
import { after, afterChange, forEach } from './trigger.ts'

const CASE = 0
const EVIDENCE = 1
const USER = 2
const GROUP = 3
const DEVICE = 4

const joined = (...parts: string[]): string => parts.map((part) => `coalesce(${part}, '')`).join(` || ' ' || `)
const upTo = (text: string): string => `substr(${text}, 1, 262144)`
const principal = (json: string): string => joined(`(${json})::json ->> 'Name'`, `(${json})::json ->> 'Username'`)
/** As shared/search/search-query.ts has it. */
const ID_MARK = 'chr(57344)'
const ORDINAL = (row: string): string => `${row}.ordinal_year || '-' || six_digits(${row}.ordinal_number)`

/**
 * OFFSET keeps the inner query apart. Its columns are named twice, and each text would be cut twice.
 * @param texts of the six columns, in order @param from behind FROM; its row of `search_list` is `s`
 */
const intoWords = (texts: readonly string[], from: string): string => `
  INSERT INTO search_words (words_row, ${SEARCH_COLUMNS.join(', ')}, words)
  SELECT w.id, ${SEARCH_COLUMNS.map((column) => `w.${column}`).join(', ')},
    ${SEARCH_COLUMNS.map((column) => `w.${column}`).join(' || words_apart() || ')}
  FROM (SELECT s.search_id AS id, ${texts.map((text, at) => `words_of(${text}) AS ${SEARCH_COLUMNS[at]}`).join(', ')} FROM ${from} OFFSET 0) w
  ON CONFLICT (words_row) DO UPDATE SET ${[...SEARCH_COLUMNS, 'words'].map((column) => `${column} = excluded.${column}`).join(', ')}`

const DEVICE_NAME = (row: string): string => `coalesce(nullif(trim(${row}.common_name), ''), ${row}.serial_number)`

/** @param further texts behind the others */
const caseWordsBody = (...further: string[]): string =>
  `RETURNS void LANGUAGE plpgsql AS $$ BEGIN ${intoWords(
    [
      'c.title',
      'json_values(c.tags)',
      `${joined(ORDINAL('c'), 'c.external_reference_1', 'c.external_reference_2')} || ' ' || ${ID_MARK} || c.case_id`,
      upTo(
        joined(
          'c.description',
          'c.location_text',
          'json_values(c.location)',
          'json_values(c.custom_fields)',
          ...further,
        ),
      ),
      `''`,
      joined(
        principal('c.created_by'),
        `(SELECT string_agg(w.name || ' ' || w.first_name || ' ' || w.last_name || ' ' || w.badge, ' ')
        FROM case_personnel p JOIN principals w ON w.principal_id = p.principal_id WHERE p.case_id = c.case_id)`,
      ),
    ],
    `cases c JOIN search_list s ON s.kind = ${CASE} AND s.object_id = c.case_id WHERE c.case_id = id`,
  )}; END $$;`
/** @param further texts behind the others */
const evidenceWordsBody = (...further: string[]): string =>
  `RETURNS void LANGUAGE plpgsql AS $$ BEGIN ${intoWords(
    [
      'e.name',
      `(SELECT string_agg(tag, ' ') FROM evidence_tags t WHERE t.evidence_id = e.evidence_id)`,
      `${joined('e.source_id')} || ' ' || ${ID_MARK} || e.evidence_id`,
      upTo(
        joined(
          'e.description',
          'e.location_text',
          'json_values(e.custom_fields)',
          `(SELECT string_agg(r.name, ' ') FROM resources r WHERE r.evidence_id = e.evidence_id AND r.role = 'original')`,
          `(SELECT string_agg(x.words, ' ') FROM search_exif x WHERE x.evidence_id = e.evidence_id)`,
          ...further,
        ),
      ),
      'json_values(e.device)',
      principal('e.created_by'),
    ],
    `evidence e JOIN search_list s ON s.kind = ${EVIDENCE} AND s.object_id = e.evidence_id WHERE e.evidence_id = id`,
  )}; END $$;`

const FUNCTIONS = `
CREATE FUNCTION search_case_words(id bigint) ${caseWordsBody()}
CREATE FUNCTION search_evidence_words(id bigint) ${evidenceWordsBody()}
CREATE FUNCTION search_principal_words(id bigint) RETURNS void LANGUAGE sql AS $$ ${intoWords(
  [
    joined('p.name', 'p.first_name', 'p.last_name'),
    `''`,
    'p.badge',
    `''`,
    `''`,
    `CASE WHEN p.kind = 'user' THEN ${joined('p.name', 'p.first_name', 'p.last_name', 'p.badge')} ELSE '' END`,
  ],
  `principals p JOIN search_list s ON s.kind IN (${USER}, ${GROUP}) AND s.object_id = p.principal_id WHERE p.principal_id = id`,
)} $$;
CREATE FUNCTION search_device_words(id text) RETURNS void LANGUAGE sql AS $$ ${intoWords(
  [
    DEVICE_NAME('d'),
    `''`,
    'd.serial_number',
    'd.device_type',
    `d.manufacturer || ' ' || coalesce(d.model, '') || ' ' || d.serial_number || ' ' || coalesce(d.common_name, '')`,
    `''`,
  ],
  `devices d JOIN search_devices n ON n.device_id = d.device_id JOIN search_list s ON s.kind = ${DEVICE} AND s.object_id = n.number WHERE d.device_id = id`,
)} $$;
CREATE FUNCTION search_numbers_of(of_kind bigint, id bigint, VARIADIC numbers text[]) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
  DELETE FROM search_numbers WHERE search_id = (SELECT search_id FROM search_list WHERE kind = of_kind AND object_id = id);
  INSERT INTO search_numbers (number_key, search_id) SELECT DISTINCT lower(trim(n.value)), s.search_id
    FROM search_list s, unnest(numbers) AS n (value) WHERE s.kind = of_kind AND s.object_id = id AND trim(n.value) <> ''
    ON CONFLICT DO NOTHING; END $$;
CREATE FUNCTION search_gone(kinds bigint[], id bigint) RETURNS void LANGUAGE sql AS $$
  DELETE FROM search_words WHERE words_row IN (SELECT search_id FROM search_list WHERE kind = ANY (kinds) AND object_id = id);
  DELETE FROM search_numbers WHERE search_id IN (SELECT search_id FROM search_list WHERE kind = ANY (kinds) AND object_id = id);
  DELETE FROM search_list WHERE kind = ANY (kinds) AND object_id = id $$;
`

const COLUMNS = 'tenant_id, kind, object_id, state, protected, category_id, media, from_ticks, to_ticks, name_key'
const stateOf = (row: string): string =>
  `CASE WHEN ${row}.lifecycle_state = 'Deleted' THEN 'Deleted' ELSE ${row}.state END`
const isProtected = (row: string): string => `CASE WHEN ${row}.lifecycle_state = 'Protected' THEN 1 ELSE 0 END`
const caseTimes = (row: string): readonly [string, string] => [
  `coalesce(${row}.occurred_ticks, ${row}.ended_ticks, ${row}.created_ticks)`,
  `coalesce(${row}.ended_ticks, ${row}.occurred_ticks, ${row}.created_ticks)`,
]
const CATEGORY_OF_EVIDENCE = (row: string): string =>
  `CASE WHEN ${row}.category_id ~ '^[0-9]{1,18}$' THEN CAST(${row}.category_id AS bigint) WHEN ${row}.category_id IS NOT NULL THEN 0 END`
/** Beside the ordinal number, which never changes. */
const CASE_NUMBERS = ['external_reference_1', 'external_reference_2'] as const
const caseNumbers = `PERFORM search_numbers_of(${CASE}, NEW.case_id, ${ORDINAL('NEW')}, NEW.external_reference_1, NEW.external_reference_2);`
const caseWords = (row: 'NEW' | 'OLD'): string => `PERFORM search_case_words(${row}.case_id);`
const evidenceWords = (row: 'NEW' | 'OLD'): string => `PERFORM search_evidence_words(${row}.evidence_id);`
const enabled = (column: string): string => `CASE ${column} WHEN 1 THEN 'Enabled' ELSE 'Disabled' END`
const NOWHERE = 'west = NULL, south = NULL, east = NULL, north = NULL'
const moved = (kind: number, id: string): string =>
  `UPDATE search_list SET ${NOWHERE} WHERE kind = ${kind} AND object_id = NEW.${id};`

const OF_CASES = [
  after(
    'search_case_added',
    'INSERT',
    'cases',
    `INSERT INTO search_list (${COLUMNS}) VALUES (NEW.tenant_id, ${CASE}, NEW.case_id, ${stateOf('NEW')}, ${isProtected('NEW')}, NEW.category_id, NULL, ${caseTimes('NEW').join(', ')}, name_key_of(NEW.title));
    ${caseNumbers} ${caseWords('NEW')}`,
  ),
  afterChange(
    'search_case_changed',
    ['title', 'state', 'lifecycle_state', 'category_id', 'occurred_ticks', 'ended_ticks'],
    'cases',
    `UPDATE search_list SET (state, protected, category_id, from_ticks, to_ticks, name_key) = (${stateOf('NEW')}, ${isProtected('NEW')}, NEW.category_id, ${caseTimes('NEW').join(', ')}, name_key_of(NEW.title))
      WHERE kind = ${CASE} AND object_id = NEW.case_id;`,
  ),
  afterChange('search_case_numbers', CASE_NUMBERS, 'cases', caseNumbers),
  afterChange(
    'search_case_words',
    ['title', 'description', 'tags', 'custom_fields', 'location', 'location_text', ...CASE_NUMBERS, 'created_by'],
    'cases',
    caseWords('NEW'),
  ),
  after(
    'search_case_moved',
    'UPDATE OF location_wkt',
    'cases',
    moved(CASE, 'case_id'),
    'NEW.location_wkt IS DISTINCT FROM OLD.location_wkt',
  ),
  after('search_case_gone', 'DELETE', 'cases', `PERFORM search_gone('{${CASE}}', OLD.case_id);`),
  forEach('search_personnel', 'UPDATE OF principal_id', 'case_personnel', caseWords),
]

const OF_EVIDENCE = [
  after(
    'search_evidence_added',
    'INSERT',
    'evidence_list',
    `INSERT INTO search_list (${COLUMNS})
      SELECT e.tenant_id, ${EVIDENCE}, e.evidence_id, ${stateOf('e')}, ${isProtected('e')}, ${CATEGORY_OF_EVIDENCE('e')}, NEW.type, NEW.recorded_ticks, NEW.ended_ticks, NEW.name_key
      FROM evidence e WHERE e.evidence_id = NEW.evidence_id;
    PERFORM search_numbers_of(${EVIDENCE}, NEW.evidence_id, (SELECT source_id FROM evidence WHERE evidence_id = NEW.evidence_id));
    ${evidenceWords('NEW')}`,
  ),
  afterChange(
    'search_evidence_listed',
    ['type', 'recorded_ticks', 'ended_ticks', 'name_key'],
    'evidence_list',
    `UPDATE search_list SET media = NEW.type, from_ticks = NEW.recorded_ticks, to_ticks = NEW.ended_ticks, name_key = NEW.name_key
      WHERE kind = ${EVIDENCE} AND object_id = NEW.evidence_id;`,
  ),
  afterChange(
    'search_evidence_state',
    ['state', 'lifecycle_state', 'category_id'],
    'evidence',
    `UPDATE search_list SET (state, protected, category_id) = (${stateOf('NEW')}, ${isProtected('NEW')}, ${CATEGORY_OF_EVIDENCE('NEW')})
      WHERE kind = ${EVIDENCE} AND object_id = NEW.evidence_id;`,
  ),
  afterChange(
    'search_evidence_numbers',
    ['source_id'],
    'evidence',
    `PERFORM search_numbers_of(${EVIDENCE}, NEW.evidence_id, NEW.source_id);`,
  ),
  afterChange(
    'search_evidence_words',
    ['name', 'description', 'custom_fields', 'location_text', 'source_id', 'device', 'created_by'],
    'evidence',
    evidenceWords('NEW'),
  ),
  after(
    'search_evidence_moved',
    'UPDATE OF location_wkt',
    'evidence',
    moved(EVIDENCE, 'evidence_id'),
    'NEW.location_wkt IS DISTINCT FROM OLD.location_wkt',
  ),
  after('search_evidence_gone', 'DELETE', 'evidence_list', `PERFORM search_gone('{${EVIDENCE}}', OLD.evidence_id);`),
  forEach('search_tag', 'UPDATE OF tag', 'evidence_tags', evidenceWords),
  after('search_original_added', 'INSERT', 'resources', evidenceWords('NEW'), "NEW.role = 'original'"),
  after('search_original_named', 'UPDATE OF name', 'resources', evidenceWords('NEW'), "NEW.role = 'original'"),
  after(
    'search_resource_gone',
    'DELETE',
    'resources',
    `DELETE FROM search_exif WHERE resource_id = OLD.resource_id; ${evidenceWords('OLD')}`,
  ),
  forEach('search_exif', 'UPDATE OF words', 'search_exif', evidenceWords),
]

const IS_FOUND = "NEW.kind IN ('user', 'group')"
const BURIED = (row: string): string => `PERFORM search_gone('{${USER}, ${GROUP}}', ${row}.principal_id);`
const OF_PEOPLE = [
  after(
    'search_principal_added',
    'INSERT',
    'principals',
    `INSERT INTO search_list (${COLUMNS})
      SELECT NEW.tenant_id, CASE NEW.kind WHEN 'user' THEN ${USER} ELSE ${GROUP} END, NEW.principal_id, ${enabled('NEW.enabled')}, 0, NULL, NULL, NULL, NULL, name_key_of(NEW.name)
      WHERE NEW.deleted_utc IS NULL;
    PERFORM search_principal_words(NEW.principal_id);`,
    IS_FOUND,
  ),
  after(
    'search_principal_changed',
    'UPDATE OF name, first_name, last_name, badge, enabled',
    'principals',
    `UPDATE search_list SET state = ${enabled('NEW.enabled')}, name_key = name_key_of(NEW.name)
      WHERE kind IN (${USER}, ${GROUP}) AND object_id = NEW.principal_id;
    PERFORM search_principal_words(NEW.principal_id);`,
    `${IS_FOUND} AND NEW.deleted_utc IS NULL`,
  ),
  after(
    'search_principal_named',
    'UPDATE OF name, first_name, last_name, badge',
    'principals',
    'PERFORM search_case_words(case_id) FROM (SELECT DISTINCT case_id FROM case_personnel WHERE principal_id = NEW.principal_id) c;',
    "NEW.kind = 'user' AND (NEW.name, NEW.first_name, NEW.last_name, NEW.badge) <> (OLD.name, OLD.first_name, OLD.last_name, OLD.badge)",
  ),
  after('search_principal_buried', 'UPDATE OF deleted_utc', 'principals', BURIED('NEW'), 'NEW.deleted_utc IS NOT NULL'),
  after('search_principal_gone', 'DELETE', 'principals', BURIED('OLD')),
]

const NUMBER_OF = (row: string): string => `(SELECT number FROM search_devices WHERE device_id = ${row}.device_id)`
const OF_DEVICES = [
  after(
    'search_device_added',
    'INSERT',
    'devices',
    `INSERT INTO search_devices (device_id) VALUES (NEW.device_id);
    INSERT INTO search_list (tenant_id, kind, object_id, state, protected, name_key)
      VALUES (NEW.tenant_id, ${DEVICE}, ${NUMBER_OF('NEW')}, ${enabled('NEW.active')}, 0, name_key_of(${DEVICE_NAME('NEW')}));
    PERFORM search_device_words(NEW.device_id), search_numbers_of(${DEVICE}, ${NUMBER_OF('NEW')}, NEW.serial_number);`,
  ),
  after(
    'search_device_changed',
    'UPDATE OF serial_number, manufacturer, model, common_name, device_type, active',
    'devices',
    `UPDATE search_list SET state = ${enabled('NEW.active')}, name_key = name_key_of(${DEVICE_NAME('NEW')})
      WHERE kind = ${DEVICE} AND object_id = ${NUMBER_OF('NEW')};
    PERFORM search_device_words(NEW.device_id), search_numbers_of(${DEVICE}, ${NUMBER_OF('NEW')}, NEW.serial_number);`,
  ),
  after(
    'search_device_gone',
    'DELETE',
    'devices',
    `PERFORM search_gone('{${DEVICE}}', ${NUMBER_OF('OLD')}); DELETE FROM search_devices WHERE device_id = OLD.device_id;`,
  ),
]

export const SEARCH = [FUNCTIONS, ...OF_CASES, ...OF_EVIDENCE, ...OF_PEOPLE, ...OF_DEVICES].join('\n')

const notesOf = (id: string): string =>
  `(SELECT string_agg(n.text, ' ') FROM notes n WHERE n.${id} AND n.deleted_utc IS NULL)`
const MARKS = `(SELECT string_agg(m.title || ' ' || coalesce(m.text, ''), ' ') FROM bookmarks m WHERE m.evidence_id = e.evidence_id AND m.deleted_utc IS NULL)`
const wordsAround = (
  row: 'NEW' | 'OLD',
): string => `PERFORM search_case_words(${row}.case_id) WHERE ${row}.case_id IS NOT NULL;
  PERFORM search_evidence_words(${row}.evidence_id) WHERE ${row}.evidence_id IS NOT NULL;`

/** Step 20: the words of notes and marks (migrations/0020-words-of-notes.ts). */
export const WORDS_OF_NOTES = [
  `CREATE OR REPLACE FUNCTION search_case_words(id bigint) ${caseWordsBody(notesOf('case_id = c.case_id'))}`,
  `CREATE OR REPLACE FUNCTION search_evidence_words(id bigint) ${evidenceWordsBody(MARKS, notesOf('evidence_id = e.evidence_id'))}`,
  forEach('search_note', 'UPDATE OF text, deleted_utc', 'notes', wordsAround),
  forEach('search_mark', 'UPDATE OF title, text, deleted_utc', 'bookmarks', evidenceWords),
  'SELECT search_case_words(case_id) FROM (SELECT DISTINCT case_id FROM notes WHERE case_id IS NOT NULL AND deleted_utc IS NULL) noted;',
  `SELECT search_evidence_words(evidence_id) FROM (SELECT evidence_id FROM notes WHERE evidence_id IS NOT NULL AND deleted_utc IS NULL
    UNION SELECT evidence_id FROM bookmarks WHERE deleted_utc IS NULL) noted;`,
].join('\n')
