/** Histories of the case service (decisions 4): one form for everything with versions. */
import type { z } from 'zod'
import type { HistoryModel } from '../../../shared/cases/contract.ts'
import type { PrincipalOutputModel } from '../../../shared/cases/categories.contract.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import { patchBetween } from '../../../shared/kernel/json-patch.ts'
import { authorOf } from '../../kernel/evidence/objects.ts'
import type { Version, VersionedEntity, Versions } from '../../kernel/versions/versions.ts'

export type HistoryOut = z.input<typeof HistoryModel>
export type Author = z.input<typeof PrincipalOutputModel>

export interface HistoryPage {
  readonly startingConcurrencyId?: string
  readonly count: number
}

/**
 * A page of the history of an object.
 * @param changes whether the caller may see what changed
 * @throws Fault InvalidConcurrencyId when the page starts at no version of the object
 */
export async function readHistory(
  versions: Pick<Versions, 'history'>,
  of: { readonly entity: VersionedEntity; readonly id: number; readonly name: string },
  page: HistoryPage,
  changes: boolean,
): Promise<HistoryOut> {
  const found = await versions.history(of.entity, of.id, { ...page, count: page.count + 1 })
  if (found === null)
    throw fault('InvalidConcurrencyId', `startingConcurrencyId names no version of this ${of.entity}.`)
  return historyModel(of.name, found, page.count, changes)
}

/** @param versions newest first, with one more than is shown, if there is one: each change is a difference to the previous version */
function historyModel(name: string, versions: readonly Version[], count: number, changes: boolean): HistoryOut {
  return {
    Name: name,
    Entries: versions.slice(0, count).map((version, at) => {
      const { PrincipalId, KId, Name, Username } = authorOf(version.author)
      return {
        Author: { PrincipalId, KId, Name, Username },
        ConcurrencyId: version.concurrencyId,
        ParentReferenceId: version.parentId,
        DateUtc: version.dateUtc,
        Action: version.action,
        Changes: changes ? patchBetween(versions[at + 1]?.state ?? {}, version.state) : null,
      }
    }),
  }
}
