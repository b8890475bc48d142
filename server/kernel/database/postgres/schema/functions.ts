/** Functions that tables, triggers and statements of PostgreSQL use. */
import { LETTERS_FOLDED } from '../../migrations/first-release/folding.ts'
import { ROW_VALUE_FUNCTIONS } from '../row-text.ts'

const pure = (head: string, returns: string, body: string, strict = ''): string =>
  `CREATE FUNCTION ${head} RETURNS ${returns} LANGUAGE sql IMMUTABLE PARALLEL SAFE ${strict} AS $$ ${body} $$;\n`

const BODY = `convert_from(body, 'UTF8')`
const ACCOUNT_ACTS = ['user.created', 'user.password', 'secondStep.', 'passkey.', 'service.', 'account.']
const COMBINING = '\\u0300-\\u036f\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f'

/**
 * Bytes of a text whose words are in the index; those behind them are not found. A value of words has at most 1 MiB, and a word takes twice its
 * bytes at most. Without this an evidence with thousands of files could take no more of them.
 */
const MOST_OF_WORDS = 400_000

/** @param beginning of the set of characters of words */
const WORDS_OF = (folded: string, beginning: string): string => `
  SELECT coalesce(string_agg('''' || left(w.found[1], 500) || ''':' || least(w.place, 16383), ' '), '')::tsvector
  FROM regexp_matches(${folded}, '${beginning}' || joining || ']+', 'g') WITH ORDINALITY AS w (found, place)`

/** Of the expressions of indexes. Not in SQL: `convert_from` is STABLE, so that it would be planned anew for each statement. */
const ofEntry = (name: string, returns: string, expression: string): string =>
  `CREATE FUNCTION ${name}(body bytea) RETURNS ${returns} LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$ BEGIN RETURN ${expression}; END $$;`

export const FUNCTIONS = `
${ROW_VALUE_FUNCTIONS}
${pure('least_of(a bigint, b bigint)', 'bigint', 'SELECT least(a, b)', 'STRICT')}
${pure('greatest_of(a bigint, b bigint)', 'bigint', 'SELECT greatest(a, b)', 'STRICT')}
${pure('six_digits(number bigint)', 'text', `SELECT CASE WHEN number BETWEEN 0 AND 999999 THEN lpad(number::text, 6, '0') ELSE number::text END`)}
-- The members of an object, or the values of an array.
CREATE FUNCTION json_pairs(given text) RETURNS TABLE (key text, value text) LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$ BEGIN
  IF given IS NULL THEN RETURN; END IF;
  IF json_typeof(given::json) = 'array' THEN
    RETURN QUERY SELECT (e.n - 1)::text, e.v FROM json_array_elements_text(given::json) WITH ORDINALITY AS e (v, n);
  ELSIF json_typeof(given::json) = 'object' THEN RETURN QUERY SELECT e.key, e.value FROM json_each_text(given::json) e;
  ELSE RETURN QUERY SELECT NULL::text, given::json #>> '{}'; END IF;
END $$;
CREATE FUNCTION json_values(given text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$ BEGIN
  IF given IS NULL OR given IN ('[]', '{}') THEN RETURN NULL; END IF;
  RETURN (SELECT string_agg(value, ' ') FROM json_pairs(given) WHERE value IS NOT NULL); END $$;
-- A member of an entry of the ledger; null for bytes that are no JSON.
CREATE FUNCTION entry_member(body bytea, path text[]) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$ BEGIN
  RETURN ${BODY}::json #>> path;
EXCEPTION WHEN data_exception THEN RETURN NULL; END $$;
CREATE FUNCTION number_of(given text) RETURNS double precision LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN given ~ '^\\s*[-+]?(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d+)?\\s*$' THEN given::double precision END $$;
CREATE FUNCTION seconds_of(given text) RETURNS double precision LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$ BEGIN
  IF given !~ '^\\d{4}-\\d\\d-\\d\\d([T ]\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?\\s*(Z|[-+]\\d\\d:\\d\\d)?)?$' THEN RETURN NULL; END IF;
  RETURN extract(epoch FROM CASE WHEN given ~ '(Z|[-+]\\d\\d:\\d\\d)$' THEN given::timestamptz ELSE (given || 'Z')::timestamptz END);
EXCEPTION WHEN data_exception THEN RETURN NULL; END $$;
CREATE FUNCTION millis_now() RETURNS bigint LANGUAGE sql AS $$ SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint $$;
-- The sort key of a text: letters of Latin scripts without case and accents.
CREATE FUNCTION folded(given text, steps bigint) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE so_far text := lower(given); l record; BEGIN
  IF given IS NULL OR given ~ '^[ -~]*$' THEN RETURN so_far; END IF;
  FOR l IN SELECT letter, base FROM folded_letters WHERE step <= steps ORDER BY step LOOP
    so_far := replace(so_far, l.letter, l.base);
  END LOOP;
  RETURN so_far;
END $$;
CREATE FUNCTION name_key_of(given text) RETURNS text LANGUAGE sql STABLE AS $$ SELECT folded(given, ${LETTERS_FOLDED}) $$;
CREATE FUNCTION list_key_of(given text) RETURNS text LANGUAGE sql STABLE AS $$ SELECT folded(given, 1000000) $$;
-- The words of a text with their places, as ../text-search.ts cuts them. joining: further characters of words
-- In PL/pgSQL, which plans it once a session; a function of SQL would be planned anew at each call. ASCII has no marks to take off, and
-- its letters are the same in every collation.
CREATE FUNCTION words_of(given text, joining text DEFAULT '') RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE plain text; BEGIN
  IF given IS NULL OR given = '' THEN RETURN ''::tsvector; END IF;
  IF octet_length(given) = length(given) THEN
    plain := lower(left(given, ${MOST_OF_WORDS}));
    RETURN (${WORDS_OF('plain', '[a-z0-9')});
  END IF;
  plain := lower(regexp_replace(normalize(left(given, ${MOST_OF_WORDS}), NFD), '[${COMBINING}]', '', 'g') COLLATE "und-x-icu");
  plain := left(plain, CASE WHEN octet_length(plain) <= ${MOST_OF_WORDS} THEN ${MOST_OF_WORDS} ELSE ${MOST_OF_WORDS / 4} END);
  -- Which characters are letters is asked of this collation, which a variable does not keep.
  RETURN (${WORDS_OF('plain COLLATE "und-x-icu"', '[[:alnum:]\\uE000')}); END $$;
-- Between the words of two columns, so that no phrase reaches from one into the other.
CREATE FUNCTION words_apart() RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT '''|'':1'::tsvector $$;
${ofEntry('ledger_actor', 'bigint', `coalesce(substring(${BODY} FROM '"actor":\\{"id":"([0-9]{1,18})'), '0')::bigint`)}
${ofEntry('ledger_refused', 'boolean', `strpos(${BODY}, '"outcome":"denied"') > 0 OR strpos(${BODY}, '"action":"user.locked"') > 0`)}
${ofEntry('ledger_account_act', 'boolean', `${ACCOUNT_ACTS.map((name) => `strpos(${BODY}, '"action":"${name}') > 0`).join(' OR ')}`)}
-- An ISO 8601 duration of days, hours, minutes and seconds, in ticks.
CREATE FUNCTION duration_ticks(given text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
  SELECT CASE WHEN given LIKE '-%' THEN -1 ELSE 1 END * round(10000000 * (
    86400 * coalesce(substring(given FROM '([0-9.]+)D')::numeric, 0)
    + 3600 * coalesce(substring(given FROM 'T.*?([0-9.]+)H')::numeric, 0)
    + 60 * coalesce(substring(given FROM 'T.*?([0-9.]+)M')::numeric, 0)
    + coalesce(substring(given FROM 'T.*?([0-9.]+)S')::numeric, 0)))::bigint $$;
-- The place of a type in the list of evidence.
CREATE FUNCTION listed_type(sniffed text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN sniffed IS NULL THEN 6 WHEN sniffed LIKE 'video/%' THEN 0 WHEN sniffed LIKE 'audio/%' THEN 1
    WHEN sniffed LIKE 'image/%' THEN 2 WHEN sniffed = 'application/pdf' THEN 3 WHEN sniffed LIKE 'text/%' THEN 4 ELSE 5 END $$;
`
