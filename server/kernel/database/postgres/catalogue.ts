/**
 * What PostgreSQL's catalogue says of a schema: every object with its definition, as the server writes it. Members of extensions are left out,
 * and so are statistics, comments, owners and privileges.
 */
import type { SchemaObject } from '../schema-difference.ts'

export interface CatalogueRow {
  readonly type: SchemaObject
  readonly name: string
  /** To which it belongs; null for what belongs to none. */
  readonly table: string | null
  readonly definition: string
  /** `O` for what works: triggers and rules can be switched off, references too, and an index can be invalid. */
  readonly state: string
  /** Statement that makes it; null where rows would be lost or rewritten by that. */
  readonly make: string | null
  /** Statement that removes it; null for what is replaced by `make` or holds rows. */
  readonly remove: string | null
}

/** Names in it are found in the schema that is read, and in no other one. To be run in a transaction. */
export const ONLY_THIS_SCHEMA = "SELECT set_config('search_path', quote_ident(current_schema()), true)"

/** Without the name of the schema, which differs between the one that is used and one that was made to compare with. */
const plain = (text: string): string => `replace(${text}, quote_ident(current_schema()) || '.', '')`
const own = (catalogue: string, oid: string): string =>
  `NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = '${catalogue}'::regclass AND d.objid = ${oid} AND d.deptype = 'e')`
const onTable = (statement: string, name: string): string => `format('${statement} ON %I', ${name}, t.relname)`

/** The column was added without a step, so a database may lack it. */
const LATER_COLUMN = `NOT (t.relname = 'schema_version' AND a.attname = 'oldest_program')`

const PARTS: readonly string[] = [
  // Row security hides rows, and rows of a child are read with those of its parent.
  `SELECT CASE c.relkind WHEN 'v' THEN 'view' WHEN 'm' THEN 'view' WHEN 'S' THEN 'sequence' ELSE 'table' END AS type, c.relname::text AS name, NULL::text AS "table",
    concat_ws(' ', c.relkind, c.relpersistence, c.relrowsecurity, c.relforcerowsecurity, c.relispartition,
      (SELECT string_agg(i.inhrelid::regclass::text, ', ' ORDER BY i.inhrelid::regclass::text) FROM pg_inherits i WHERE i.inhparent = c.oid),
      CASE WHEN c.relkind IN ('v', 'm') THEN ${plain('pg_get_viewdef(c.oid, true)')} END,
      (SELECT concat_ws(' ', s.seqtypid::regtype, s.seqstart, s.seqincrement, s.seqmax, s.seqmin, s.seqcycle) FROM pg_sequence s WHERE s.seqrelid = c.oid)) AS definition,
    'O' AS state, NULL::text AS make,
    CASE c.relkind WHEN 'v' THEN format('DROP VIEW %I', c.relname) WHEN 'm' THEN format('DROP MATERIALIZED VIEW %I', c.relname) END AS remove
  FROM relations c WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm', 'S')`,
  `SELECT 'column', a.attname::text, t.relname::text,
    concat_ws(' ', format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attgenerated, (SELECT l.collname FROM pg_collation l WHERE l.oid = a.attcollation),
      ${plain('pg_get_expr(e.adbin, e.adrelid)')}), 'O', NULL, NULL
  FROM relations t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
  LEFT JOIN pg_attrdef e ON e.adrelid = t.oid AND e.adnum = a.attnum
  WHERE t.relkind IN ('r', 'p') AND ${LATER_COLUMN}`,
  // References to a table of the schema count too, wherever they come from. NOT NULL is said of the column.
  `SELECT 'constraint', k.conname, t.relname,
    concat_ws(' ', CASE WHEN t.oid <> k.conrelid THEN k.conrelid::regclass::text END, ${plain('pg_get_constraintdef(k.oid)')}, k.convalidated),
    concat(CASE WHEN (SELECT NOT i.indisvalid FROM pg_index i WHERE i.indexrelid = k.conindid AND k.contype <> 'f') THEN 'I' END,
      coalesce((SELECT string_agg(DISTINCT g.tgenabled::text, '') FROM pg_trigger g WHERE g.tgconstraint = k.oid), 'O')),
    CASE WHEN t.oid = k.conrelid THEN format('ALTER TABLE %I ADD CONSTRAINT %I %s', t.relname, k.conname, ${plain('pg_get_constraintdef(k.oid)')}) END,
    format('ALTER TABLE %s DROP CONSTRAINT %I', k.conrelid::regclass, k.conname)
  FROM relations t JOIN pg_constraint k ON k.conrelid = t.oid OR (k.confrelid = t.oid AND k.conrelid NOT IN (SELECT oid FROM relations))
  WHERE k.contype IN ('c', 'f', 'p', 'u', 'x')`,
  `SELECT 'index', n.relname, t.relname, ${plain('pg_get_indexdef(i.indexrelid)')},
    CASE WHEN i.indisvalid AND i.indisready AND i.indislive THEN 'O' ELSE 'I' END, ${plain('pg_get_indexdef(i.indexrelid)')}, format('DROP INDEX %I', n.relname)
  FROM relations t JOIN pg_index i ON i.indrelid = t.oid JOIN pg_class n ON n.oid = i.indexrelid
  WHERE NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))`,
  `SELECT 'trigger', g.tgname, t.relname, ${plain('pg_get_triggerdef(g.oid, true)')}, g.tgenabled::text,
    ${plain('pg_get_triggerdef(g.oid, true)')}, ${onTable('DROP TRIGGER %I', 'g.tgname')}
  FROM relations t JOIN pg_trigger g ON g.tgrelid = t.oid WHERE NOT g.tgisinternal`,
  `SELECT 'rule', r.rulename, t.relname, ${plain('pg_get_ruledef(r.oid, true)')}, r.ev_enabled::text,
    ${plain('pg_get_ruledef(r.oid, true)')}, ${onTable('DROP RULE %I', 'r.rulename')}
  FROM relations t JOIN pg_rewrite r ON r.ev_class = t.oid WHERE r.rulename <> '_RETURN'`,
  `SELECT 'policy', p.polname, t.relname,
    concat_ws(' ', p.polcmd, p.polpermissive, p.polroles, ${plain('pg_get_expr(p.polqual, p.polrelid)')}, ${plain('pg_get_expr(p.polwithcheck, p.polrelid)')}),
    'O', NULL, ${onTable('DROP POLICY %I', 'p.polname')}
  FROM relations t JOIN pg_policy p ON p.polrelid = t.oid`,
  `SELECT 'function', f.proname || '(' || ${plain('oidvectortypes(f.proargtypes)')} || ')', NULL,
    CASE WHEN f.prokind IN ('f', 'p') THEN ${plain('pg_get_functiondef(f.oid)')} ELSE f.prokind::text END, 'O',
    CASE WHEN f.prokind IN ('f', 'p') THEN ${plain('pg_get_functiondef(f.oid)')} END,
    format('DROP ROUTINE %I(%s)', f.proname, pg_get_function_identity_arguments(f.oid))
  FROM pg_proc f WHERE f.pronamespace = current_schema()::regnamespace AND ${own('pg_proc', 'f.oid')}`,
  `SELECT 'type', y.typname, NULL, y.typtype::text, 'O', NULL, NULL
  FROM pg_type y LEFT JOIN pg_class c ON c.oid = y.typrelid
  WHERE y.typnamespace = current_schema()::regnamespace AND y.typcategory <> 'A' AND (y.typtype IN ('b', 'd', 'e', 'r') OR c.relkind = 'c') AND ${own('pg_type', 'y.oid')}`,
  `SELECT 'operator', o.oid::regoperator::text, NULL, o.oprcode::text, 'O', NULL, NULL
  FROM pg_operator o WHERE o.oprnamespace = current_schema()::regnamespace AND ${own('pg_operator', 'o.oid')}`,
  // These two are of the whole database. The server's own ones have lower numbers.
  `SELECT 'cast', s.castsource::regtype || ' AS ' || s.casttarget::regtype, NULL, s.castfunc::regproc::text, s.castcontext::text, NULL, NULL
  FROM pg_cast s WHERE s.oid >= 16384 AND ${own('pg_cast', 's.oid')}`,
  `SELECT 'event trigger', v.evtname, NULL, v.evtevent || ' ' || v.evtfoid::regproc, v.evtenabled::text, NULL, NULL
  FROM pg_event_trigger v WHERE ${own('pg_event_trigger', 'v.oid')}`,
]

/** Each row as a text, in any order. */
export const CATALOGUE = `WITH relations AS (
  SELECT c.* FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND ${own('pg_class', 'c.oid')}
)
${PARTS.join('\nUNION ALL\n')}`
