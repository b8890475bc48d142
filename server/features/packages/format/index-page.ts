/**
 * `README.html` and `README.fr.html`: shows, plays and prints what is in a package, opened from the folder itself. No script, and nothing that is
 * fetched from elsewhere. Names and titles come from outside: every one is escaped.
 */
import { packagePapers as papersEn } from '../../../../shared/packages/papers.messages.en.ts'
import { packagePapers as papersFr } from '../../../../shared/packages/papers.messages.fr.ts'
import { highestNumber, nameIn, type PackagedItem } from './items.ts'
import { numberOf } from './names.ts'
import type { Language } from './verify-text.ts'

export interface IndexInput {
  readonly items: readonly PackagedItem[]
  readonly packageId: string
  readonly name: string
  readonly title: string
  /** Its number, such as 2026-000012; null where it is no case. */
  readonly caseNumber: string | null
  readonly station: string
  readonly madeUtc: string
  readonly madeBy: string
  readonly timeZone: string
  readonly variant: string
  /** The package to which it adds; null: none. */
  readonly supplements: { readonly id: string; readonly signedSha256: string } | null
  readonly withheld: number
  /** How many items its recipient may know to exist, of which nothing is told. */
  readonly withheldUnnamed: number
  readonly fingerprint: string
  readonly forms: readonly string[]
}

/** More players on one page are slow to open: of others the file itself is named. */
const MOST_PLAYERS = 200

/** With so many, each shows its first picture at once. */
const MOST_PRELOADED = 40

type Preload = 'metadata' | 'none'

function preloadOf(players: number): Preload | null {
  if (players > MOST_PLAYERS) return null
  return players > MOST_PRELOADED ? 'none' : 'metadata'
}

const WORDS = {
  en: {
    lang: 'en',
    other: 'Français',
    otherPage: 'README.fr.html',
    verifyPage: 'VERIFY.txt',
    what: 'Evidence package',
    case: 'Case',
    made: 'Made',
    by: 'by',
    from: 'Station',
    id: 'Package',
    for: 'For',
    prosecution: 'the prosecution',
    defence: 'the defence',
    court: 'the court',
    contents: 'Contents',
    files: (count: number) => (count === 1 ? '1 file' : `${count} files`),
    number: 'No.',
    item: 'Item',
    recorded: 'Recorded (corrected)',
    device: 'Device and officer',
    size: 'Size',
    original: 'Original',
    copy: 'Copy to play',
    clip: 'Clip',
    still: 'Still',
    redacted: 'Redacted version',
    report: 'Report',
    of: (no: string) => `of no. ${no}`,
    notPlayed: 'A browser cannot show this file. Open it with a player that knows its format.',
    open: 'Open the file',
    verify: 'Verify this package',
    verifyText:
      'The commands in VERIFY.txt show that nothing was changed, added or taken away. They need coreutils, openssl and a shell, and none of our programs. The first step compares the key with the paper receipt; without it the others prove nothing.',
    witnesses:
      'Others may vouch for it: an authority with a timestamp (tagmanifest.tsr), the agency with a signature (tagmanifest.p7s), other stations with co-signatures (tagmanifest.cosignatures). They can be added after this page was written. VERIFY.txt verifies those that are there, and says who gave them.',
    key: 'Fingerprint of the package key, to be compared with the paper',
    withheld: (count: number) =>
      count === 1
        ? '1 item exists and is not in this package. meta/withheld.csv names it.'
        : `${count} items exist and are not in this package. meta/withheld.csv names them.`,
    withheldUnnamed: (count: number) =>
      count === 1
        ? '1 item exists that is neither in this package nor described in it.'
        : `${count} items exist that are neither in this package nor described in it.`,
    supplements: (id: string, sha256: string) =>
      `This package supplements the package ${id}, whose tagmanifest-sha256.txt has the SHA-256 ${sha256}. It holds only what was added since; numbers go on behind those of that package.`,
    papers: 'Papers',
    draft: 'draft',
    validation: 'Self-validation of the station',
    facts: 'All facts about the items are in meta/items.csv, their custody in meta/custody.jsonl.',
    noOffset: 'clock not compared',
    unknown: 'not known',
    uncertain: (seconds: string) => `± ${seconds} s`,
    zone: (zone: string) => `Times are UTC. The station’s time zone is ${zone}.`,
    quiet: 'This page opens without a network and reports to nobody.',
  },
  fr: {
    lang: 'fr',
    other: 'English',
    otherPage: 'README.html',
    verifyPage: 'VERIFY.fr.txt',
    what: 'Paquet de preuves',
    case: 'Dossier',
    made: 'Établi',
    by: 'par',
    from: 'Station',
    id: 'Paquet',
    for: 'Pour',
    prosecution: 'le parquet',
    defence: 'la défense',
    court: 'le tribunal',
    contents: 'Contenu',
    files: (count: number) => (count === 1 ? '1 fichier' : `${count} fichiers`),
    number: 'Nº',
    item: 'Élément',
    recorded: 'Enregistré (heure corrigée)',
    device: 'Appareil et agent',
    size: 'Taille',
    original: 'Original',
    copy: 'Copie de lecture',
    clip: 'Extrait',
    still: 'Image fixe',
    redacted: 'Version caviardée',
    report: 'Rapport',
    of: (no: string) => `du nº ${no}`,
    notPlayed: 'Un navigateur ne peut pas montrer ce fichier. Ouvrez-le avec un lecteur qui connaît son format.',
    open: 'Ouvrir le fichier',
    verify: 'Vérifier ce paquet',
    verifyText:
      'Les commandes de VERIFY.fr.txt montrent que rien n’a été modifié, ajouté ou retiré. Il leur faut coreutils, openssl et un interpréteur, et aucun de nos programmes. La première étape compare la clé avec le reçu papier ; sans elle, les autres ne prouvent rien.',
    witnesses:
      'D’autres peuvent s’en porter garants : une autorité par un horodatage (tagmanifest.tsr), le service par une signature (tagmanifest.p7s), d’autres stations par des cosignatures (tagmanifest.cosignatures). Ils peuvent être ajoutés après cette page. VERIFY.fr.txt vérifie ceux qui sont là et dit qui les a donnés.',
    key: 'Empreinte de la clé du paquet, à comparer avec le papier',
    withheld: (count: number) =>
      count === 1
        ? '1 élément existe et n’est pas dans ce paquet. meta/withheld.csv le nomme.'
        : `${count} éléments existent et ne sont pas dans ce paquet. meta/withheld.csv les nomme.`,
    withheldUnnamed: (count: number) =>
      count === 1
        ? '1 élément existe, qui n’est ni dans ce paquet ni décrit ici.'
        : `${count} éléments existent, qui ne sont ni dans ce paquet ni décrits ici.`,
    supplements: (id: string, sha256: string) =>
      `Ce paquet complète le paquet ${id}, dont tagmanifest-sha256.txt a l’empreinte SHA-256 ${sha256}. Il ne contient que ce qui a été ajouté depuis ; les numéros suivent ceux de ce paquet-là.`,
    papers: 'Documents',
    draft: 'projet',
    validation: 'Autovalidation de la station',
    facts: 'Tous les renseignements sur les éléments sont dans meta/items.csv, leur registre dans meta/custody.jsonl.',
    noOffset: 'horloge non comparée',
    unknown: 'inconnu',
    uncertain: (seconds: string) => `± ${seconds} s`,
    zone: (zone: string) => `Les heures sont en UTC. Le fuseau de la station est ${zone}.`,
    quiet: 'Cette page s’ouvre sans réseau et n’informe personne.',
  },
} as const

type Words = (typeof WORDS)[Language]

export function indexPage(language: Language, input: IndexInput): string {
  const words = WORDS[language]
  const { items, title, caseNumber } = input
  const preload = preloadOf(items.filter(isPlayed).length)
  const highest = highestNumber(items)
  return `<!doctype html>
<html lang="${words.lang}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' file:; media-src 'self' file:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)} · ${words.what}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<p class="kind"><span>${words.what}</span><a href="${words.otherPage}" lang="${language === 'en' ? 'fr' : 'en'}">${words.other}</a></p>
<h1>${escaped(title)}</h1>
<dl>
${caseNumber === null ? '' : fact(words.case, escaped(caseNumber))}
${fact(words.for, words[variantOf(input.variant)])}
${fact(words.from, escaped(input.station))}
${fact(words.made, `<time datetime="${escaped(input.madeUtc)}">${timeText(input.madeUtc)}</time> ${words.by} ${escaped(input.madeBy)}`)}
${fact(words.id, `<code>${escaped(input.packageId)}</code>`)}
</dl>
</header>
<main>
<section aria-labelledby="contents">
<h2 id="contents">${words.contents} <span>${words.files(items.length)}</span></h2>
${input.supplements === null ? '' : `<p class="note">${words.supplements(`<code>${escaped(input.supplements.id)}</code>`, `<code>${escaped(input.supplements.signedSha256)}</code>`)}</p>`}${input.withheld > 0 ? `<p class="note">${words.withheld(input.withheld)}</p>` : ''}${input.withheldUnnamed > 0 ? `<p class="note">${words.withheldUnnamed(input.withheldUnnamed)}</p>` : ''}
<table>
<thead><tr><th scope="col">${words.number}</th><th scope="col">${words.item}</th><th scope="col">${words.recorded}</th><th scope="col">${words.device}</th><th scope="col" class="end">${words.size}</th></tr></thead>
${items.map((item) => itemRows(item, words, highest, preload)).join('\n')}
</table>
<p class="small">${words.zone(escaped(input.timeZone))} ${words.facts}</p>
</section>
${papers(input, words)}
<section aria-labelledby="verify">
<h2 id="verify">${words.verify}</h2>
<p>${words.verifyText}</p>
<p>${words.witnesses}</p>
<p><a href="${words.verifyPage}">${words.verifyPage}</a></p>
<dl>${fact(words.key, `<code>${escaped(input.fingerprint)}</code>`)}</dl>
</section>
</main>
<footer>${words.quiet}</footer>
</body>
</html>
`
}

const variantOf = (variant: string): 'prosecution' | 'defence' | 'court' =>
  variant === 'defence' || variant === 'court' ? variant : 'prosecution'

const fact = (label: string, html: string): string => `<div><dt>${label}</dt><dd>${html}</dd></div>`

/** `Certificate 902(14), draft (PDF)`: what a paper is called, and what kind of file it is. */
function paperLabel(path: string, words: Words): string {
  const [, name = '', draft = '', ending = ''] = /([a-z0-9-]+)(\.draft)?\.([a-z]+)$/.exec(path) ?? []
  const labels: Readonly<Record<string, string>> = {
    ...(words.lang === 'fr' ? papersFr : papersEn),
    validation: words.validation,
  }
  const label = Object.hasOwn(labels, name) ? (labels[name] ?? name) : name
  return `${label}${draft === '' ? '' : `, ${words.draft}`} (${ending.toUpperCase()})`
}

function papers({ forms }: IndexInput, words: Words): string {
  if (forms.length === 0) return ''
  const lines = forms.map((path) => `<li><a href="${escaped(path)}">${escaped(paperLabel(path, words))}</a></li>`)
  return `<section aria-labelledby="papers"><h2 id="papers">${words.papers}</h2><ul>${lines.join('')}</ul></section>`
}

function itemRows(item: PackagedItem, words: Words, highest: number, preload: Preload | null): string {
  const no = numberOf(item.no, highest)
  const isCopy = item.kind === 'copy'
  const parent = item.parent === null || isCopy ? '' : ` ${words.of(numberOf(item.parent, highest))}`
  const link = `<a href="${escaped(item.path)}">${escaped(nameIn(item))}</a>`
  const { corrected, recorded } = item
  const time = corrected.start ?? recorded.start
  return `<tbody id="${item.kind}-${no}"><tr>
<td class="no">${isCopy ? '' : no}</td>
<td>${isCopy ? '' : `<strong>${escaped(item.title)}</strong>`}${item.exhibit === null || isCopy ? '' : ` <span class="tag">${escaped(item.exhibit)}</span>`}<div class="small"><span class="tag">${words[item.kind]}${parent}</span> ${link}</div>${isCopy || item.originalName === item.title ? '' : `<div class="small">${escaped(item.originalName)}</div>`}</td>
<td>${time === null ? words.unknown : `<time datetime="${escaped(time)}">${timeText(time)}</time>`}<div class="small">${clockText(item, words)}</div></td>
<td>${escaped([item.device.make, item.device.model, item.device.serial].filter((part) => part !== null && part !== '').join(' '))}<div class="small">${escaped(item.officers.join(', '))}</div></td>
<td class="end">${sizeText(item.bytes, words.lang)}</td></tr>
${preload === null ? '' : playerRow(item, words, preload)}</tbody>`
}

function clockText({ offset, uncertaintyMilliseconds }: PackagedItem, words: Words): string {
  if (offset === null) return words.noOffset
  const seconds =
    uncertaintyMilliseconds === null ? '' : ` ${words.uncertain((uncertaintyMilliseconds / 1000).toFixed(1))}`
  return `${escaped(offset)}${seconds}`
}

const VIDEO = new Set(['video/mp4', 'video/webm'])
const AUDIO = new Set(['audio/mpeg', 'audio/mp4', 'audio/wav', 'audio/x-wav', 'audio/ogg', 'audio/flac'])
const PICTURE = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif'])

const isPlayed = ({ type }: PackagedItem): boolean => VIDEO.has(type) || AUDIO.has(type) || PICTURE.has(type)

function playerRow(item: PackagedItem, words: Words, preload: Preload): string {
  const { type } = item
  const label = escaped(`${words[item.kind]}: ${item.title}`)
  const src = escaped(item.path)
  const cell = (html: string): string => `<tr class="player"><td></td><td colspan="4">${html}</td></tr>`
  if (VIDEO.has(type)) return cell(`<video controls preload="${preload}" src="${src}" aria-label="${label}"></video>`)
  if (AUDIO.has(type)) return cell(`<audio controls preload="none" src="${src}" aria-label="${label}"></audio>`)
  if (PICTURE.has(type)) return cell(`<a href="${src}"><img loading="lazy" src="${src}" alt="${label}"></a>`)
  return item.kind === 'original' ? '' : cell(`<p class="small">${words.notPlayed}</p>`)
}

/** `2026-11-27 16:50:52`: UTC, as the page says below the table. */
const timeText = (utc: string): string => escaped(utc.slice(0, 19).replace('T', ' '))

function sizeText(bytes: number, lang: string): string {
  const units = lang === 'fr' ? ['o', 'ko', 'Mo', 'Go', 'To'] : ['B', 'kB', 'MB', 'GB', 'TB']
  let [value, at] = [bytes, 0]
  while (value >= 1000 && at < units.length - 1) [value, at] = [value / 1000, at + 1]
  const text = at === 0 ? String(value) : value.toFixed(1)
  return `${lang === 'fr' ? text.replace('.', ',') : text} ${units[at]}`
}

/** Also of what changes the direction of writing, which is said by its code. */
export const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(
      /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
      (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`,
    )
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

const STYLE = `
:root { color-scheme: light dark; --text: light-dark(#13171b, #e8ecef); --muted: light-dark(#56616c, #a3adb7); --line: light-dark(#cbd1d7, #353d45);
  --surface: light-dark(#ffffff, #13171b); --app: light-dark(#eceef1, #0b0e11); --accent: light-dark(#3f4fc7, #a9b3ff); --soft: light-dark(#f1f3f5, #1e242a) }
* { box-sizing: border-box }
body { margin: 0; background: var(--app); color: var(--text); font: 15px/1.5 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif }
header, section, footer { max-width: 76rem; margin: 0 auto; padding: 1.25rem 1.5rem }
section { background: var(--surface); border: 1px solid var(--line); border-radius: 8px; margin-bottom: 1rem }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .75rem; overflow-wrap: anywhere }
h2 { font-size: 1.1rem; margin: 0 0 .75rem } h2 span { color: var(--muted); font-weight: 400 }
a { color: var(--accent) } a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
.kind { display: flex; justify-content: space-between; margin: 0 0 .25rem; color: var(--muted) }
ul { margin: 0; padding: 0; list-style: none; columns: 22rem } li a { display: inline-block; padding: .15rem 0; min-height: 1.75rem }
dl { display: flex; flex-wrap: wrap; gap: .5rem 2rem; margin: 0 } dt { color: var(--muted); font-size: .85rem } dd { margin: 0; overflow-wrap: anywhere }
code { font-family: ui-monospace, "JetBrains Mono", "DejaVu Sans Mono", monospace; font-size: .9em; overflow-wrap: anywhere }
table { width: 100%; border-collapse: collapse } th { text-align: start; color: var(--muted); font-weight: 500; font-size: .85rem }
th, td { padding: .5rem .75rem .5rem 0; vertical-align: top; overflow-wrap: anywhere } tbody { border-top: 1px solid var(--line) }
.no, .end { white-space: nowrap; font-variant-numeric: tabular-nums } .end { text-align: end }
.small, footer { color: var(--muted); font-size: .85rem } .tag { background: var(--soft); border-radius: 4px; padding: 0 .4em }
.note { border-inline-start: 3px solid var(--accent); padding-inline-start: .75rem } .player td { padding-top: 0 }
video { width: 100%; max-width: 48rem; max-height: 27rem; background: #000; border-radius: 6px } audio { width: 100%; max-width: 48rem } img { max-width: 20rem; max-height: 14rem; border-radius: 6px }
@media (max-width: 44rem) { thead { display: none } tr { display: grid; grid-template-columns: 4rem 1fr } td:nth-child(n+3) { grid-column: 2 } .end { text-align: start } .player td:first-child { display: none } .player td { grid-column: 1 / -1 } }
@media print { body { background: none } .player video, .player audio, .kind a { display: none } section { border: 0; padding-inline: 0 } tr { break-inside: avoid } img { max-width: 8cm } }
`
