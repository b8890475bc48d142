/**
 * A station of five years on PostgreSQL, by statements over sets: evidence without its bytes, a tenth as many cases, links, devices, people,
 * rights, and what triggers make of them for lists and searches. Drawn, and the same for the same count. No trigger runs, and indexes that
 * belong to no key are made at the end. What neither lists nor searches read is left out, so that ten million take 40 GB: entries of the ledger,
 * earlier versions, blobs with their checks, the watch of retention and the recordings of devices. `compareWithTriggers` shows that the rows are those that the triggers write.
 */
import pg from 'pg'
import { ROW_CHANGES_TABLE } from '../../server/kernel/database/postgres/row-changes.ts'
import { FACTS_VERSION } from '../../server/kernel/evidence/model.ts'
import { ACTS, MAKERS, NOUNS, STREETS, STREET_KINDS, SYLLABLES, VERBS, WEATHER } from './postgres-words.ts'

export const COMMAND = 'Command'
/** Can view one case of a hundred, and one of a hundred of what is in none. */
export const HUNDREDTH = 'A hundredth'
/** Can view what one officer of 2,000 made: a two-thousandth of everything. */
export const OFFICER = 'One officer'
const EVERYBODY = 'Officers'

const OFFICERS = 2_000
const CAMERAS = 1_000
const PLACES = 30_000
/** No more than there are evidences. */
const SENTENCES = 200_000
const sentencesOf = (evidences: number): number => Math.min(SENTENCES, evidences)
const TAGS = 2_000
const FIELDS = 600
const CATEGORIES = 10
/** Five years, which end with the year 2025. */
const FIRST_MS = Date.parse('2021-01-01T00:00:00Z')
export const SPAN_MS = 5 * 365 * 86_400_000
export const timeAt = (part: number): string => new Date(FIRST_MS + Math.floor(SPAN_MS * part)).toISOString()
/** Rows of one statement. */
const AT_ONCE = 500_000
/** Sessions that write at a time. */
const SESSIONS = 2

const list = (words: readonly string[]): string => `ARRAY[${words.map((word) => `'${word}'`).join(',')}]`

/** `u(x, n)`: the n-th number from 0 to 1 that belongs to x. `often(x, n, of)`: 1 to `of`, the first ones far more often than the last. */
const DRAWING = `
CREATE SCHEMA bench;
CREATE FUNCTION bench.u(x bigint, n int) RETURNS double precision LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (hashint8extended(x, n) & 4503599627370495) / 4503599627370496.0::double precision $$;
CREATE FUNCTION bench.one(x bigint, n int, of_many int) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT 1 + floor(of_many * bench.u(x, n))::int $$;
CREATE FUNCTION bench.often(x bigint, n int, of_many int) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT 1 + floor(of_many * power(bench.u(x, n), 2.2))::int $$;
CREATE FUNCTION bench.utc(ms bigint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT to_char(to_timestamp(ms / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;
CREATE FUNCTION bench.point(x bigint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT 'POINT (' || round(16 + bench.u(x, 20)::numeric, 4) || ' ' || round(48 + bench.u(x, 21)::numeric, 4) || ')' $$;
`

/**
 * Texts that rows are put together from, with their words. Places of words in a row follow from joining the words of its texts. The words of
 * sentences are drawn by Zipf's law from 20,000.
 */
const poolsOf = (evidences: number): string => `
CREATE TABLE bench.word AS
  SELECT i AS id, coalesce((${list([...NOUNS, ...VERBS])})[i],
    (${list(SYLLABLES)})[bench.one(i, 1, ${SYLLABLES.length})] || (${list(SYLLABLES)})[bench.one(i, 2, ${SYLLABLES.length})]
      || (${list(SYLLABLES)})[bench.one(i, 3, ${SYLLABLES.length})]) AS text FROM generate_series(1, 20000) i;
ALTER TABLE bench.word ADD PRIMARY KEY (id);
CREATE TABLE bench.said AS SELECT id, text, words_of(text) AS vec FROM (
  SELECT i AS id, string_agg(w.text, ' ' ORDER BY n) AS text FROM generate_series(1, ${sentencesOf(evidences)}) i CROSS JOIN generate_series(1, 9) n
    JOIN bench.word w ON w.id = least(20000, floor(power(20000, bench.u(i * 10 + n, 3)))::int) GROUP BY i) t;
CREATE TABLE bench.place AS SELECT id, text, list_key_of(text) AS key, name_key_of(text) AS folded, words_of(text) AS vec FROM (
  SELECT i AS id, bench.one(i, 1, 180) || ' ' || (${list(STREETS)})[bench.often(i, 2, ${STREETS.length})] || ' '
    || (${list(STREET_KINDS)})[bench.often(i, 3, ${STREET_KINDS.length})] AS text FROM generate_series(1, ${PLACES}) i) t;
CREATE TABLE bench.tag AS SELECT id, text, lower(text) AS key, words_of(text) AS vec FROM (
  SELECT i AS id, (ARRAY['Response', 'Night shift', 'Custody', 'Scene'])[i % 4 + 1] || ' ' || i AS text FROM generate_series(1, ${TAGS}) i) t;
CREATE TABLE bench.fields AS SELECT id, text, words_of(json_values(text)) AS vec FROM (
  SELECT i AS id, '{"Weather":"' || (${list(WEATHER)})[i % ${WEATHER.length} + 1] || '","Speed":"' || i / ${WEATHER.length} || '"}' AS text
  FROM generate_series(1, ${FIELDS}) i) t;
CREATE TABLE bench.camera AS SELECT *, words_of('BWC ' || id) AS name_vec, words_of(json_values(device)) AS vec, words_of('BW' || id) AS file_vec FROM (
  SELECT i AS id, md5('camera ' || i) AS device_id, '{"DeviceType":"BodyWornCamera","Manufacturer":"' || (${list(MAKERS)})[i % ${MAKERS.length} + 1]
    || '","SerialNumber":"SN' || i || '","Model":"B' || i % 7 || '"}' AS device FROM generate_series(1, ${CAMERAS}) i) t;
CREATE TABLE bench.act AS SELECT i AS id, text, lower(text) AS key, words_of(text) AS vec
  FROM unnest(${list(ACTS)}) WITH ORDINALITY AS t (text, i);
CREATE TABLE bench.officer AS SELECT p.number AS id, p.principal_id, p.by_json, words_of(' ' || (p.by_json::json ->> 'Username')) AS vec,
    words_of(p.name || ' ' || p.first_name || ' ' || p.last_name || ' ' || p.badge) AS person_vec FROM (
  SELECT row_number() OVER (ORDER BY principal_id) AS number, *, json_build_object('KId', k_id, 'Username', name,
    'PrincipalId', principal_id::text, 'PrincipalType', 'user')::text AS by_json FROM principals WHERE badge LIKE 'B1%' AND created_by = 'bench') p;
CREATE TABLE bench.category AS SELECT row_number() OVER (ORDER BY category_id) AS id, category_id FROM categories WHERE modified_by = '{"bench":1}';
CREATE TABLE bench.team AS SELECT max(principal_id) FILTER (WHERE name = '${COMMAND}') AS command,
  max(principal_id) FILTER (WHERE name = '${HUNDREDTH}') AS hundredth, max(principal_id) FILTER (WHERE name = '${OFFICER}') AS officer,
  max(principal_id) FILTER (WHERE name = '${EVERYBODY}') AS everybody FROM principals WHERE kind = 'group' AND created_by = 'bench';
CREATE TABLE bench.base AS SELECT coalesce(max(search_id), 0) AS search_id FROM search_list;
ANALYZE bench.word, bench.said, bench.place, bench.tag, bench.fields, bench.camera, bench.act, bench.officer, bench.category;
`

/** Few rows, written with their triggers. */
const PEOPLE = `
INSERT INTO principals (tenant_id, kind, name, name_key, k_id, created_utc, created_by)
  SELECT 'station', 'group', name, lower(name), 'urn:group:station:' || name, '2021-01-01T00:00:00.000Z', 'bench'
  FROM unnest(${list([COMMAND, HUNDREDTH, OFFICER, EVERYBODY])}) name;
INSERT INTO principals (tenant_id, kind, name, name_key, k_id, first_name, last_name, badge, created_utc, created_by)
  SELECT 'station', 'user', 'officer' || i, 'officer' || i, 'urn:user:station:officer' || i, (${list(STREETS)})[i % ${STREETS.length} + 1],
    initcap((${list(NOUNS)})[i % ${NOUNS.length} + 1]) || 'son', 'B' || 10000 + i, '2021-01-01T00:00:00.000Z', 'bench' FROM generate_series(1, ${OFFICERS}) i;
INSERT INTO categories (tenant_id, name, name_key, enabled, concurrency_id, created_utc, modified_utc, modified_by)
  SELECT 'station', 'Category ' || i, 'category ' || i, 1, '', '2021-01-01T00:00:00.000Z', '2021-01-01T00:00:00.000Z', '{"bench":1}'
  FROM generate_series(1, ${CATEGORIES}) i;
INSERT INTO devices (device_id, tenant_id, serial_number, manufacturer, model, device_type, active, search_key, created_utc)
  SELECT md5('camera ' || i), 'station', 'SN' || i, (${list(MAKERS)})[i % ${MAKERS.length} + 1], 'B' || i % 7, 'BodyWornCamera', 1, 'sn' || i,
    '2021-01-01T00:00:00.000Z' FROM generate_series(1, ${CAMERAS}) i;
`

const TYPES = ['video/mp4', 'video/mp4', 'video/mp4', 'audio/wav', 'image/jpeg', 'application/pdf']
const ENDINGS = ['mp4', 'mp4', 'mp4', 'wav', 'jpg', 'pdf']
const at = (words: readonly string[], column: string): string => `(${list(words)})[${column}]`

/** What is drawn for evidences, whose ids are 1 to `count`, ten for each case. */
const drawnEvidence = (from: number, to: number, count: number): string => `(
  SELECT *, recorded + lasts AS ended FROM (
    SELECT e AS id, (e - 1) / 10 + 1 AS of_case, bench.one(e, 1, ${CAMERAS}) AS cam, bench.one(e, 2, ${OFFICERS}) AS maker,
      bench.often(e, 3, ${PLACES}) AS place, CASE WHEN e % 6 = 0 THEN bench.one(e, 4, ${sentencesOf(count)}) END AS said, bench.often(e, 5, ${CATEGORIES}) AS cat,
      CASE WHEN e % 3 > 0 THEN bench.often(e, 6, ${TAGS}) END AS tag_1, CASE WHEN e % 3 = 2 THEN bench.often(e, 7, ${TAGS}) END AS tag_2,
      CASE WHEN e % 4 = 0 THEN bench.one(e, 8, ${FIELDS}) END AS fields, (e % 6 + 1)::int AS type, 1000000 + floor(1e9 * bench.u(e, 9))::bigint AS length,
      ${FIRST_MS} + (e - 1) * ${SPAN_MS} / ${count} AS created,
      ${FIRST_MS} + (e - 1) * ${SPAN_MS} / ${count} - floor(172800000 * power(bench.u(e, 10), 3))::bigint AS recorded,
      CASE WHEN e % 2000 = 3 THEN 259200000 ELSE 60000 * bench.one(e, 11, 45) END AS lasts,
      CASE WHEN e % 2 = 0 THEN bench.point(e) END AS wkt, e % 5 > 0 AS linked,
      CASE WHEN e % 1000 = 13 THEN 'Deleted' WHEN e % 100 = 77 THEN 'Protected' ELSE 'None' END AS lifecycle,
      CASE WHEN e % 10 = 0 THEN 'SRC-' || e END AS source
    FROM generate_series(${from}::bigint, ${to}::bigint) e OFFSET 0) drawn) d`

const drawnCases = (from: number, to: number, cases: number): string => `(
  SELECT *, extract(year FROM to_timestamp(created / 1000.0) AT TIME ZONE 'UTC')::bigint AS year FROM (
    SELECT k AS id, bench.one(k, 31, ${OFFICERS}) AS maker, bench.often(k, 32, ${PLACES}) AS place, bench.one(k, 33, ${sentencesOf(cases * 10)}) AS said,
      bench.often(k, 34, ${CATEGORIES}) AS cat, bench.often(k, 35, ${ACTS.length}) AS act, bench.often(k, 36, ${TAGS}) AS tag, bench.one(k, 37, ${FIELDS}) AS fields,
      ${FIRST_MS} + (k - 1) * ${SPAN_MS} / ${cases} AS created, 3600000 * bench.one(k, 38, 5) AS lasts, bench.point(k + 1000000000) AS wkt,
      CASE WHEN k < ${cases} * 0.7 THEN 'Closed' ELSE 'Open' END AS state,
      CASE WHEN k % 5000 = 13 THEN 'Deleted' WHEN k % 100 = 77 THEN 'Protected' ELSE 'Normal' END AS lifecycle
    FROM generate_series(${from}::bigint, ${to}::bigint) k OFFSET 0) drawn) d`

const WITH_TEXTS = `JOIN bench.camera cam ON cam.id = d.cam JOIN bench.officer maker ON maker.id = d.maker JOIN bench.place place ON place.id = d.place
  JOIN bench.category cat ON cat.id = d.cat LEFT JOIN bench.said said ON said.id = d.said LEFT JOIN bench.tag tag_1 ON tag_1.id = d.tag_1
  LEFT JOIN bench.tag tag_2 ON tag_2.id = d.tag_2 LEFT JOIN bench.fields fields ON fields.id = d.fields`
const CASE_TEXTS = `JOIN bench.officer maker ON maker.id = d.maker JOIN bench.place place ON place.id = d.place JOIN bench.category cat ON cat.id = d.cat
  JOIN bench.said said ON said.id = d.said JOIN bench.act act ON act.id = d.act JOIN bench.tag tag ON tag.id = d.tag JOIN bench.fields fields ON fields.id = d.fields`

/** Rows of the search: each case stands before its ten evidences, as they came to the station. */
const SEARCH_ID = `(SELECT search_id FROM bench.base) + 11 * ((d.id - 1) / 10) + (d.id - 1) % 10 + 2`
const SEARCH_ID_OF_CASE = `(SELECT search_id FROM bench.base) + 11 * (d.id - 1) + 1`
const NONE = `''::tsvector`
const vec = (column: string): string => `coalesce(${column}, ${NONE})`
const FILE_VEC = `cam.file_vec || ('''' || d.id || ''':1 ''' || ${at(ENDINGS, 'd.type')} || ''':2')::tsvector`
const NAME_VEC = 'cam.name_vec || place.vec'
const TAGS_VEC = `${vec('tag_1.vec')} || ${vec('tag_2.vec')}`
const MARK_VEC = `('''' || chr(57344) || d.id || ''':1')::tsvector`
const COLUMNS = ['name', 'tags', 'numbers', 'texts', 'device', 'people']
const intoWords = (id: string, vecs: readonly string[], from: string): string => `
  INSERT INTO search_words (words_row, ${COLUMNS.join(', ')}, words)
  SELECT id, ${COLUMNS.join(', ')}, ${COLUMNS.join(' || words_apart() || ')} FROM (
    SELECT ${id} AS id, ${vecs.map((one, at) => `${one} AS ${COLUMNS[at]}`).join(', ')} FROM ${from} OFFSET 0) w`
const placed = (id: string): string =>
  `round(16 + bench.u(${id}, 20)::numeric, 4)::float8, round(48 + bench.u(${id}, 21)::numeric, 4)::float8`

type Statement = (from: number, to: number, count: number) => string
interface Task {
  readonly table: string
  readonly of: 'evidence' | 'cases'
  readonly statement: Statement
}

const ticks = (ms: string): string => `(${ms}) * 10000`

/** The longest come first. */
const TASKS: readonly Task[] = [
  {
    table: 'search_words',
    of: 'evidence',
    statement: (from, to, count) =>
      intoWords(
        SEARCH_ID,
        [
          NAME_VEC,
          TAGS_VEC,
          `CASE WHEN d.source IS NULL THEN ${NONE} ELSE ('''src'':1 ''' || d.id || ''':2')::tsvector END || ${MARK_VEC}`,
          `${vec('said.vec')} || place.vec || ${vec('fields.vec')} || ${FILE_VEC}`,
          'cam.vec',
          'maker.vec',
        ],
        `${drawnEvidence(from, to, count)} ${WITH_TEXTS}`,
      ),
  },
  {
    table: 'evidence',
    of: 'evidence',
    statement: (from, to, count) => `
      INSERT INTO evidence (evidence_id, tenant_id, name, description, category_id, source_id, start_utc, start_ticks, end_utc, end_ticks, location_text,
        location_wkt, device, device_identity, custom_fields, state, lifecycle_state, association_state, created_utc, created_ticks, created_by, deleted_utc, deleted_by,
        concurrency_id, protected_until, protected_ticks)
      SELECT d.id, 'station', 'BWC ' || d.cam || ', ' || place.text, said.text, cat.category_id::text, d.source, bench.utc(d.recorded), ${ticks('d.recorded')},
        bench.utc(d.ended), ${ticks('d.ended')}, place.text, d.wkt, cam.device, NULL, coalesce(fields.text, '{}'), 'UserCompleted', d.lifecycle,
        CASE WHEN d.linked THEN 'Manual' ELSE 'None' END, bench.utc(d.created), ${ticks('d.created')}, maker.by_json,
        CASE WHEN d.lifecycle = 'Deleted' THEN bench.utc(d.created + 86400000) END, CASE WHEN d.lifecycle = 'Deleted' THEN maker.by_json END, '',
        CASE WHEN d.lifecycle = 'Protected' THEN '2040-01-01T00:00:00Z' END, CASE WHEN d.lifecycle = 'Protected' THEN 22089888000000000 END
      FROM ${drawnEvidence(from, to, count)} ${WITH_TEXTS}`,
  },
  {
    table: 'evidence_words',
    of: 'evidence',
    // The list cuts its text twice, once with `_` and `%` as letters. None of these texts has either.
    statement: (from, to, count) => `
      INSERT INTO evidence_words (words_row, words) SELECT id, v || v FROM (
        SELECT d.id, ${NAME_VEC} || ${vec('said.vec')} || ${TAGS_VEC} || ${FILE_VEC} AS v FROM ${drawnEvidence(from, to, count)} ${WITH_TEXTS} OFFSET 0) w`,
  },
  {
    table: 'resources',
    of: 'evidence',
    statement: (from, to, count) => `
      INSERT INTO resources (resource_id, evidence_id, name, mime_type, sniffed_type, role, state, length, uploaded_utc, uploaded_by, created_utc, concurrency_id)
      SELECT d.id, d.id, 'BW' || d.cam || '-' || d.id || '.' || ${at(ENDINGS, 'd.type')}, ${at(TYPES, 'd.type')}, ${at(TYPES, 'd.type')}, 'original', 'UserCompleted',
        d.length, bench.utc(d.created), '{}', bench.utc(d.created), ''
      FROM ${drawnEvidence(from, to, count)}`,
  },
  {
    table: 'search_list',
    of: 'evidence',
    statement: (from, to, count) => `
      INSERT INTO search_list (search_id, tenant_id, kind, object_id, state, protected, category_id, media, from_ticks, to_ticks, name_key, device_id, west, south, east, north)
      SELECT s.id, 'station', 1, s.object_id, s.state, s.protected, s.category_id, s.media, s.from_ticks, s.to_ticks, s.key, s.device_id, s.x, s.y, s.x, s.y FROM (
        SELECT ${SEARCH_ID} AS id, d.id AS object_id, CASE WHEN d.lifecycle = 'Deleted' THEN 'Deleted' ELSE 'UserCompleted' END AS state,
          (d.lifecycle = 'Protected')::int AS protected, cat.category_id, listed_type(${at(TYPES, 'd.type')}) AS media, ${ticks('d.recorded')} AS from_ticks,
          ${ticks('d.ended')} AS to_ticks, 'bwc ' || d.cam || ', ' || place.key AS key, cam.device_id,
          CASE WHEN d.wkt IS NOT NULL THEN ${placed('d.id').split(', round')[0]} END AS x, CASE WHEN d.wkt IS NOT NULL THEN round${placed('d.id').split(', round')[1]} END AS y
        FROM ${drawnEvidence(from, to, count)} JOIN bench.camera cam ON cam.id = d.cam JOIN bench.place place ON place.id = d.place
          JOIN bench.category cat ON cat.id = d.cat) s`,
  },
  {
    table: 'evidence_list',
    of: 'evidence',
    statement: (from, to, count) => `
      INSERT INTO evidence_list (evidence_id, tenant_id, created_ticks, recorded_ticks, ended_ticks, name_key, state, type, length, originals, first_id, lead_id, status)
      SELECT d.id, 'station', ${ticks('d.created')}, ${ticks('d.recorded')}, ${ticks('d.ended')}, 'bwc ' || d.cam || ', ' || place.key, 'UserCompleted',
        listed_type(${at(TYPES, 'd.type')}), d.length, 1, d.id, d.id, CASE WHEN d.lifecycle = 'Protected' THEN 'sealed' ELSE 'verified' END
      FROM ${drawnEvidence(from, to, count)} JOIN bench.place place ON place.id = d.place`,
  },
  {
    table: 'evidence_policies',
    of: 'evidence',
    statement: (from, to, count) => `
      INSERT INTO evidence_policies (evidence_id, principal_id, level)
      SELECT d.id, maker.principal_id, 'Manage' FROM ${drawnEvidence(from, to, count)} JOIN bench.officer maker ON maker.id = d.maker
      UNION ALL SELECT d.id, team.hundredth, 'View' FROM ${drawnEvidence(from, to, count)}, bench.team team WHERE NOT d.linked AND d.id % 500 = 0
      UNION ALL SELECT d.id, team.officer, 'Manage' FROM ${drawnEvidence(from, to, count)}, bench.team team WHERE d.maker = 7`,
  },
  {
    table: 'case_links',
    of: 'evidence',
    // Every fiftieth is in a second case, which so gets 20 times as many as others.
    statement: (from, to, count) => `
      INSERT INTO case_links (case_id, evidence_id, kind, confirmed, linked_on, linked_by)
      SELECT d.of_case, d.id, 'Manual', 1, bench.utc(d.created), '{}' FROM ${drawnEvidence(from, to, count)} WHERE d.linked
      UNION ALL SELECT (d.of_case - 1) / 100 * 100 + 1, d.id, 'Manual', 1, bench.utc(d.created), '{}' FROM ${drawnEvidence(from, to, count)}
      WHERE d.linked AND d.id % 50 = 7 AND (d.of_case - 1) % 100 > 0`,
  },
  {
    table: 'evidence_tags',
    of: 'evidence',
    statement: (from, to, count) => `
      INSERT INTO evidence_tags (evidence_id, position, tag, tag_key)
      SELECT t.id, t.position, tag.text, tag.key FROM (
        SELECT d.id, 0 AS position, d.tag_1 AS tag FROM ${drawnEvidence(from, to, count)} WHERE d.tag_1 IS NOT NULL
        UNION ALL SELECT d.id, 1, d.tag_2 FROM ${drawnEvidence(from, to, count)} WHERE d.tag_2 IS NOT NULL) t JOIN bench.tag tag ON tag.id = t.tag`,
  },
  {
    table: 'search_numbers',
    of: 'evidence',
    statement: (from, to, count) => `
      INSERT INTO search_numbers (number_key, search_id) SELECT lower(d.source), ${SEARCH_ID} FROM ${drawnEvidence(from, to, count)} WHERE d.source IS NOT NULL`,
  },
  {
    table: 'search_words',
    of: 'cases',
    statement: (from, to, cases) =>
      intoWords(
        SEARCH_ID_OF_CASE,
        [
          'act.vec || place.vec',
          'tag.vec',
          `('''' || d.year || ''':1 ''' || six_digits(d.id) || ''':2 ''rn'':3 ''' || d.year || ''':4 ''' || d.id || ''':5 ''inc' || 100000 + d.id || ''':6')::tsvector || ${MARK_VEC}`,
          'said.vec || place.vec || fields.vec',
          NONE,
          'maker.vec || maker.person_vec',
        ],
        `${drawnCases(from, to, cases)} ${CASE_TEXTS}`,
      ),
  },
  {
    table: 'cases',
    of: 'cases',
    statement: (from, to, cases) => `
      INSERT INTO cases (case_id, tenant_id, ordinal_year, ordinal_number, title, description, category_id, state, lifecycle_state, occurred_on, occurred_ticks,
        ended_on, ended_ticks, external_reference_1, external_reference_2, location_wkt, location_text, tags, custom_fields, source_type, closed_on, deleted_utc,
        protected_until, protected_ticks, concurrency_id, created_utc, created_ticks, created_by, modified_utc, modified_by)
      SELECT d.id, 'station', d.year, d.id, act.text || ', ' || place.text, said.text, cat.category_id, d.state, d.lifecycle, bench.utc(d.created), ${ticks('d.created')},
        bench.utc(d.created + d.lasts), ${ticks('d.created + d.lasts')}, 'RN-' || d.year || '-' || d.id, 'INC' || 100000 + d.id, d.wkt, place.text,
        '["' || tag.text || '"]', fields.text, 'Manual', CASE WHEN d.state = 'Closed' THEN bench.utc(d.created + 86400000) END,
        CASE WHEN d.lifecycle = 'Deleted' THEN bench.utc(d.created + 86400000) END,
        CASE WHEN d.lifecycle = 'Protected' THEN '2040-01-01T00:00:00Z' END, CASE WHEN d.lifecycle = 'Protected' THEN 22089888000000000 END,
        '', bench.utc(d.created), ${ticks('d.created')}, maker.by_json, bench.utc(d.created), maker.by_json
      FROM ${drawnCases(from, to, cases)} ${CASE_TEXTS}`,
  },
  {
    table: 'search_list',
    of: 'cases',
    statement: (from, to, cases) => `
      INSERT INTO search_list (search_id, tenant_id, kind, object_id, state, protected, category_id, media, from_ticks, to_ticks, name_key, west, south, east, north)
      SELECT s.id, 'station', 0, s.object_id, s.state, s.protected, s.category_id, NULL, s.from_ticks, s.to_ticks, s.key, s.x, s.y, s.x, s.y FROM (
        SELECT ${SEARCH_ID_OF_CASE} AS id, d.id AS object_id, CASE WHEN d.lifecycle = 'Deleted' THEN 'Deleted' ELSE d.state END AS state,
          (d.lifecycle = 'Protected')::int AS protected, cat.category_id, ${ticks('d.created')} AS from_ticks, ${ticks('d.created + d.lasts')} AS to_ticks,
          act.key || ', ' || place.folded AS key, ${placed('d.id + 1000000000').split(', round')[0]} AS x, round${placed('d.id + 1000000000').split(', round')[1]} AS y
        FROM ${drawnCases(from, to, cases)} ${CASE_TEXTS}) s`,
  },
  {
    table: 'case_policies',
    of: 'cases',
    statement: (from, to, cases) => `
      INSERT INTO case_policies (case_id, principal_id, level)
      SELECT d.id, maker.principal_id, 'Manage' FROM ${drawnCases(from, to, cases)} JOIN bench.officer maker ON maker.id = d.maker
      UNION ALL SELECT d.id, team.command, 'View' FROM ${drawnCases(from, to, cases)}, bench.team team
      UNION ALL SELECT d.id, team.everybody, 'View' FROM ${drawnCases(from, to, cases)}, bench.team team WHERE d.id % 10 > 0
      UNION ALL SELECT d.id, team.hundredth, 'View' FROM ${drawnCases(from, to, cases)}, bench.team team WHERE d.id % 100 = 50
      UNION ALL SELECT d.id, team.officer, 'Manage' FROM ${drawnCases(from, to, cases)}, bench.team team WHERE d.maker = 7`,
  },
  {
    table: 'case_personnel',
    of: 'cases',
    statement: (from, to, cases) => `
      INSERT INTO case_personnel (case_id, position, principal_id, role)
      SELECT d.id, 0, maker.principal_id, 'Officer' FROM ${drawnCases(from, to, cases)} JOIN bench.officer maker ON maker.id = d.maker`,
  },
  {
    table: 'search_numbers',
    of: 'cases',
    statement: (from, to, cases) => `
      INSERT INTO search_numbers (number_key, search_id) SELECT lower(n), ${SEARCH_ID_OF_CASE} FROM ${drawnCases(from, to, cases)},
        unnest(ARRAY[d.year || '-' || six_digits(d.id), 'RN-' || d.year || '-' || d.id, 'INC' || 100000 + d.id]) n`,
  },
]

export const FILLED = [...new Set(TASKS.map(({ table }) => table))]

interface Index {
  readonly name: string
  readonly text: string
}

/**
 * Into the database of a station that is set up, is empty and does not run, by an account that may switch triggers off.
 * @returns seconds: rows, indexes
 */
export async function writePostgresStation(
  url: string,
  evidences: number,
  said: (what: string) => void,
): Promise<{ rows: number; indexes: number }> {
  const cases = Math.max(1, Math.ceil(evidences / 10))
  const first = await session(url)
  try {
    await first.query(ROW_CHANGES_TABLE)
    await first.query(PEOPLE)
    await first.query(DRAWING)
    await first.query(poolsOf(cases * 10))
    const { rows: indexes } = await first.query<Index>(
      `SELECT c.relname AS name, pg_get_indexdef(c.oid) AS text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
       WHERE t.relname = ANY ($1) AND t.relnamespace = 'public'::regnamespace AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid)
       ORDER BY c.relam DESC`,
      [FILLED],
    )
    for (const { name } of indexes) await first.query(`DROP INDEX ${name}`)
    const began = performance.now()
    const parts = TASKS.flatMap(({ table, of, statement }) => {
      const count = of === 'cases' ? cases : evidences
      return stretches(count).map(([from, to]) => ({ what: `${table} ${from}`, text: statement(from, to, count) }))
    })
    await inSessions(url, parts, said)
    const rows = (performance.now() - began) / 1000
    const from = performance.now()
    // Those of words take longest; they are made one beside the other.
    await inSessions(
      url,
      indexes.map(({ name, text }) => ({ what: name, text })),
      said,
    )
    const vacuums = FILLED.map((table) => ({ what: `vacuum ${table}`, text: `VACUUM (ANALYZE) ${table}` }))
    await inSessions(url, vacuums, said)
    await settle(first)
    return { rows, indexes: (performance.now() - from) / 1000 }
  } finally {
    await first.end()
  }
}

function stretches(count: number): [number, number][] {
  const found: [number, number][] = []
  for (let from = 1; from <= count; from += AT_ONCE) found.push([from, Math.min(count, from + AT_ONCE - 1)])
  return found
}

async function session(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    "SET work_mem = '256MB'; SET maintenance_work_mem = '1GB'; SET max_parallel_maintenance_workers = 0; SET max_parallel_workers_per_gather = 0",
  )
  return client
}

async function inSessions(
  url: string,
  texts: readonly { readonly what: string; readonly text: string }[],
  said: (what: string) => void,
): Promise<void> {
  const left = [...texts]
  const work = async (): Promise<void> => {
    const client = await session(url)
    try {
      // Without triggers, those of references among them.
      await client.query('SET session_replication_role = replica; SET synchronous_commit = off')
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        said(next.what)
        await client.query(next.text)
      }
    } finally {
      await client.end()
    }
  }
  await Promise.all(Array.from({ length: SESSIONS }, work))
}

/** Counters of keys, and what a station that ran all the time has behind it, so that it does none of it while it is measured. */
async function settle(client: pg.Client): Promise<void> {
  for (const [table, key] of [
    ['evidence', 'evidence_id'],
    ['cases', 'case_id'],
    ['resources', 'resource_id'],
    ['search_list', 'search_id'],
  ])
    await client.query(
      `SELECT setval(pg_get_serial_sequence('${table}', '${key}'), (SELECT max(${key}) FROM ${table}))`,
    )
  const now = Date.now()
  const known = {
    derivations: String(FACTS_VERSION),
    'capture times': '1',
    'last-walk': String(now),
    'last-verification': JSON.stringify({ TimeUtc: new Date(now).toISOString(), Result: 'intact', Problems: 0 }),
  }
  for (const [name, value] of Object.entries(known))
    await client.query(
      'INSERT INTO station (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      [name, value],
    )
  await client.query('DROP SCHEMA bench CASCADE')
}

/** Ids behind all others. */
const COPIES = 1_000_000_000_000
const copied = (table: string, columns: readonly string[], where: string): string =>
  `INSERT INTO ${table} SELECT (jsonb_populate_record(t, jsonb_build_object(${columns.map((one) => `'${one}', t.${one} + ${COPIES}`).join(', ')}))).*
   FROM ${table} t WHERE ${where}`

/**
 * Copies some evidences and cases with new ids through the triggers, in a transaction that is taken back, and compares what the triggers wrote
 * with what stands there for the originals.
 * @returns tables with the number of rows compared, and of those that differ
 */
export async function compareWithTriggers(url: string): Promise<Record<string, { rows: number; differ: number }>> {
  const client = await session(url)
  try {
    const sample = (id: string): string =>
      `${id} <= ${COPIES} AND ${id} % (SELECT greatest(1, max(evidence_id) / 997) FROM evidence WHERE evidence_id < ${COPIES}) = 0`
    await client.query('BEGIN')
    await client.query(ROW_CHANGES_TABLE)
    const before = await client.query('SELECT max(search_id) AS id FROM search_list')
    await client.query(
      'CREATE TEMP TABLE some_cases AS SELECT case_id FROM cases WHERE case_id % (SELECT greatest(1, max(case_id) / 499) FROM cases) = 0',
    )
    // Copies have the same numbers.
    await client.query('ALTER TABLE cases DROP CONSTRAINT cases_tenant_id_ordinal_year_ordinal_number_key')
    await client.query(copied('cases', ['case_id'], 't.case_id IN (SELECT case_id FROM some_cases)'))
    await client.query(copied('case_personnel', ['case_id'], 't.case_id IN (SELECT case_id FROM some_cases)'))
    await client.query(copied('evidence', ['evidence_id'], sample('t.evidence_id')))
    await client.query(copied('evidence_tags', ['evidence_id'], sample('t.evidence_id')))
    await client.query(copied('resources', ['resource_id', 'evidence_id'], sample('t.evidence_id')))
    const compared: Record<string, { rows: number; differ: number }> = {}
    const compare = async (table: string, rows: string): Promise<void> => {
      const { rows: found } = await client.query<{ rows: number; differ: number }>(
        `SELECT count(*)::int AS rows, count(*) FILTER (WHERE made IS DISTINCT FROM there)::int AS differ FROM (${rows}) c`,
      )
      compared[table] = found[0] as { rows: number; differ: number }
    }
    const row = (alias: string, without: readonly string[]): string =>
      `to_jsonb(${alias}) ${without.map((one) => `- '${one}'`).join(' ')}`
    const pair = (table: string, key: string, without: readonly string[]): string =>
      `SELECT ${row('m', [key, ...without])} AS made, ${row('t', [key, ...without])} AS there FROM ${table} m LEFT JOIN ${table} t ON t.${key} = m.${key} - ${COPIES} WHERE m.${key} > ${COPIES}`
    await compare('evidence_list', pair('evidence_list', 'evidence_id', ['first_id', 'lead_id']))
    await compare('evidence_words', pair('evidence_words', 'words_row', []))
    // Place and device of a row of the search are written by the program, not by a trigger.
    const byCode = ['search_id', 'object_id', 'device_id', 'west', 'south', 'east', 'north']
    const made = `FROM search_list m LEFT JOIN search_list t ON t.kind = m.kind AND t.object_id = m.object_id - ${COPIES}`
    await compare(
      'search_list',
      `SELECT ${row('m', byCode)} AS made, ${row('t', byCode)} AS there ${made} WHERE m.search_id > ${before.rows[0].id}`,
    )
    // Each has the word of its own id.
    const unmarked = (alias: string): string =>
      `regexp_replace((${row(alias, ['words_row'])})::text, '\\ue000\\d+', '', 'g')`
    await compare(
      'search_words',
      `SELECT ${unmarked('mw')} AS made, ${unmarked('tw')} AS there ${made} LEFT JOIN search_words mw ON mw.words_row = m.search_id
       LEFT JOIN search_words tw ON tw.words_row = t.search_id WHERE m.search_id > ${before.rows[0].id}`,
    )
    const numbers = (id: string): string =>
      `(SELECT string_agg(number_key, ' ' ORDER BY number_key) FROM search_numbers WHERE search_id = ${id})`
    await compare(
      'search_numbers',
      `SELECT ${numbers('m.search_id')} AS made, ${numbers('t.search_id')} AS there ${made} WHERE m.search_id > ${before.rows[0].id}`,
    )
    return compared
  } finally {
    await client.query('ROLLBACK')
    await client.end()
  }
}
