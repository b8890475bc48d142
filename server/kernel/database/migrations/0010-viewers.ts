/**
 * What somebody can view is asked by every list and every search. Whether a policy still lasts is read from the same index that names
 * whom it is for, and cases in the recycle bin, which give nobody anything, are found without reading all cases.
 */
export const version = 10
export const name = 'viewers'
export const sql = `
DROP INDEX case_policies_by_principal;
CREATE INDEX case_policies_by_principal ON case_policies (principal_id, case_id, expires_ticks);
DROP INDEX evidence_policies_by_principal;
CREATE INDEX evidence_policies_by_principal ON evidence_policies (principal_id, evidence_id, expires_ticks);
CREATE INDEX cases_deleted ON cases (case_id) WHERE lifecycle_state = 'Deleted';
`
