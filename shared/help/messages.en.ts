/**
 * The help: what people want to do, in their words. Of each subject `…Words` are further words by which it is found, and `…Steps` what to do, a
 * line each.
 */
export const help = {
  title: 'Help',
  lead: 'What do you want to do?',
  search: 'Search the help',
  searchHow: 'In your own words: plate, wrong time, delete …',
  nothing: 'Nothing here is about “{{text}}”.',
  nothingBody: 'Try another word, or look for it in all evidence and cases.',
  searchFor: 'Search for “{{text}}”',
  count_one: '{{count}} subject',
  count_other: '{{count}} subjects',
  groupcameras: 'Cameras',
  groupevidence: 'Evidence',
  groupcases: 'Cases and calls',
  groupproof: 'Proof and keeping',
  groupme: 'My workplace',
  groupstation: 'The station',
  go: 'Take me there',
  goAdd: 'Choose files',
  goJobs: 'Open jobs',
  goKeys: 'Show the keys',
  about: 'About',
  version: 'Version',
  licence: 'Licence',
  licenceText: 'Apache License 2.0',
  notices: 'Third-party software',
  station: 'Station',
  diagnostics: 'Diagnostics',
  diagnosticsBody:
    'For whoever helps you: the program, this browser, and the state of the station. No names, no evidence.',
  copy: 'Copy diagnostics',
  guide: 'Keys',
  unknown: 'not known',
  handIn: 'Hand in a camera',
  handInWords: 'dock plug in bodycam upload body worn camera end of shift bay cradle',
  handInSteps:
    'Put the camera into any bay. You do not need to sign in.\nWait until its tile is filled green and says Safe to take.\nTake the camera. If the tile says Put it back, put it into any bay: it goes on where it stopped.',
  takeCamera: 'Take a camera for my shift',
  takeCameraWords: 'assign issue start of shift serial scan mine camera',
  takeCameraSteps:
    'Open Take a camera.\nScan the label of the camera, or type its serial number.\nSign in. What it records is noted as yours from now on.',
  receipt: 'Print the receipt of a docking',
  receiptWords: 'receipt proof handed in list of files print pdf docking',
  receiptSteps: 'Open Docked cameras and choose the docking.\nPress Receipt. Print it, or keep it as PDF.',
  addFiles: 'Add files from a phone, a stick or CCTV',
  addFilesWords: 'upload import drop usb phone cctv dvr photo picture document folder',
  addFilesSteps:
    'Drop files or folders anywhere on the window, or press Add evidence.\nChoose a case while they are sent, if you know it.\nWait for the check mark: each file was copied, read back and hashed.',
  find: 'Find a recording, a case or a person',
  findWords: 'search look for where is number plate name note text find',
  findSteps:
    'Press Ctrl K anywhere and type: a plate, a name, a street, a case number, words of a note or a tag.\nFor filters, a map and saved searches, open Search.',
  myRecordings: 'See my recordings of a shift',
  myRecordingsWords: 'my footage what I recorded shift missing unfinished to do today own',
  myRecordingsSteps:
    'Open Today. My last shift lists your recordings and says what each still lacks.\nPress Enter on a line to open it, and J and K to go from line to line.\nTo file them all at once, press A, then J and Ctrl A. S sets the category, C links the case, R gives titles.',
  rename: 'Give evidence a title and a description',
  renameWords: 'rename name title describe edit change text label',
  renameSteps:
    'Open the evidence and press E, or click its title.\nType, and press Enter. Undo takes it back.\nFor many at once, select rows in the list and press R: each gets the title with a number.\nThe description and all other fields are in Details beside the picture.',
  tag: 'Tag evidence',
  tagWords: 'tags label keyword mark many at once bulk',
  tagSteps:
    'Open the evidence and press T. Type a tag; those already in use are offered.\nFor many at once, select rows in the list with Space and use the bar at the foot.',
  category: 'Set the category, and how long it is kept',
  categoryWords: 'categorise classify retention keep how long category',
  categorySteps:
    'Open the evidence and choose the category in Details. It says how long the evidence is kept.\nFor many at once, select rows in the list and press S, or Category in the bar.',
  wrongTime: 'Correct a wrong date or time',
  wrongTimeWords: 'time date clock wrong hour offset summer time correct recorded',
  wrongTimeSteps:
    'Open the evidence. The line below the picture shows the time by the station’s clock and what the camera said.\nTo state another time, click Recorded in Details, give the time and the reason. The time of the file stays as it came.',
  officer: 'Say whose recording it is',
  officerWords: 'officer owner assign person whose camera wrong officer',
  officerSteps:
    'Open the evidence and set the officer in Details.\nIf a camera has no officer for a time, state it under Devices: all its recordings of that time follow.',
  watch: 'Watch a recording, frame by frame',
  watchWords: 'play video slow motion frame speed seek jump step watch view',
  watchSteps:
    'Open the evidence. Space plays and pauses.\nThe keys , and . step one frame, J and L go back and on, [ and ] change the speed. Shift G goes to a time.',
  still: 'Take a still picture from a video',
  stillWords: 'still screenshot snapshot frame grab photo picture face',
  stillSteps:
    'Stop at the frame and press S.\nThe still becomes a file of the evidence, with the time and the hash of what it was taken from.',
  clip: 'Cut a clip from a video',
  clipWords: 'clip cut trim extract shorten part segment export minutes',
  clipSteps:
    'Open the recording. Press I where the clip begins and O where it ends, or set marks.\nPress Clip, choose exact or untouched stream, and give it a title. Several can be made at once.\nThe clip becomes a file of the evidence that says where it comes from.',
  print: 'Print an evidence sheet, a custody report or a label',
  printWords: 'print pdf paper report sheet summary label qr sticker court document',
  printSteps:
    'Open the evidence or the case, open More and press Print.\nChoose the document, and save the PDF. It holds hash, times and custody as they stand now.',
  mark: 'Mark a moment, write a note',
  markWords: 'bookmark mark note comment annotate moment remember',
  markSteps:
    'Press M at the moment and type. The mark stands on the time axis.\nNotes on the whole evidence or on a case stand in their own panel.',
  download: 'Download one file, or many as a ZIP',
  downloadWords: 'download export copy usb save zip get original',
  downloadSteps:
    'Open the evidence and press Download the original: exactly the bytes that came.\nFor many, select rows in the list and press Download in the bar. The ZIP holds a manifest with the hash of each file.',
  link: 'Put evidence into a case',
  linkWords: 'link add to case attach file under incident move',
  linkSteps:
    'Select rows in the list with Space and press Link to case in the bar.\nOr open the case and press Add beside its evidence.',
  createCase: 'Create a case',
  createCaseWords: 'new case open incident report start file',
  createCaseSteps:
    'Press New case, or N in the list of cases.\nGive a title. What happened, when, where, category and department can follow later. What you type is kept as a draft.',
  share: 'Share a case with a colleague',
  shareWords: 'share give access permission colleague let see guest prosecutor detective',
  shareSteps:
    'Open the case and press Share.\nChoose the person, and what they may do: View, Download, Edit or Manage. Add an end if it is for a time.',
  task: 'Give somebody a task on a case',
  taskWords: 'task todo to-do assign due deadline remind reminder action',
  taskSteps:
    'Open the case and press + beside Tasks.\nSay what is to be done, by which day and by whom. The person gets a notice, and finds the task under Today.\nTick it off when it is done.',
  mention: 'Ask a colleague in a note',
  mentionWords: 'mention @ at comment tell ask note message colleague name',
  mentionSteps:
    'Write a note on the case or the evidence. Type @ and the beginning of the name, choose the person with Enter.\nThey get a notice. You are told where somebody cannot view it.',
  askAccess: 'Ask for access to a case',
  askAccessWords: 'request access denied forbidden cannot open permission not allowed rights',
  askAccessSteps:
    'Open the case by its link or number and press Ask for access. Where you may only view it, the menu has Ask for more access.\nSay what you need and why. Those who manage the case decide; you get a notice.',
  handOver: 'Hand over my cases',
  handOverWords: 'handover hand over transfer leave holiday replace successor reassign take over caseload',
  handOverSteps:
    'Go to Cases, open the menu with the three dots and press Hand over my cases.\nChoose the person, and whether you keep View. Your open tasks on these cases go with them. An administrator hands over the cases of others in Administration, Users.',
  follow: 'Hear of changes in a case',
  followWords: 'follow notify notification watch subscribe alert updates',
  followSteps:
    'Open the case and press Follow. The bell tells you what others changed.\nToday shows your cases and how much changed since you were there.',
  calls: 'See which calls were not recorded',
  callsWords: 'call dispatch cad missing footage without video incident not recorded coverage',
  callsSteps:
    'Open Calls and footage and choose the shift or the week.\nAn empty bar is a call without a recording. Open it to see why.',
  review: 'Confirm or reject links that the station made',
  reviewWords: 'automatic link confirm reject wrong case review suggestion',
  reviewSteps:
    'Open Review. Each line says what the station would link or remove, and why.\nConfirm or reject it. Your answer is recorded.',
  package: 'Create a package for court, prosecution or defence',
  packageWords:
    'send court package disclosure bundle prosecutor prosecution defence lawyer export evidence hand over handover signed zip certificate exhibit receipt verify recipient usb stick drive disc dvd encrypt password passphrase',
  packageSteps:
    'Open the case and choose Create a package in its menu, or select items in the list of evidence and choose it there.\nSay for whom it is, where it goes, what goes in beside the originals, and which papers are needed. Press Ctrl Enter.\nTo write it onto a drive, connect one to the station and do this at the station itself. Encrypt asks for a passphrase; give it to the recipient another way.\nThe station makes it while you go on. Under Packages it says how far it is; download it there, or take the drive out.\nGive the recipient the package, and apart from it the receipt, on paper. VERIFY.txt in the package says how it is checked without Sallyport.',
  disclose: 'Record what was disclosed, and to whom',
  discloseWords:
    'disclosure disclosed discovery supplement due withheld unused material schedule MG6C MG6D MG6E receipt acknowledge signature given to counsel',
  discloseSteps:
    'Open the case. Under Disclosure, press the plus.\nSay who gets it and by what, choose a package or evidence, and name what is withheld and why. Press Ctrl Enter.\nUnder Papers of the record, print the receipt and have it signed.\nChoose Acknowledge and add the scan, or name two people who were there.\nWhen a supplement is due, the case and the page Disclosure say what changed; Supplement begins with it.',
  restrict: 'Keep evidence from being disclosed',
  restrictWords:
    'do not disclose privileged sealed restriction informant source sensitive public interest immunity lift withhold',
  restrictSteps:
    'Open the evidence and choose Restrict disclosure in its menu.\nChoose Do not disclose, Privileged or Sealed, and give a reason.\nIt goes into no package and no disclosure until somebody lifts it, with a reason, in the note below its title.',
  shareLink: 'Show evidence to somebody without an account',
  shareLinkWords: 'outside guest link lawyer insurer external code expiry watermark recall openings email',
  shareLinkSteps:
    'Open the evidence, or select some, and choose Share by link under More.\nSay for whom it is, for how many days, and whether they may download the originals.\nGive the address one way and the code another way. Both are shown once.\nUnder Links you see who opened it, and recall it.',
  prove: 'Prove that a file was not changed',
  proveWords: 'hash sha256 integrity authentic tamper verify prove court checksum',
  proveSteps:
    'Open the evidence. The SHA-256 of each file stands beside it.\nPress H: the file is read again in front of you and says Matches or Changed on disk.\nAnybody can check a download with sha256sum.',
  custody: 'See who viewed, changed or downloaded it',
  custodyWords: 'custody chain audit log who history viewed accessed trail',
  custodySteps:
    'Open the evidence and press Shift D.\nActs stand first; views are folded into one line a visit. The browser checks the chain in front of you.\nExport everything as CSV or JSON for a court or a defence expert.',
  protect: 'Keep evidence from being deleted',
  protectWords: 'hold legal hold protect keep freeze preserve lock do not delete',
  protectSteps:
    'Open the evidence or the case, and press Protect.\nGive a reason, and a day on which it ends if there is one. Nothing can delete it until then.',
  restore: 'Bring back something deleted',
  restoreWords: 'undelete recycle bin restore recover undo trash lost deleted',
  restoreSteps:
    'Right after deleting, press Undo or Ctrl Z.\nLater, open Recycle bin in the list of evidence or cases, select it and press Restore.',
  delete: 'Delete evidence',
  deleteWords: 'delete remove erase destroy get rid wrong upload',
  deleteSteps:
    'Select it in the list and press Delete. It goes into the recycle bin, from which it can be restored.\nNothing is destroyed by one person: what is due stands under Disposition, and two people must agree.',
  undo: 'Undo what I did',
  undoWords: 'undo mistake revert take back wrong change oops ctrl z go back',
  undoSteps:
    'Press Undo in the message at the foot of the window, or Ctrl Z.\nLater, press Ctrl Z again or open Undo list in your menu: it keeps what you did for 30 minutes.\nWhat somebody else changed meanwhile stays as they left it.',
  jobs: 'See why something is still processing, or failed',
  jobsWords: 'processing stuck waiting failed job error retry converting slow',
  jobsSteps:
    'Press Ctrl J. Each line says which file, what is done to it and how far it is.\nPress Retry on what failed. The original is safe either way.',
  password: 'Change my password, add a passkey or a code',
  passwordWords: 'password change forgot passkey authenticator two-step recovery code sign in',
  passwordSteps:
    'Open My account.\nChange the password, add an authenticator or a passkey, and print the recovery codes.',
  lock: 'Lock the screen when I leave',
  lockWords: 'lock screen leave away desk log out sign out',
  lockSteps: 'Press Ctrl Shift L, or Lock at the top. Uploads go on, and you come back to the same place.',
  appearance: 'Change the language or the colours',
  appearanceWords: 'language french english dark mode theme contrast bigger text size',
  appearanceSteps:
    'Open the menu with your name, at the top right.\nChoose language, light, dark or high contrast, and how close the lines stand. Ctrl + makes everything larger.',
  keys: 'See every key',
  keysWords: 'keyboard shortcuts keys hotkeys faster',
  keysSteps: 'Press ? anywhere outside a field.',
  sampleData: 'Try the station with sample data, and remove it',
  sampleDataWords: 'sample demo example test data try training practice play learn first steps remove throw away',
  sampleDataSteps:
    'Press Add sample data: two cases with videos, pictures and documents are made. This is for a station without evidence of its own.\nOpen anything, write notes, cut clips. Each title begins with “Sample:”, and everything has the tag sample.\nPress Remove sample data when you are done: all of it goes, also what people made of it. The ledger keeps that it was there.',
  addPerson: 'Add a person, or free a locked account',
  addPersonWords: 'user new colleague account unlock locked out reset password create people',
  addPersonSteps:
    'Open Administration, Users, and press Add user.\nTo free a locked account or to set a new first password, open the person.\nRights of the whole station are under Rights: a column for each group, and one for all people, which opens.',
  retention: 'Set how long evidence is kept',
  retentionWords: 'retention days category keep period policy delete after',
  retentionSteps:
    'Open Administration, Categories, and open one.\nChange the days. A preview says what would become due, before anything is saved.',
  lan: 'Let other computers use this station',
  lanWords: 'network lan browser other computer https certificate address connect',
  lanSteps:
    'Open Administration, Network, and follow its steps.\nIt shows the address for others, and the fingerprint that they compare once.',
  backup: 'Set up a backup, check all files',
  backupWords: 'backup copy disk fixity verify all restore disaster integrity check',
  backupSteps:
    'Open Fixity. It says whether there is a backup, and when all files were last read.\nCheck all files now reads every byte again and tells what changed.',
  validation: 'Show that this installation works',
  validationWords: 'validate self-validation validation court accurate proof test installation certificate 902',
  validationSteps:
    'Open Fixity and press Validate now in Self-validation. It takes less than three minutes and touches no evidence.\nThe result is signed and kept. Validate every week repeats it.',
  disposition: 'Approve what is due for destruction',
  dispositionWords: 'destroy disposition approve due expire retention end certificate',
  dispositionSteps:
    'Open Disposition. Each line says why it is due and who asked.\nApprove or keep it. Two people must agree, neither of them the one who asked.',
} as const
