import { describe, expect, it } from 'vitest'
import { PatchEvidenceModel } from './change.contract.ts'
import { CreateEvidenceModel, EvidenceRecord } from './contract.ts'
import { EVIDENCE_FIELD_NAMES } from './fields.ts'

describe('the fields of an evidence', () => {
  it.each([
    ['CreateEvidenceModel', CreateEvidenceModel],
    ['EvidenceRecord', EvidenceRecord],
  ])('are all members of %s', (_name, model) =>
    expect(Object.keys(model.shape)).toEqual(expect.arrayContaining([...EVIDENCE_FIELD_NAMES])),
  )

  it('may all change but the source', () => {
    const members = Object.keys(PatchEvidenceModel.shape)
    expect(EVIDENCE_FIELD_NAMES.filter((name) => !members.includes(name))).toEqual(['SourceId'])
  })
})
