/** What nodes ask to know whether another one changed something: the table `changes` of one row, which only PostgreSQL has. */
import { RIGHTS_TABLES } from '../../rights-version.ts'

/** Columns of tables of rights that are none: when an account signed in, and when an authorisation was used. */
const NO_RIGHTS = ['last_sign_in_at', 'used_at'] as const

const without = (row: 'NEW' | 'OLD'): string =>
  `(to_jsonb(${row}) ${NO_RIGHTS.map((column) => `- '${column}'`).join(' ')})`

/** In the transaction of the change, whatever made it: statements, triggers and cascades. */
const triggers = (table: string): string => `
CREATE TRIGGER rights_of_${table}_1 AFTER INSERT OR DELETE OR TRUNCATE ON ${table}
  FOR EACH STATEMENT EXECUTE FUNCTION change_rights();
CREATE TRIGGER rights_of_${table}_2 AFTER UPDATE ON ${table}
  FOR EACH ROW WHEN (${without('OLD')} IS DISTINCT FROM ${without('NEW')}) EXECUTE FUNCTION change_rights();`

/**
 * `n` counts commits that changed rows. `rights` is the version of all rights (../../rights-version.ts). It is random and no count: after a
 * failover to a replica that lacked the last commits, a count would come to the same number again for other rights.
 */
export const CHANGES = `
CREATE TABLE changes (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row), n bigint NOT NULL DEFAULT 0, rights uuid NOT NULL DEFAULT gen_random_uuid()
);
INSERT INTO changes DEFAULT VALUES;
CREATE FUNCTION change_rights() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE changes SET rights = gen_random_uuid();
  RETURN NULL; END $$;
${RIGHTS_TABLES.map(triggers).join('')}`
