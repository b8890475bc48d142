/** Sizes of labels, in millimetres. Pure. */

export const LABEL_SIZES = ['a4-24', 'a4-40', 'roll-62'] as const
export type LabelSize = (typeof LABEL_SIZES)[number]

export interface LabelSheet {
  /** Of the paper. */
  readonly width: number
  readonly height: number
  readonly columns: number
  readonly rows: number
  readonly label: { readonly width: number; readonly height: number }
  /** From the edges of the paper to the first label. */
  readonly left: number
  readonly top: number
  readonly code: number
}

/** Sheets without gaps between labels, as they are sold; 62 mm is the widest roll of common label printers. */
export const LABEL_SHEETS: Readonly<Record<LabelSize, LabelSheet>> = {
  'a4-24': {
    width: 210,
    height: 297,
    columns: 3,
    rows: 8,
    label: { width: 70, height: 37 },
    left: 0,
    top: 0.5,
    code: 27,
  },
  'a4-40': {
    width: 210,
    height: 297,
    columns: 4,
    rows: 10,
    label: { width: 52.5, height: 29.7 },
    left: 0,
    top: 0,
    code: 20,
  },
  'roll-62': {
    width: 62,
    height: 29,
    columns: 1,
    rows: 1,
    label: { width: 62, height: 29 },
    left: 0,
    top: 0,
    code: 23,
  },
}

export const MOST_LABELS = 500

/** What stands in the code: the page of the evidence. */
export const evidenceAddress = (origin: string, evidenceId: string): string => `${origin}/evidence/${evidenceId}`
