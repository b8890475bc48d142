/** The words of a receipt on paper, and amounts and times as the page writes them. Pure. */
import { dockReceipt as en } from '../../../../shared/docking/receipt.messages.en.ts'
import { dockReceipt as fr } from '../../../../shared/docking/receipt.messages.fr.ts'
import { dockReasons as englishReasons } from '../../../../shared/docking/reasons.messages.en.ts'
import { dockReasons as frenchReasons } from '../../../../shared/docking/reasons.messages.fr.ts'
import { readDockReason } from '../../../../shared/messages/dock-reasons.ts'
import { retold } from '../../../../shared/messages/sentences.ts'
import type { ReceiptWord, ReceiptWords } from '../../../../shared/docking/receipt-text.ts'
import { type Language, paperWords } from '../../../platform/pdf/paper-words.ts'

/** @param zone IANA name: every time is written in it, with its letters */
export const receiptWords = (language: Language, zone: string): ReceiptWords => {
  const words = paperWords<ReceiptWord>(language === 'fr' ? fr : en, language, zone)
  const reasons = language === 'fr' ? frenchReasons : englishReasons
  return { ...words, tell: (text) => retold(text, { read: readDockReason, words: reasons, time: words.time }) }
}
