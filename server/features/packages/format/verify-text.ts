/**
 * `VERIFY.txt` and `VERIFY.fr.txt`: how a stranger verifies a package with coreutils, openssl and a POSIX shell (docs/decisions/0034). Commands are
 * indented by four spaces; an empty line ends a block, and each block is one script that fails when something is wrong. The commands are the same
 * in both languages, and do not depend on the package, so that they can be compared with those of another one.
 */

export type Language = 'en' | 'fr'

interface Step {
  readonly title: Readonly<Record<Language, string>>
  readonly text: Readonly<Record<Language, string>>
  readonly commands: readonly string[]
  readonly after?: Readonly<Record<Language, string>>
}

const KEYS = `openssl pkey -pubin -in station-pub.pem -outform DER | sha256sum
openssl pkey -pubin -in ledger-pub.pem -outform DER | sha256sum`

const SIGNATURE = 'openssl dgst -sha256 -verify station-pub.pem -signature tagmanifest.sig tagmanifest-sha256.txt'

const LISTS = [
  'sha256sum -c --strict --quiet tagmanifest-sha256.txt',
  'sha256sum -c --strict --quiet manifest-sha256.txt',
]

const NOTHING_ADDED = `LC_ALL=C; export LC_ALL; t=$(mktemp -d)
{ cut -c67- manifest-sha256.txt tagmanifest-sha256.txt; printf '%s\\n' data/ forms/ meta/
  for f in tagmanifest-sha256.txt tagmanifest.sig tagmanifest.p7s tagmanifest.tsr tagmanifest.cosignatures tagmanifest-certificates.pem
  do [ ! -e "$f" ] || printf '%s\\n' "$f"; done; } | sort > "$t/listed"
{ ls -Ap .; for d in data forms meta
  do ls -Ap "$d" | while IFS= read -r f; do printf '%s/%s\\n' "$d" "$f"; done; done; } | sort > "$t/there"
{ comm -3 "$t/listed" "$t/there"; for f in * .[!.]* data/* forms/* meta/*
  do [ ! -L "$f" ] || printf 'link: %s\\n' "$f"; done; } | tee "$t/differ"
[ ! -s "$t/differ" ]`

const TREE_HEAD =
  'openssl pkeyutl -verify -pubin -inkey ledger-pub.pem -rawin -in meta/checkpoint.body -sigfile meta/checkpoint.sig'

const LINES = `{ read -r origin; read -r size; read -r root; } < meta/checkpoint.body; bad=0; count=0
root=$(printf '%s' "$root" | basenc -d --base64 | basenc --base16 -w0 | tr A-F a-f)
sum() { sha256sum | cut -c-64; }
exec 3< meta/custody.jsonl
while read -r seq index of leaf steps
do hash=$leaf; count=$((count + 1))
  case "$steps" in *withheld) ;; *)
    IFS= read -r line <&3 || line=
    hash=$({ printf '\\000'; printf '%s' "$line"; } | sum);; esac
  if [ "$hash" != "$leaf" ] || [ "$of" != "$size" ] || [ "$((index + 1))" != "$seq" ]
  then echo "entry $seq: its line is not the one of the ledger"; bad=1; continue; fi
  set -- $steps
  while [ $# -gt 1 ]
  do if [ "$1" = L ]; then pair=$2$hash; else pair=$hash$2; fi
    hash=$({ printf '\\001'; printf '%s' "$pair" | tr a-f A-F | basenc -d --base16; } | sum)
    shift 2; done
  if [ "$hash" != "$root" ]; then echo "entry $seq: it is not under the signed tree head"; bad=1; fi
done < meta/proofs.txt
if IFS= read -r line <&3; then echo "there are more lines than proofs"; bad=1; fi
echo "$count entries"; [ $bad = 0 ] && [ $count -gt 0 ]`

const CMS = `if [ -e tagmanifest.p7s ]
then openssl cms -verify -binary -inform DER -in tagmanifest.p7s -content tagmanifest-sha256.txt -CAfile "$AUTHORITY" -out /dev/null
else echo "no CMS signature in this package"; fi`

const TIMESTAMP = `if [ -e tagmanifest.tsr ]
then OPENSSL_CONF=/dev/null openssl ts -verify -data tagmanifest-sha256.txt -in tagmanifest.tsr -CAfile "$AUTHORITY"
else echo "no timestamp in this package"; fi`

/**
 * The prefix makes DER of a raw Ed25519 key, whose base64 may hold a plus too. Of the decoded line bytes 5 to 12 are the time, the last 64 the signature. The
 * signature is not about the name: the key id is, in both lines. A name is
 * printed without what a terminal could take for a command. What was read is compared with the file, since a cut-off line is not read.
 */
const COSIGNATURES = `if [ -e tagmanifest.cosignatures ]
then bad=0; count=0; t=$(mktemp -d); : > "$t/read"
  while read -r dash station line && IFS= read -r key
  do printf '%s %s %s\\n%s\\n' "$dash" "$station" "$line" "$key" >> "$t/read"
    printf '%s' "$line" | basenc -d --base64 > "$t/line"
    { printf '\\060\\052\\060\\005\\006\\003\\053\\145\\160\\003\\041\\000'
      printf '%s' "\${key#*+*+}" | basenc -d --base64 | tail -c 32; } > "$t/key"
    time=$((0x$(basenc --base16 -w0 < "$t/line" | cut -c9-24)))
    { printf 'cosignature/v1\\ntime %s\\n' "$time"; cat meta/checkpoint.body; } > "$t/body"
    tail -c 64 "$t/line" > "$t/signature"
    printf '%s, %s, key %s\\n' "$(printf '%s' "$station" | LC_ALL=C tr -c '!-~' '?')" "$(date -u -d "@$time")" "$(sha256sum < "$t/key" | cut -c-64)"
    id=$({ printf '%s\\n\\004' "$station"; tail -c 32 "$t/key"; } | sha256sum | cut -c-8)
    if [ "$key" != "$station+$id+\${key#*+*+}" ] || [ "$(basenc --base16 -w0 < "$t/line" | cut -c-8 | tr A-F a-f)" != "$id" ]
    then echo "this name does not belong to the key"; bad=1; fi
    count=$((count + 1))
    openssl pkeyutl -verify -pubin -keyform DER -inkey "$t/key" -rawin -in "$t/body" -sigfile "$t/signature" || bad=1
  done < tagmanifest.cosignatures
  if [ "$(sha256sum < "$t/read")" != "$(sha256sum < tagmanifest.cosignatures)" ]
  then echo "tagmanifest.cosignatures has more than pairs of lines"; bad=1; fi
  [ $bad = 0 ] && [ $count -gt 0 ]
else echo "no co-signature in this package"; fi`

const STEPS: readonly Step[] = [
  {
    title: { en: 'Whose key it is', fr: 'À qui appartient la clé' },
    text: {
      en: `Both lines must be the fingerprints on the signed paper receipt, or those that
the station tells you when you ask there. A key that is found in the package
alone proves nothing: whoever forges a package encloses a key of their own, and
every other step below succeeds. This step is the one that tells.`,
      fr: `Les deux lignes doivent être les empreintes du reçu papier signé, ou celles que
la station vous donne quand vous les y demandez. Une clé trouvée dans le paquet
seul ne prouve rien : un faussaire y joint sa propre clé, et toutes les autres
étapes réussissent. C’est cette étape qui décide.`,
    },
    commands: [KEYS],
  },
  {
    title: { en: 'The signature', fr: 'La signature' },
    text: {
      en: 'It must print "Verified OK".',
      fr: 'La commande doit afficher « Verified OK ».',
    },
    commands: [SIGNATURE],
  },
  {
    title: { en: 'The files', fr: 'Les fichiers' },
    text: {
      en: `Every file is as the signed lists name it. Nothing is printed when all are; a
file that differs, or is missing, is named.`,
      fr: `Chaque fichier est tel que les listes signées le nomment. Rien ne s’affiche si
tous le sont ; un fichier différent ou manquant est nommé.`,
    },
    commands: LISTS,
  },
  {
    title: { en: 'Nothing was added', fr: 'Rien n’a été ajouté' },
    text: {
      en: `The files of the package are those of the lists, and no others. Nothing is
printed when that is so. A name on the left is in the lists only; an indented
name is in the package only.`,
      fr: `Les fichiers du paquet sont ceux des listes, et aucun autre. Rien ne s’affiche
si c’est le cas. Un nom à gauche n’est que dans les listes ; un nom décalé
n’est que dans le paquet.`,
    },
    commands: [NOTHING_ADDED],
  },
  {
    title: { en: 'The custody entries', fr: 'Les inscriptions du registre' },
    text: {
      en: `The tree head over the ledger of the station is signed by its ledger key. It must
print "Signature Verified Successfully".`,
      fr: `La tête d’arbre du registre de la station est signée par la clé du registre. La
commande doit afficher « Signature Verified Successfully ».`,
    },
    commands: [TREE_HEAD],
  },
  {
    title: { en: 'Every entry is under that tree head', fr: 'Chaque inscription est sous cette tête d’arbre' },
    text: {
      en: `Each line of meta/custody.jsonl is hashed and folded with its proof in
meta/proofs.txt. The number of entries is printed, and every entry that does not
hold. An entry that is marked "withheld" has its hash here, and not its text.
This takes about a second for ten entries. It is run with the shell "sh".`,
      fr: `Chaque ligne de meta/custody.jsonl est hachée et repliée avec sa preuve dans
meta/proofs.txt. Le nombre d’inscriptions s’affiche, et toute inscription qui ne
tient pas. D’une inscription marquée « withheld », l’empreinte est ici, le texte
non. Comptez une seconde pour dix inscriptions. Utilisez l’interpréteur « sh ».`,
    },
    commands: [LINES],
  },
  {
    title: { en: 'Outside witnesses, where there are any', fr: 'Témoins extérieurs, s’il y en a' },
    text: {
      en: `A package may hold a CMS signature and a timestamp of an authority. Put the file
with the authority’s certificate, obtained from the authority, in the variable
AUTHORITY first: AUTHORITY=/path/to/authority.pem`,
      fr: `Un paquet peut contenir une signature CMS et un horodatage d’une autorité.
Mettez d’abord le fichier du certificat de l’autorité, obtenu auprès d’elle, dans
la variable AUTHORITY : AUTHORITY=/chemin/vers/autorite.pem`,
    },
    commands: [CMS, TIMESTAMP],
  },
  {
    title: { en: 'Other stations, where any co-signed', fr: 'Autres stations, si certaines ont cosigné' },
    text: {
      en: `Other stations may have co-signed the tree head of step 5: each says that it saw
this ledger at that time, and that it continues what it had seen before. Each is
printed with its time and the fingerprint of its key, and must be followed by
"Signature Verified Successfully". Compare the fingerprint with the one that the
other station tells you. The key alone proves nothing here either.`,
      fr: `D’autres stations peuvent avoir cosigné la tête d’arbre de l’étape 5 : chacune
dit avoir vu ce registre à cette date, et qu’il prolonge ce qu’elle avait vu.
Chacune s’affiche avec sa date et l’empreinte de sa clé, et doit être suivie de
« Signature Verified Successfully ». Comparez l’empreinte avec celle que l’autre
station vous donne. Ici non plus, la clé seule ne prouve rien.`,
    },
    commands: [COSIGNATURES],
  },
]

const HEAD = {
  en: `HOW TO VERIFY THIS PACKAGE

You need a POSIX shell, coreutils (8.31 or later) and openssl (3.0 or later), and
no program of ours. Open a shell in the folder of this package, and do the steps
in their order. Lines that are indented are commands; copy them as they are.
`,
  fr: `COMMENT VÉRIFIER CE PAQUET

Il faut un interpréteur POSIX, coreutils (8.31 ou plus) et openssl (3.0 ou plus),
et aucun de nos programmes. Ouvrez un interpréteur dans le répertoire de ce paquet,
et suivez les étapes dans l’ordre. Les lignes décalées sont des commandes ;
copiez-les telles quelles.
`,
} as const

const FOOT = {
  en: `What this shows: the files are those that the station signed, nothing was added or
taken away, and the entries about them are in its ledger as it signed it. What it
does not show: that a recording is true, or that the station recorded everything.
`,
  fr: `Ce que cela montre : les fichiers sont ceux que la station a signés, rien n’a été
ajouté ni retiré, et les inscriptions à leur sujet sont dans le registre qu’elle a
signé. Ce que cela ne montre pas : qu’un enregistrement soit véridique, ou que la
station ait tout enregistré.
`,
} as const

export function verifyText(language: Language): string {
  const steps = STEPS.map(({ title, text, commands }, at) =>
    [
      `${at + 1}. ${title[language]}`,
      '',
      text[language],
      '',
      ...commands.flatMap((command) => [indented(command), '']),
    ].join('\n'),
  )
  return [HEAD[language], ...steps, FOOT[language]].join('\n')
}

const indented = (command: string): string =>
  command
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')

/** The blocks of commands, in order, as a program copies them out of the text. */
export function commandsIn(text: string): string[] {
  const blocks: string[][] = []
  let open = false
  for (const line of text.split('\n')) {
    const isCommand = line.startsWith('    ')
    if (isCommand && !open) blocks.push([])
    if (isCommand) blocks.at(-1)?.push(line.slice(4))
    open = isCommand
  }
  return blocks.map((lines) => lines.join('\n'))
}
