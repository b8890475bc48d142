/**
 * People are looked for, renamed, disabled and looked into: what they are found by, when they last signed in, groups that were deleted,
 * API keys that were replaced, and the ledger by who acted and by what was refused. One index is here a second time: databases of
 * schema 3 were made before it came into that step.
 */
export const version = 4
export const name = 'people'

/*
 * Entries are canonical JSON (RFC 8785): members stand in one order and without spaces, and a quote inside a text is escaped. So they
 * are found by their letters, which costs an append a few microseconds and never fails, also on an entry that somebody damaged. Whoever
 * asks by these holds the very same expression, and reads the entry to be sure.
 */
const BODY = 'CAST(body AS TEXT)'
const ID = '"actor":{"id":"'

/** The PrincipalId of who acted; other actors' ids are no numbers, or 0. */
export const LEDGER_ACTOR = `CAST(substr(${BODY}, instr(${BODY}, '${ID}') + ${ID.length}, 20) AS INTEGER)`
/** What was refused, and accounts that were locked. */
export const LEDGER_REFUSED = `(instr(${BODY}, '"outcome":"denied"') > 0 OR instr(${BODY}, '"action":"user.locked"') > 0)`

export const sql = `
ALTER TABLE principals ADD COLUMN search_key TEXT NOT NULL DEFAULT '';
UPDATE principals SET search_key = name_key || ' ' || lower(first_name || ' ' || last_name || ' ' || badge);
ALTER TABLE principals ADD COLUMN last_sign_in_at INTEGER;
UPDATE principals SET last_sign_in_at = (SELECT max(created_at) FROM sessions WHERE sessions.principal_id = principals.principal_id);
ALTER TABLE principals ADD COLUMN deleted_utc TEXT;
CREATE TRIGGER sessions_sign_in AFTER INSERT ON sessions BEGIN UPDATE principals SET last_sign_in_at = NEW.created_at WHERE principal_id = NEW.principal_id; END;

ALTER TABLE api_keys ADD COLUMN expires_utc TEXT;

CREATE INDEX memberships_by_member ON memberships (member_id, group_id);
CREATE INDEX evidence_policies_by_principal ON evidence_policies (principal_id, evidence_id);

CREATE INDEX ledger_by_actor ON ledger (${LEDGER_ACTOR}, seq);
CREATE INDEX ledger_refused ON ledger (seq) WHERE ${LEDGER_REFUSED};
`
