/**
 * What lasts no longer than a day lies, by its beginning, within a day of any time that it overlaps; the few that last longer have an
 * index of their own (the others of `evidence_list` are in `evidence_list_by_recording`). So a question about a month reads that month, and not everything that began before it ended.
 */
const DAY_TICKS = '864000000000'

export const sql = `
CREATE INDEX evidence_list_long ON evidence_list (tenant_id, recorded_ticks, ended_ticks) WHERE ended_ticks - recorded_ticks > ${DAY_TICKS};
CREATE INDEX search_list_short ON search_list (tenant_id, from_ticks, to_ticks) WHERE to_ticks - from_ticks <= ${DAY_TICKS};
CREATE INDEX search_list_long ON search_list (tenant_id, from_ticks, to_ticks) WHERE to_ticks - from_ticks > ${DAY_TICKS};
`
