/**
 * CAD push as administrators see it: API keys have names and say when they were used last, so that one can be taken away without the
 * others; a message remembers what it changed in its case; and of the mapping every state is kept, so that one can go back to it.
 *
 * `receipt` is JSON { changes: [{ field, before, after }], left: [field] }; null where a message changed nothing, or came before this step.
 */
export const sql = `
ALTER TABLE api_keys ADD COLUMN name TEXT NOT NULL DEFAULT '';
ALTER TABLE api_keys ADD COLUMN last_used_utc TEXT;

ALTER TABLE cad_messages ADD COLUMN receipt TEXT;
CREATE INDEX cad_messages_of_case ON cad_messages (case_id, message_id) WHERE case_id IS NOT NULL;
CREATE INDEX cad_deliveries_by_time ON cad_deliveries (tenant_id, received_utc);
CREATE INDEX cad_deliveries_by_sender ON cad_deliveries (principal_id, delivery_id);

CREATE TABLE cad_mapping_versions (
  version_id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  mapping TEXT NOT NULL,
  concurrency_id TEXT NOT NULL,
  modified_utc TEXT NOT NULL,
  modified_by TEXT NOT NULL
) STRICT;
CREATE INDEX cad_mapping_versions_of ON cad_mapping_versions (tenant_id, version_id);
INSERT INTO cad_mapping_versions (tenant_id, mapping, concurrency_id, modified_utc, modified_by)
  SELECT tenant_id, mapping, concurrency_id, modified_utc, modified_by FROM cad_mappings;
`
