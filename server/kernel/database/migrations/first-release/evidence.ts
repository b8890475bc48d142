/**
 * Evidence and its files: uploads, derivations and blobs. The SQL is compatible with PostgreSQL where that is easy; the triggers are SQLite's
 * own. Times are ISO text as received, plus 100 ns ticks since 1970 as an integer, which is compared (decision 1). `start_source` is the source
 * of an evidence's time; null for its own bytes.
 */
export const tables = `
CREATE TABLE blobs (
  sha256 TEXT PRIMARY KEY,
  length INTEGER NOT NULL,
  read_back TEXT NOT NULL CHECK (read_back IN ('direct', 'cache')),
  created_utc TEXT NOT NULL
) STRICT;

CREATE TABLE evidence (
  evidence_id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  name TEXT NOT NULL,
  description TEXT,
  category_id TEXT,
  source_id TEXT,
  start_utc TEXT,
  start_ticks INTEGER,
  end_utc TEXT,
  end_ticks INTEGER,
  location_text TEXT,
  location_wkt TEXT,
  device TEXT,
  device_identity TEXT,
  custom_fields TEXT NOT NULL DEFAULT '{}',
  state TEXT NOT NULL DEFAULT 'None',
  lifecycle_state TEXT NOT NULL DEFAULT 'None',
  association_state TEXT NOT NULL DEFAULT 'None',
  thumbnail_resource_id INTEGER,
  created_utc TEXT NOT NULL,
  created_ticks INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  deleted_utc TEXT,
  deleted_by TEXT,
  concurrency_id TEXT NOT NULL,
  protected_until TEXT,
  protected_ticks INTEGER,
  deleted_with_case INTEGER REFERENCES cases (case_id),
  unfinished INTEGER NOT NULL DEFAULT 0,
  start_source TEXT CHECK (start_source IN ('dock', 'person')),
  container_start_utc TEXT
) STRICT;
CREATE INDEX evidence_by_creation ON evidence (tenant_id, created_ticks, evidence_id);
CREATE INDEX evidence_by_start ON evidence (tenant_id, start_ticks, evidence_id);
CREATE INDEX evidence_protected ON evidence (protected_ticks) WHERE protected_ticks IS NOT NULL;
CREATE INDEX evidence_deleted ON evidence (evidence_id) WHERE lifecycle_state = 'Deleted';
CREATE INDEX evidence_deleted_with_case ON evidence (deleted_with_case) WHERE deleted_with_case IS NOT NULL;
CREATE INDEX evidence_unfinished ON evidence (evidence_id) WHERE unfinished = 1;
CREATE INDEX evidence_by_category ON evidence (category_id) WHERE category_id IS NOT NULL;

CREATE TABLE evidence_tags (
  evidence_id INTEGER NOT NULL REFERENCES evidence (evidence_id),
  position INTEGER NOT NULL,
  tag TEXT NOT NULL,
  tag_key TEXT NOT NULL,
  PRIMARY KEY (evidence_id, position)
) STRICT;
CREATE INDEX evidence_tags_by_key ON evidence_tags (tag_key, evidence_id);

CREATE TABLE evidence_policies (
  evidence_id INTEGER NOT NULL REFERENCES evidence (evidence_id),
  principal_id INTEGER NOT NULL REFERENCES principals (principal_id),
  level TEXT NOT NULL,
  expires_utc TEXT,
  expires_ticks INTEGER,
  PRIMARY KEY (evidence_id, principal_id)
) STRICT;
CREATE INDEX evidence_policies_by_principal ON evidence_policies (principal_id, evidence_id, expires_ticks);

CREATE TABLE resources (
  resource_id INTEGER PRIMARY KEY AUTOINCREMENT,
  evidence_id INTEGER NOT NULL REFERENCES evidence (evidence_id),
  name TEXT NOT NULL,
  mime_type TEXT NOT NULL,
  sniffed_type TEXT,
  role TEXT NOT NULL CHECK (role IN ('original', 'playable', 'metadata', 'poster', 'preview')),
  start_utc TEXT,
  start_ticks INTEGER,
  end_utc TEXT,
  end_ticks INTEGER,
  time_offset TEXT,
  state TEXT NOT NULL DEFAULT 'None',
  parent_id INTEGER REFERENCES resources (resource_id),
  expected_sha256 TEXT,
  expected_length INTEGER,
  sha256 TEXT REFERENCES blobs (sha256),
  length INTEGER,
  derivation TEXT,
  media TEXT,
  thumbnail_sha256 TEXT REFERENCES blobs (sha256),
  thumbnail_derivation TEXT,
  uploaded_utc TEXT,
  uploaded_by TEXT NOT NULL,
  certificate_thumbprint TEXT,
  created_utc TEXT NOT NULL,
  concurrency_id TEXT NOT NULL,
  camera_sha256 TEXT
) STRICT;
CREATE INDEX resources_by_evidence ON resources (evidence_id, resource_id);
CREATE INDEX resources_by_blob ON resources (sha256);
CREATE INDEX resources_by_thumbnail ON resources (thumbnail_sha256);
CREATE INDEX resources_open ON resources (state) WHERE state = 'None';
CREATE INDEX resources_originals ON resources (evidence_id, resource_id, state, sniffed_type, length, name) WHERE role = 'original';

CREATE TABLE resource_views (
  resource_id INTEGER NOT NULL REFERENCES resources (resource_id),
  kind TEXT NOT NULL,
  sha256 TEXT NOT NULL REFERENCES blobs (sha256),
  mime_type TEXT NOT NULL,
  layout TEXT NOT NULL,
  derivation TEXT NOT NULL,
  created_utc TEXT NOT NULL,
  PRIMARY KEY (resource_id, kind)
) STRICT;
CREATE INDEX resource_views_by_blob ON resource_views (sha256);

CREATE TABLE ingested_files (
  source_key TEXT PRIMARY KEY,
  resource_id INTEGER NOT NULL REFERENCES resources (resource_id),
  path TEXT NOT NULL,
  length INTEGER NOT NULL,
  modified_ns TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  ingested_utc TEXT NOT NULL
) STRICT;

CREATE TABLE uploads (
  resource_id INTEGER PRIMARY KEY REFERENCES resources (resource_id),
  committed_length INTEGER,
  committed_md5 TEXT,
  committed_etag TEXT,
  committed_at INTEGER,
  properties TEXT NOT NULL DEFAULT '{}',
  metadata TEXT NOT NULL DEFAULT '[]',
  uncommitted INTEGER NOT NULL DEFAULT 0,
  block_id_bytes INTEGER,
  last_block_utc TEXT,
  last_block_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE upload_blocks (
  resource_id INTEGER NOT NULL REFERENCES uploads (resource_id),
  committed INTEGER NOT NULL,
  position INTEGER NOT NULL,
  block_id TEXT NOT NULL,
  file TEXT NOT NULL,
  file_offset INTEGER NOT NULL,
  stride INTEGER,
  length INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  crc32 INTEGER NOT NULL,
  PRIMARY KEY (resource_id, committed, position, block_id)
) STRICT;
CREATE INDEX upload_blocks_by_id ON upload_blocks (resource_id, block_id, committed);
CREATE INDEX upload_blocks_by_place ON upload_blocks (resource_id, file, file_offset);

CREATE TABLE quarantine (
  quarantine_id INTEGER PRIMARY KEY AUTOINCREMENT,
  path TEXT NOT NULL,
  reason TEXT NOT NULL,
  sha256 TEXT,
  length INTEGER,
  resource_id INTEGER,
  created_utc TEXT NOT NULL
) STRICT;
`
