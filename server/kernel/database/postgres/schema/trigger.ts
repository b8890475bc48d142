/** A trigger of PostgreSQL with its function. */

/**
 * @param event such as `INSERT`, or `UPDATE OF a, b`
 * @param statements of PL/pgSQL, each with its semicolon; NEW and OLD are the rows
 */
export const after = (name: string, event: string, table: string, statements: string, when = ''): string =>
  written({ name, at: `AFTER ${event}`, table, when, statements, answer: 'NULL' })

/** When one of these columns has another value than before, and not merely when a statement names it. */
export const afterChange = (name: string, columns: readonly string[], table: string, statements: string): string =>
  after(name, `UPDATE OF ${columns.join(', ')}`, table, statements, differs(columns))

export const differs = (columns: readonly string[]): string =>
  columns.map((column) => `NEW.${column} IS DISTINCT FROM OLD.${column}`).join(' OR ')

/** Refuses a change. @param when a condition; empty: always */
export const refuse = (name: string, event: string, table: string, when: string, why: string): string =>
  written({
    name,
    at: `BEFORE ${event}`,
    table,
    when,
    statements: `RAISE EXCEPTION '${why}';`,
    answer: event === 'DELETE' ? 'OLD' : 'NEW',
  })

interface Written {
  readonly name: string
  readonly at: string
  readonly table: string
  readonly when: string
  readonly statements: string
  readonly answer: string
}

/** A condition belongs to the trigger, so that its function is not called for nothing. There it may ask no other table. */
const asks = (when: string): boolean => /\bSELECT\b/.test(when)

function written({ name, at, table, when, statements, answer }: Written): string {
  const body = asks(when) ? `IF ${when} THEN ${statements} END IF;` : statements
  const condition = when === '' || asks(when) ? '' : ` WHEN (${when})`
  return `
CREATE FUNCTION on_${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} RETURN ${answer}; END $$;
CREATE TRIGGER ${name} ${at} ON ${table} FOR EACH ROW${condition} EXECUTE FUNCTION on_${name}();`
}

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
