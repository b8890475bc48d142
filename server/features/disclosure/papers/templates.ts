/**
 * The built-in templates of the receipt and of the disclosure officer's report (platform/pdf/papers/template.ts). An agency replaces one by a file of its
 * name in `papers/` of the data folder; its terms of acknowledgement stand there.
 */
import type { Language } from '../../../platform/pdf/paper-words.ts'

export const PAPERS = ['disclosure-receipt', 'mg6e'] as const
export type DisclosurePaper = (typeof PAPERS)[number]

/** `papers/disclosure-receipt.en.txt` of the data folder. */
export const templateFile = (name: DisclosurePaper, language: Language): string => `${name}.${language}.txt`

const RECEIPT_EN = `# Receipt for disclosed material
{{stationName}}

{{about}}

## What was given
{{items}}

## Acknowledgement
The recipient confirms that the {{itemCount}} files listed above were received in the way that is stated. The material is given for the proceedings of the case that is named, and stays under the terms of the authority that is stated.

The numbers in square brackets name entries of the station's ledger.

[[Given by: name, title and signature]]
[[Received by: name and title]]
[[Signature of the recipient]]
[[Date]]
`

const RECEIPT_FR = `# Reçu de pièces communiquées
{{stationName}}

{{about}}

## Ce qui a été remis
{{items}}

## Accusé de réception
Le destinataire confirme avoir reçu les {{itemCount}} fichiers énumérés ci-dessus de la manière indiquée. Les pièces sont remises pour la procédure du dossier nommé et restent soumises au fondement indiqué.

Les nombres entre crochets désignent des écritures du registre de la station.

[[Remis par : nom, fonction et signature]]
[[Reçu par : nom et fonction]]
[[Signature du destinataire]]
[[Date]]
`

const MG6E_EN = `# Disclosure officer’s report (MG6E)
Criminal Procedure and Investigations Act 1996

{{about}}

## The schedules
On the list of disclosed material: {{itemNumbers}}. On MG6C: {{unusedNumbers}}. On MG6D: {{sensitiveNumbers}}. Numbers go on from one schedule of the case to the next, and each item keeps its number.

The numbers in square brackets name entries of the station's ledger.

## Material that might undermine the prosecution or assist the defence
[[Numbers, and why; or: none]]
[[Numbers on MG6C that were examined without being viewed whole, and why]]

## Certification
[[All material that was kept and came to my knowledge was made available and is on these schedules: yes or no]]
[[Name and rank of the disclosure officer]]
[[Signature]]
[[Date]]
`

const MG6E_FR = `# Rapport de l’agent chargé de la communication (MG6E)
Criminal Procedure and Investigations Act 1996

{{about}}

## Les bordereaux
Sur la liste des pièces communiquées : {{itemNumbers}}. Sur le MG6C : {{unusedNumbers}}. Sur le MG6D : {{sensitiveNumbers}}. Les numéros continuent d’un bordereau du dossier à l’autre, et chaque pièce garde le sien.

Les nombres entre crochets désignent des écritures du registre de la station.

## Pièces qui pourraient affaiblir l’accusation ou aider la défense
[[Numéros et raisons, ou : aucune]]
[[Numéros du MG6C qui n’ont pas été examinés en entier, et pourquoi]]

## Attestation
[[Toutes les pièces conservées et connues ont été présentées et figurent sur ces bordereaux : oui ou non]]
[[Nom et grade de l’agent]]
[[Signature]]
[[Date]]
`

export const TEMPLATES: Readonly<Record<DisclosurePaper, Readonly<Record<Language, string>>>> = {
  'disclosure-receipt': { en: RECEIPT_EN, fr: RECEIPT_FR },
  mg6e: { en: MG6E_EN, fr: MG6E_FR },
}
