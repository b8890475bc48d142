import { describe, expect, it } from 'vitest'
import { CaseListItem } from './case-list.contract.ts'
import { CaseModel, CreateCaseModel, PatchCaseModel, UpdateCaseModel } from './contract.ts'
import { FIELD_TARGETS } from '../dispatch/cad-mapping.ts'
import { CASE_FIELD_NAMES, DISPATCHED_NAMES, fieldOf } from './fields.ts'

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

  // What dispatch wrote is remembered under them, in databases that exist.
  it('keep the slots of dispatch that are stored', () =>
    expect(Object.fromEntries(DISPATCHED_NAMES.map((name) => [name, fieldOf(name).dispatch?.slot]))).toMatchObject({
      Title: 'title',
      Description: 'description',
      CategoryId: 'category',
      OccurredOn: 'occurred',
      EndedOn: 'ended',
      ExternalReferenceId1: 'reference1',
      ExternalReferenceId2: 'reference2',
    }))

  it('have a slot each, apart from those of the place, tags, custom fields and officers', () => {
    const slots = DISPATCHED_NAMES.map((name) => fieldOf(name).dispatch?.slot)
    expect(new Set(slots).size).toBe(slots.length)
    expect(slots.filter((slot) => slot === 'place' || /^(?:tag|field|officer) /.test(slot ?? ''))).toEqual([])
  })

  it('take texts of a message where the mapping may name them', () =>
    expect(FIELD_TARGETS).toEqual(
      expect.arrayContaining(['Title', 'Description', 'ExternalReferenceId1', 'Category', 'Tag', 'CustomField']),
    ))
})
