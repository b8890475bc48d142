import type { documents as english } from './page-documents.messages.en.ts'
import type { Translated } from '../messages/types.ts'

export const documents: Translated<typeof english> = {
  pdfOf: 'PDF, {{name}}',
  pdfPage: 'Page {{page}} sur {{count}}',
  pdfTools: 'Vue du PDF',
  pdfLoading: 'Chargement du PDF',
  pdfFailed: 'Le PDF ne peut pas être affiché',
  pdfTooLarge: 'Ce PDF est trop grand pour être affiché ici',
  page: 'Page',
  pageOf: 'sur {{pages}}',
  pageBefore: 'Page précédente',
  pageAfter: 'Page suivante',
  pageFirst: 'C’est la première page',
  pageLast: 'C’est la dernière page',
  pageFailed: 'Cette page ne peut pas être dessinée',
  textOf: 'Texte, {{name}}',
  textEmpty: 'Le fichier est vide.',
  textMarked: 'Lu en {{encoding}}, comme le dit le fichier',
  textUtf8: 'Lu en {{encoding}}',
  textGuessed: 'Pas de l’UTF-8 : lu en {{encoding}}',
  textHidden: 'les caractères invisibles sont écrits en clair',
  textHiddenOne: 'Un caractère invisible',
  textCut: 'Les premiers {{shown}} sur {{whole}} sont affichés.',
}
