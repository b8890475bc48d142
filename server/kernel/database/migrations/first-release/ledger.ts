/**
 * The ledger and its checkpoints, the versions of records, jobs, answers that are kept for a repeated request, and the values of the station.
 * `padding` reserves room that is released on a full disk. The index `jobs_in_order` has open jobs only, so that finding the next one reads one row,
 * however many jobs wait.
 */
/*
 * Entries are canonical JSON (RFC 8785): their members have one order and no spaces, and quotes inside texts are escaped. They can so be indexed
 * by substrings, which costs an append a few microseconds and never fails, even for a damaged entry. Queries must use exactly the same expression
 * text, or SQLite does not use the index, and must then check the entry itself.
 */
const BODY = 'CAST(body AS TEXT)'
const ID = '"actor":{"id":"'

/** The PrincipalId of the actor; ids of other actors are not numbers, or 0. */
export const LEDGER_ACTOR = `CAST(substr(${BODY}, instr(${BODY}, '${ID}') + ${ID.length}, 20) AS INTEGER)`
/** Refusals, and locks of accounts. */
export const LEDGER_REFUSED = `(instr(${BODY}, '"outcome":"denied"') > 0 OR instr(${BODY}, '"action":"user.locked"') > 0)`

const ACCOUNT_ACTS = ['user.created', 'user.password', 'secondStep.', 'passkey.', 'service.', 'account.']
/** Acts that affect the control of an account, and a few others. */
export const LEDGER_ACCOUNT_ACTS = `(${ACCOUNT_ACTS.map((name) => `instr(${BODY}, '"action":"${name}') > 0`).join(' OR ')})`

export const tables = `
CREATE TABLE ledger (
  seq INTEGER PRIMARY KEY,
  body BLOB NOT NULL,
  hash BLOB NOT NULL,
  leaf BLOB NOT NULL,
  object_type TEXT NOT NULL,
  object_id TEXT NOT NULL
) STRICT;
CREATE INDEX ledger_object ON ledger (object_type, object_id, seq);
CREATE INDEX ledger_by_actor ON ledger (${LEDGER_ACTOR}, seq);
CREATE INDEX ledger_refused ON ledger (seq) WHERE ${LEDGER_REFUSED};
CREATE INDEX ledger_account_acts ON ledger (object_type, object_id, seq) WHERE ${LEDGER_ACCOUNT_ACTS};

CREATE TABLE checkpoints (
  size INTEGER PRIMARY KEY,
  root BLOB NOT NULL,
  head BLOB NOT NULL,
  frontier BLOB NOT NULL,
  note TEXT NOT NULL,
  reason TEXT NOT NULL,
  created_utc TEXT NOT NULL
) STRICT;

CREATE TABLE versions (
  entity TEXT NOT NULL,
  entity_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  concurrency_id TEXT NOT NULL,
  parent_id TEXT NOT NULL,
  state TEXT NOT NULL,
  action TEXT NOT NULL,
  author TEXT NOT NULL,
  date_utc TEXT NOT NULL,
  PRIMARY KEY (entity, entity_id, number),
  UNIQUE (entity, entity_id, concurrency_id)
) STRICT;

CREATE TABLE idempotency (
  principal TEXT NOT NULL,
  operation TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  status INTEGER NOT NULL,
  answer TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (principal, operation, idempotency_key)
) STRICT;

CREATE TABLE jobs (
  job_id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  payload TEXT NOT NULL,
  subject TEXT NOT NULL DEFAULT '',
  dedup_key TEXT,
  state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'waiting', 'done', 'failed', 'cancelled')),
  attempts INTEGER NOT NULL DEFAULT 0,
  progress REAL,
  message TEXT NOT NULL DEFAULT '',
  cancel_requested INTEGER NOT NULL DEFAULT 0,
  run_after INTEGER NOT NULL DEFAULT 0,
  created_utc TEXT NOT NULL,
  started_utc TEXT,
  finished_utc TEXT,
  run_order INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX jobs_ready ON jobs (state, run_after, job_id);
CREATE INDEX jobs_by_subject ON jobs (subject, job_id);
CREATE UNIQUE INDEX jobs_once ON jobs (dedup_key) WHERE dedup_key IS NOT NULL AND state IN ('queued', 'running', 'waiting');
CREATE INDEX jobs_in_order ON jobs (run_order, job_id) WHERE state IN ('queued', 'waiting');

CREATE TABLE padding (
  bytes BLOB NOT NULL
) STRICT;

CREATE TABLE station (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;
`

export const triggers = `
CREATE TRIGGER ledger_no_update BEFORE UPDATE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_no_delete BEFORE DELETE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER checkpoints_no_update BEFORE UPDATE ON checkpoints BEGIN SELECT RAISE(ABORT, 'checkpoints are append-only'); END;
CREATE TRIGGER checkpoints_no_delete BEFORE DELETE ON checkpoints BEGIN SELECT RAISE(ABORT, 'checkpoints are append-only'); END;
`
