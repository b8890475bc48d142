import { describe, expect, it } from 'vitest'
import { CaseListItem } from './case-list.contract.ts'
import { CaseModel, CreateCaseModel, PatchCaseModel, UpdateCaseModel } from './contract.ts'
import { CASE_FIELD_NAMES, fieldOf } from './fields.ts'

describe('the fields of a case', () => {
  it.each([
    ['CreateCaseModel', CreateCaseModel],
    ['UpdateCaseModel', UpdateCaseModel],
    ['PatchCaseModel', PatchCaseModel],
    ['CaseModel', CaseModel],
  ])('are all members of %s', (_name, model) =>
    expect(Object.keys(model.shape)).toEqual(expect.arrayContaining([...CASE_FIELD_NAMES])),
  )

  it('are members of the list where they are listed, and only there', () => {
    const members = Object.keys(CaseListItem.shape)
    expect(CASE_FIELD_NAMES.filter((name) => members.includes(name))).toEqual(
      CASE_FIELD_NAMES.filter((name) => fieldOf(name).listed),
    )
  })
})
