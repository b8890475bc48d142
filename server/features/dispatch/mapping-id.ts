import { createHash } from 'node:crypto'
import type { CadMapping } from '../../../shared/dispatch/cad-mapping.ts'
import { canonicalJson } from '../../kernel/ledger/canonical.ts'

/** As the concurrency ids of versions are made (decisions 4): of the parent's and of what stands there now. */
export const mappingId = (parent: string, mapping: CadMapping): string =>
  createHash('sha256').update(parent).update(canonicalJson(mapping)).digest('hex').slice(0, 40)
