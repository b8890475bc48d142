import { describe, expect, it } from 'vitest'
import { help as en } from '../../../shared/help/messages.en.ts'
import { help as fr } from '../../../shared/help/messages.fr.ts'
import { pages as shown, administration } from '../../app/pages.ts'
import { aboutThis, SUBJECTS, type SubjectId } from './subjects.ts'

const first = (words: typeof en | typeof fr, text: string): SubjectId | undefined =>
  aboutThis(SUBJECTS, text, ({ id }) => ({ title: words[id], words: words[`${id}Words`] }))[0]?.id

describe('what a new officer types', () => {
  it.each<[string, SubjectId]>([
    ['hand in camera', 'handIn'],
    ['where do I plug in my bodycam', 'handIn'],
    ['which camera is mine', 'takeCamera'],
    ['upload photos from my phone', 'addFiles'],
    ['cctv', 'addFiles'],
    ['number plate', 'find'],
    ['my footage', 'myRecordings'],
    ['rename', 'rename'],
    ['tag', 'tag'],
    ['categorise', 'category'],
    ['wrong time', 'wrongTime'],
    ['clock is an hour off', 'wrongTime'],
    ['wrong officer', 'officer'],
    ['slow motion', 'watch'],
    ['screenshot', 'still'],
    ['bookmark', 'mark'],
    ['trim the video', 'clip'],
    ['print for court', 'print'],
    ['save to usb', 'download'],
    ['add to case', 'link'],
    ['open a new case', 'createCase'],
    ['let a colleague see it', 'share'],
    ['remind somebody to do something', 'task'],
    ['mention a colleague', 'mention'],
    ['cannot open a case', 'askAccess'],
    ['hand over my cases', 'handOver'],
    ['notify me', 'follow'],
    ['call without video', 'calls'],
    ['who downloaded this', 'custody'],
    ['has it been tampered with', 'prove'],
    ['court package', 'package'],
    ['disclosure bundle', 'package'],
    ['what do I send the prosecutor', 'package'],
    ['supplement due', 'disclose'],
    ['unused material schedule', 'disclose'],
    ['do not disclose', 'restrict'],
    ['watermark', 'shareLink'],
    ['somebody without an account', 'shareLink'],
    ['legal hold', 'protect'],
    ['undelete', 'restore'],
    ['uploaded by mistake, delete', 'delete'],
    ['forgot password', 'password'],
    ['dark mode', 'appearance'],
    ['stuck processing', 'jobs'],
  ])('“%s” finds its subject first', (text, id) => {
    expect(first(en, text)).toBe(id)
  })

  it.each<[string, SubjectId]>([
    ['rendre caméra', 'handIn'],
    ['camera', 'handIn'],
    ['plaque', 'find'],
    ['heure fausse', 'wrongTime'],
    ['capture', 'still'],
    ['corbeille', 'restore'],
    ['mot de passe oublié', 'password'],
    ['mode sombre', 'appearance'],
    ['dossier pour le tribunal', 'package'],
    ['partager', 'share'],
    ['empreinte', 'prove'],
    ['filigrane', 'shareLink'],
  ])('« %s » finds its subject first, with or without accents', (text, id) => {
    expect(first(fr, text)).toBe(id)
  })

  it('finds nothing in what is about nothing here, and everything without words', () => {
    expect(first(en, 'xyzzy')).toBeUndefined()
    expect(aboutThis(SUBJECTS, ' ', ({ id }) => ({ title: en[id], words: '' }))).toEqual(SUBJECTS)
  })
})

it('leads to pages that there are, with steps in both languages', () => {
  const paths = [...shown, ...administration.pages].map(({ path }) => path as string)
  for (const { id, to } of SUBJECTS) {
    if (to?.startsWith('/') === true) expect(paths).toContain(to)
    expect(fr[`${id}Steps`].split('\n')).toHaveLength(en[`${id}Steps`].split('\n').length)
  }
})
