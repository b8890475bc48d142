import type { Translated } from '../messages/types.ts'
import type { quarantineReasons as english } from './quarantine.messages.en.ts'

export const quarantineReasons: Translated<typeof english> = {
  notRecorded: 'Il a été mis en place, et rien n’en a été enregistré.',
  damagedBefore: 'Les mêmes octets sont revenus, et le fichier qui aurait dû les avoir était endommagé.',
  untracked: 'Il se trouvait parmi les fichiers, et rien ne le désigne dans la base de données.',
  authorityEnded: 'Le droit d’envoyer a pris fin avant la fin de l’envoi.',
  unknownKey: 'Les données de chiffrement nomment une clé que cette station n’a pas.',
  notDecryptable: 'Ce qui est arrivé ne peut pas être déchiffré avec la clé nommée.',
  noJson: 'Les données de chiffrement ne sont pas du JSON.',
  otherLength: '{{found}} octets sont arrivés, alors que {{expected}} étaient annoncés.',
  otherHash: 'L’empreinte SHA-256 de ce qui est arrivé est {{found}}, et non {{expected}}.',
  otherData: 'Les données de chiffrement ne sont pas comme il faut : {{where}}.',
}
