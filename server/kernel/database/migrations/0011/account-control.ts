/** What decides whether two approvers are two people (decisions 6): acts on accounts in the ledger, and since when somebody is in a policy. */

/** Entries are canonical JSON; see 0004-people.ts for why they are found by their letters. Whoever asks by this holds the same expression. */
const BODY = 'CAST(body AS TEXT)'
const BEGINNINGS = ['user.created', 'user.password', 'secondStep.', 'passkey.', 'service.', 'account.']

/** Acts on an account that decide who controls it; a few others with them. */
export const LEDGER_ACCOUNT_ACTS = `(${BEGINNINGS.map((name) => `instr(${BODY}, '"action":"${name}') > 0`).join(' OR ')})`

// Members of before this step count as having come in with it: nothing says that they were there earlier.
export const sql = `
CREATE INDEX ledger_account_acts ON ledger (object_type, object_id, seq) WHERE ${LEDGER_ACCOUNT_ACTS};
ALTER TABLE memberships ADD COLUMN since_at INTEGER;
ALTER TABLE policy_members ADD COLUMN since_at INTEGER;
UPDATE memberships SET since_at = unixepoch() * 1000;
UPDATE policy_members SET since_at = unixepoch() * 1000;
`
