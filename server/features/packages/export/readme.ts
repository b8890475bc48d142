/** What lies beside the records of an export, for people. */
import type { About } from './export-layout.ts'

/** @param fingerprint of the key that signed it */
export function readmeOf(language: 'en' | 'fr', about: About, fingerprint: string): string {
  const { stationName, origin, exportedUtc, program, packages, blobs, entries, leftBehind } = about
  const lines =
    language === 'en'
      ? [
          `Export of the station ${stationName} (${origin}), ${exportedUtc}, ${program}.`,
          '',
          `Beside this folder: ${packages.length} packages, one for each case and one for evidence of no case. Each has a README.html.`,
          `Here: every record as JSON, one a line (data/*.jsonl), the ledger with ${entries} entries (meta/ledger.*.jsonl), its signed`,
          'head (meta/checkpoint.txt), and files that are in no package, named by their SHA-256 (data/).',
          `meta/blobs.jsonl says where each of the ${blobs.count} files of the station lies. meta/station.json describes the whole.`,
          '',
          'To verify it, in this folder and, as its VERIFY.txt says, in that of each package:',
          '    openssl pkey -pubin -in station-pub.pem -outform DER | sha256sum',
          '    openssl dgst -sha256 -verify station-pub.pem -signature tagmanifest.sig tagmanifest-sha256.txt',
          '    sha256sum -c --strict tagmanifest-sha256.txt manifest-sha256.txt',
          'The first line must be the fingerprint on the paper of the station. A key that is found here alone proves nothing.',
          `When it was made it was ${fingerprint}.`,
          '',
          'To take it into an empty station:',
          '    sallyport import FOLDER --fingerprint FINGERPRINT',
          '',
          'Not in it:',
          ...leftBehind.map((line) => `  - ${line}`),
        ]
      : [
          `Export de la station ${stationName} (${origin}), ${exportedUtc}, ${program}.`,
          '',
          `À côté de ce dossier : ${packages.length} paquets, un par dossier et un pour les preuves hors dossier. Chacun a un README.fr.html.`,
          `Ici : toutes les fiches en JSON, une par ligne (data/*.jsonl), le registre avec ses ${entries} entrées (meta/ledger.*.jsonl),`,
          'sa tête signée (meta/checkpoint.txt), et les fichiers qui ne sont dans aucun paquet, nommés par leur SHA-256 (data/).',
          `meta/blobs.jsonl dit où se trouve chacun des ${blobs.count} fichiers de la station. meta/station.json décrit l’ensemble.`,
          '',
          'Pour le vérifier, dans ce dossier et, comme le dit son VERIFY.fr.txt, dans celui de chaque paquet :',
          '    openssl pkey -pubin -in station-pub.pem -outform DER | sha256sum',
          '    openssl dgst -sha256 -verify station-pub.pem -signature tagmanifest.sig tagmanifest-sha256.txt',
          '    sha256sum -c --strict tagmanifest-sha256.txt manifest-sha256.txt',
          'La première ligne doit être l’empreinte sur le papier de la station. Une clé trouvée seulement ici ne prouve rien.',
          `À la création, c’était ${fingerprint}.`,
          '',
          'Pour le reprendre dans une station vide :',
          '    sallyport import DOSSIER --fingerprint EMPREINTE',
          '',
          'N’y sont pas : mots de passe, clés, jetons et sessions ; réglages de la machine, du réseau et des sauvegardes ; travaux en cours.',
        ]
  return `${lines.join('\n')}\n`
}
