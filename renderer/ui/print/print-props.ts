import type { LabelSize } from '../../../shared/reports/labels.ts'

export interface PrintOptions {
  readonly language: 'en' | 'fr'
  readonly paper: 'a4' | 'letter'
  readonly size: LabelSize
  readonly skip: number
}

export interface LabelItem {
  readonly id: string
  readonly name: string
  /** ISO 8601; null where it is not known here. */
  readonly at: string | null
}

export type PrintDocument = 'sheet' | 'acts' | 'all' | 'summary' | 'labels'

export interface PrintChoice {
  readonly id: PrintDocument
  readonly address: (options: PrintOptions) => string
  /** Of labels: what stands on them. */
  readonly items?: readonly LabelItem[]
  /** Of labels of one case. */
  readonly ordinal?: string
}

export interface PrintDialogProps {
  /** What is printed. */
  readonly name: string
  readonly choices: readonly PrintChoice[]
  readonly onClose: () => void
}
