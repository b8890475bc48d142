/**
 * Cases and their policies; categories, departments, prefilled fields and custom-field templates; links of evidence to cases.
 */
export const tables = `
CREATE TABLE categories (
  category_id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  description TEXT,
  color TEXT,
  retention_days INTEGER,
  enabled INTEGER NOT NULL,
  concurrency_id TEXT NOT NULL,
  created_utc TEXT NOT NULL,
  modified_utc TEXT NOT NULL,
  modified_by TEXT NOT NULL,
  UNIQUE (tenant_id, name_key)
) STRICT;

CREATE TABLE departments (
  department_id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  description TEXT,
  enabled INTEGER NOT NULL,
  is_default INTEGER NOT NULL,
  concurrency_id TEXT NOT NULL,
  created_utc TEXT NOT NULL,
  modified_utc TEXT NOT NULL,
  modified_by TEXT NOT NULL,
  UNIQUE (tenant_id, name_key)
) STRICT;
CREATE UNIQUE INDEX departments_default ON departments (tenant_id) WHERE is_default = 1;

CREATE TABLE department_policies (
  department_id INTEGER NOT NULL REFERENCES departments (department_id),
  principal_id INTEGER NOT NULL REFERENCES principals (principal_id),
  level TEXT NOT NULL CHECK (level IN ('View', 'Download', 'Edit', 'Manage')),
  PRIMARY KEY (department_id, principal_id)
) STRICT;

CREATE TABLE prefilled_fields (
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  prefilled_field_id TEXT NOT NULL,
  target TEXT NOT NULL,
  label TEXT,
  choices TEXT NOT NULL,
  etag TEXT NOT NULL,
  modified_utc TEXT NOT NULL,
  PRIMARY KEY (tenant_id, prefilled_field_id)
) STRICT;

CREATE TABLE templates (
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  type TEXT NOT NULL CHECK (type IN ('Case', 'Evidence')),
  renamed_fields TEXT NOT NULL,
  custom_fields TEXT NOT NULL,
  modified_utc TEXT NOT NULL,
  modified_by TEXT NOT NULL,
  PRIMARY KEY (tenant_id, type)
) STRICT;

CREATE TABLE cases (
  case_id INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id TEXT NOT NULL REFERENCES tenants (tenant_id),
  ordinal_year INTEGER NOT NULL,
  ordinal_number INTEGER NOT NULL,
  title TEXT NOT NULL,
  description TEXT,
  category_id INTEGER REFERENCES categories (category_id),
  department_id INTEGER REFERENCES departments (department_id),
  state TEXT NOT NULL CHECK (state IN ('Open', 'Closed')),
  lifecycle_state TEXT NOT NULL CHECK (lifecycle_state IN ('Normal', 'Protected', 'Deleted')),
  occurred_on TEXT,
  occurred_ticks INTEGER,
  ended_on TEXT,
  ended_ticks INTEGER,
  external_reference_1 TEXT,
  external_reference_2 TEXT,
  location_wkt TEXT,
  location_text TEXT,
  location TEXT,
  tags TEXT NOT NULL,
  custom_fields TEXT NOT NULL,
  source_type TEXT NOT NULL CHECK (source_type IN ('Manual', 'Cad')),
  closed_on TEXT,
  scheduled_deletion_utc TEXT,
  protected_until TEXT,
  protected_ticks INTEGER,
  deleted_utc TEXT,
  concurrency_id TEXT NOT NULL,
  created_utc TEXT NOT NULL,
  created_ticks INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  modified_utc TEXT NOT NULL,
  modified_by TEXT NOT NULL,
  UNIQUE (tenant_id, ordinal_year, ordinal_number)
) STRICT;
CREATE INDEX cases_by_creation ON cases (tenant_id, created_ticks, case_id);
CREATE INDEX cases_protected ON cases (protected_ticks) WHERE protected_ticks IS NOT NULL;
CREATE INDEX cases_by_category ON cases (category_id) WHERE category_id IS NOT NULL;
CREATE INDEX cases_by_occurrence ON cases (tenant_id, occurred_ticks) WHERE occurred_ticks IS NOT NULL;
CREATE INDEX cases_deleted ON cases (case_id) WHERE lifecycle_state = 'Deleted';

CREATE TABLE case_policies (
  case_id INTEGER NOT NULL REFERENCES cases (case_id),
  principal_id INTEGER NOT NULL REFERENCES principals (principal_id),
  level TEXT NOT NULL CHECK (level IN ('View', 'Download', 'Edit', 'Manage')),
  expires_utc TEXT,
  expires_ticks INTEGER,
  from_department INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (case_id, principal_id)
) STRICT;
CREATE INDEX case_policies_by_principal ON case_policies (principal_id, case_id, expires_ticks);

CREATE TABLE case_personnel (
  case_id INTEGER NOT NULL REFERENCES cases (case_id),
  position INTEGER NOT NULL,
  principal_id INTEGER NOT NULL REFERENCES principals (principal_id),
  role TEXT NOT NULL,
  PRIMARY KEY (case_id, position)
) STRICT;
CREATE INDEX case_personnel_by_principal ON case_personnel (principal_id, case_id);

CREATE TABLE case_followers (
  case_id INTEGER NOT NULL REFERENCES cases (case_id),
  principal_id INTEGER NOT NULL REFERENCES principals (principal_id),
  PRIMARY KEY (case_id, principal_id)
) STRICT;

CREATE TABLE case_links (
  case_id INTEGER NOT NULL REFERENCES cases (case_id),
  evidence_id INTEGER NOT NULL REFERENCES evidence (evidence_id),
  kind TEXT NOT NULL CHECK (kind IN ('Manual', 'Automatic')),
  confirmed INTEGER NOT NULL,
  rule TEXT,
  linked_on TEXT NOT NULL,
  linked_by TEXT NOT NULL,
  PRIMARY KEY (case_id, evidence_id, kind)
) STRICT;
CREATE INDEX case_links_by_evidence ON case_links (evidence_id, kind, case_id);

CREATE TABLE case_link_changes (
  case_id INTEGER NOT NULL REFERENCES cases (case_id),
  number INTEGER NOT NULL,
  evidence_id INTEGER NOT NULL REFERENCES evidence (evidence_id),
  change INTEGER NOT NULL,
  PRIMARY KEY (case_id, number, evidence_id)
) STRICT;
`

/**
 * Records evidence that came into a case (1) or left it (-1), under the number that the next version of the case will have (decisions 19).
 * Evidence that is linked both by a person and by the station leaves with the second link. A change and its reverse before that version
 * leave no row.
 */
const linkChange = (name: string, event: 'INSERT' | 'DELETE', row: 'NEW' | 'OLD', change: 1 | -1): string => {
  const pair = `case_id = ${row}.case_id AND evidence_id = ${row}.evidence_id`
  const number = `(SELECT coalesce(max(number), 0) + 1 FROM versions WHERE entity = 'case' AND entity_id = ${row}.case_id)`
  return `CREATE TRIGGER ${name} AFTER ${event} ON case_links
WHEN NOT EXISTS (SELECT 1 FROM case_links WHERE ${pair} AND kind <> ${row}.kind) BEGIN
  INSERT INTO case_link_changes (case_id, number, evidence_id, change) VALUES (${row}.case_id, ${number}, ${row}.evidence_id, ${change})
  ON CONFLICT (case_id, number, evidence_id) DO UPDATE SET change = change + excluded.change;
  DELETE FROM case_link_changes WHERE ${pair} AND number = ${number} AND change = 0;
END;
`
}

export const triggers =
  linkChange('case_link_came', 'INSERT', 'NEW', 1) + linkChange('case_link_went', 'DELETE', 'OLD', -1)
