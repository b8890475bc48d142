import type { phone as english } from './phone.messages.en.ts'
import type { Translated } from '../messages/types.ts'

export const phone: Translated<typeof english> = {
  otherAreas: 'Autres espaces',
  scan: 'Scanner une étiquette',
  scanLead: 'Photographiez le code carré d’une étiquette ou d’une page imprimée. Il ouvre la preuve ou le dossier.',
  scanPhotograph: 'Photographier le code',
  scanCannot: 'Ce navigateur ne lit pas les codes',
  scanCannotBody: 'Saisissez le numéro imprimé à côté du code. Chrome sur Android lit les codes.',
  scanNoCode: 'Aucun code trouvé sur la photo',
  scanNoCodeBody:
    'Tenez le téléphone bien au-dessus de l’étiquette, assez près pour que le code remplisse la moitié de l’image.',
  scanNoLabel: 'Ce code n’est pas une étiquette d’une station',
  scanNoLabelBody: 'Rien n’a été ouvert. Saisissez le numéro imprimé sur l’étiquette.',
  scanElsewhere: 'Cette étiquette désigne une autre adresse : {{host}}',
  scanElsewhereBody:
    'Elle vient peut-être d’une autre station ; rien n’a donc été ouvert. Si elle a été imprimée ici, ouvrez son numéro ci-dessous et comparez le titre.',
  scanNumber: 'Numéro de la preuve ou du dossier',
  scanNumberHint: 'Tel qu’imprimé sur l’étiquette.',
  scanOpen: 'Ouvrir',
  scanNothing: 'Rien de ce que vous pouvez consulter ne porte ce numéro',
  scanNothingBody: 'Vérifiez le numéro. S’il est juste, demandez à une personne qui y a accès de partager l’élément.',
  scanSeveral: 'Plusieurs éléments portent ce numéro',
}
