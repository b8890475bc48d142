/** Evidence that is dragged over the window, from whichever list, and the case that files or evidence would go into. */
import { useSyncExternalStore } from 'react'

export interface DraggedEvidence {
  readonly count: number
  /** Ids of all of it, also of what is selected and not here. */
  readonly gather: () => Promise<readonly string[]>
}

export interface CaseTarget {
  readonly caseId: string
  readonly title: string
}

/** Says to drop targets of this window that evidence is dragged; what it is stands here, for no other program. */
export const EVIDENCE_TYPE = 'application/x-sallyport-evidence'

const listeners = new Set<() => void>()
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
const tell = (): void => {
  for (const listener of listeners) listener()
}

let dragged: DraggedEvidence | null = null
let overRow: CaseTarget | null = null
let ofPage: CaseTarget | null = null

export function startEvidenceDrag(transfer: DataTransfer, evidence: DraggedEvidence): void {
  transfer.setData(EVIDENCE_TYPE, String(evidence.count))
  transfer.effectAllowed = 'link'
  // A page that changes while the drag begins would end it.
  setTimeout(() => {
    dragged = evidence
    tell()
  })
  const end = (): void => {
    window.removeEventListener('dragend', end)
    window.removeEventListener('drop', end)
    setTimeout(() => {
      dragged = null
      tell()
    })
  }
  window.addEventListener('dragend', end)
  window.addEventListener('drop', end)
}

export const draggedEvidence = (): DraggedEvidence | null => dragged
export const useDraggedEvidence = (): DraggedEvidence | null => useSyncExternalStore(subscribe, draggedEvidence)

/** The case that files would go into: the row they are over, else the case whose page is open. */
export const caseForFiles = (): CaseTarget | null => overRow ?? ofPage
export const useCaseForFiles = (): CaseTarget | null => useSyncExternalStore(subscribe, caseForFiles)

export function setCaseUnderFiles(target: CaseTarget | null): void {
  if (overRow?.caseId === target?.caseId) return
  overRow = target
  tell()
}

/** @returns ends it */
export function offerCaseOfPage(target: CaseTarget): () => void {
  ofPage = target
  tell()
  return () => {
    if (ofPage === target) ofPage = null
    tell()
  }
}
