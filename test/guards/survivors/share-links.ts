import type { Survivor } from '../survivor.ts'

const COPIES = 'server/features/share-links/copies.ts'
const GUESTS = 'server/features/share-links/guests.service.ts'
const BETWEEN = 'The authorisation has just asked the same. It shows only where the link ends between the two looks.'

export const SHARE_LINKS: readonly Survivor[] = [
  {
    file: COPIES,
    text: 'link !== undefined',
    kind: 'equivalent',
    why: 'Whoever calls it has asked before whether there is a link.',
  },
  {
    file: COPIES,
    text: "stateOf(link, deps.clock.now()) === 'open'",
    kind: 'untested',
    why: 'A copy would be made for a link that ended while its job waited. Nobody gets it.',
  },
  {
    file: COPIES,
    text: 'file === undefined',
    kind: 'untested',
    why: 'The file was withheld between the order of its copy and the job.',
  },
  {
    file: COPIES,
    text: "shows !== 'nothing' && (isBusy || original.sniffed_type === null)",
    kind: 'untested',
    why: 'The copy of a file whose own copy is still being made would fail, and not wait.',
  },
  { file: GUESTS, text: 'link === null', kind: 'untested', why: BETWEEN },
  {
    file: GUESTS,
    text: 'link === null',
    at: 2,
    kind: 'equivalent',
    why: 'Without a link what follows throws, and a download whose right could not be asked is ended as well.',
  },
  {
    file: GUESTS,
    text: 'found === undefined',
    kind: 'equivalent',
    why: 'Where there is no item there is no file either, which is asked next.',
  },
  { file: GUESTS, text: 'link === null', at: 3, kind: 'untested', why: BETWEEN },
  {
    file: GUESTS,
    text: 'found !== undefined',
    kind: 'equivalent',
    why: 'Items of a link are never removed, and none was found that is not one of it.',
  },
  { file: GUESTS, text: 'row === undefined', kind: 'untested', why: BETWEEN },
  { file: GUESTS, text: '(await standing(tx, of.guest.session)) === null', kind: 'untested', why: BETWEEN },
  {
    file: GUESTS,
    text: 'await refuseForwarded(db.read, of.file.original.sha256)',
    kind: 'untested',
    why: 'No suite of links has an original that went to headquarters after the link was made.',
  },
  { file: GUESTS, text: 'principal === null', kind: 'untested', why: BETWEEN },
  { file: GUESTS, text: "principal.kind !== 'share-link'", kind: 'untested', why: BETWEEN },
  { file: GUESTS, text: "!('session' in principal)", kind: 'untested', why: BETWEEN },
  {
    file: 'server/features/share-links/share-links.models.ts',
    text: 'names.has(id)',
    kind: 'untested',
    why: 'An evidence of a link that was removed for good, as sample data is.',
  },
  {
    file: 'server/features/share-links/share-links.service.ts',
    text: '(await forwardedTo(tx, original.sha256)) !== null',
    kind: 'untested',
    why: 'No suite of links has an original that is at headquarters only.',
  },
]
