/** A trigger of PostgreSQL with its function. */

/**
 * @param event such as `INSERT`, or `UPDATE OF a, b`
 * @param statements of PL/pgSQL, each with its semicolon; NEW and OLD are the rows
 */
export const after = (name: string, event: string, table: string, statements: string, when = ''): string =>
  written(name, `AFTER ${event}`, table, inside(statements, when), 'NULL')

/** Refuses a change. @param when a condition; empty: always */
export const refuse = (name: string, event: string, table: string, when: string, why: string): string =>
  written(name, `BEFORE ${event}`, table, inside(`RAISE EXCEPTION '${why}';`, when), event === 'DELETE' ? 'OLD' : 'NEW')

const inside = (statements: string, when: string): string =>
  when === '' ? statements : `IF ${when} THEN ${statements} END IF;`

const written = (name: string, at: string, table: string, statements: string, answer: string): string => `
CREATE FUNCTION on_${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${statements} RETURN ${answer}; END $$;
CREATE TRIGGER ${name} ${at} ON ${table} FOR EACH ROW EXECUTE FUNCTION on_${name}();`

/** The same statements for each way in which rows come, change and go. @param change such as `UPDATE OF tag` */
export const forEach = (
  name: string,
  change: string,
  table: string,
  statements: (row: 'NEW' | 'OLD') => string,
): string =>
  ['INSERT', change, 'DELETE']
    .map((event, at) => after(`${name}_${at + 1}`, event, table, statements(event === 'DELETE' ? 'OLD' : 'NEW')))
    .join('')
