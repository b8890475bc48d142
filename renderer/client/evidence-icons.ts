/** The shape of each kind of evidence, the same in every list. */
import type { z } from 'zod'
import type { EvidenceSummary } from '../../shared/evidence/list.contract.ts'
import type { IconName } from '../ui/icon/icon.tsx'

export type EvidenceType = z.output<typeof EvidenceSummary>['Type']

const ICONS: Readonly<Record<EvidenceType, IconName>> = {
  video: 'video',
  audio: 'audio',
  image: 'picture',
  document: 'document',
  text: 'document',
  other: 'file',
  none: 'file',
}

/** @param type null: it is not known, as in a version of the past */
export const iconOfEvidence = (type: EvidenceType | null): IconName => ICONS[type ?? 'none']

/** Pictures and sound stand on the stage; papers and files on paper. */
export const isPaper = (type: EvidenceType | null): boolean => type !== 'video' && type !== 'audio'
