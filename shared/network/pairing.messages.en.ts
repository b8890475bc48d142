/** The page another computer opens to be paired, before anybody signs in. */
export const pairing = {
  title: 'Pair this computer',
  titleOf: 'Pair this computer with {{station}}',
  lead: 'Once it is paired, its browser knows the station and no longer warns. It takes five minutes, and requires the rights to change the system’s certificates.',
  offTitle: 'This station is not on its network',
  offBody: 'An administrator puts it there at the station, under Administration, Network. Then open this page again.',
  failedTitle: 'The station does not say how to pair',
  atStationTitle: 'This is the station itself',
  atStationBody: 'Nothing has to be paired here. Open this page on the other computer, at one of these addresses:',
  notSecure: 'This page came unencrypted. Compare the fingerprint all the same.',
  print: 'Print',
  toSignIn: 'To the sign-in',
  compare: 'Compare the words',
  compareHow:
    'The station’s own screen shows eight words, under Administration, Network, Pair another computer. Are they these, in this order?',
  compareNo: 'If one differs, stop, close this page and tell an administrator: it is not that station that answers.',
  take: 'Download the CA',
  takeHow:
    'The certificate authority (CA) of the station. It can vouch for this station’s names and for private addresses, and for nothing on the Internet.',
  takeDer: 'Download the CA',
  takePem: 'as PEM',
  check: 'Check what was downloaded',
  checkHow:
    'Anybody between the two computers could have copied the words. What cannot be copied is the fingerprint of the file: let this computer compute it, and compare it with the one on the station’s screen.',
  fingerprint: 'Fingerprint, SHA-256, as this page says it',
  fingerprintCopy: 'the fingerprint',
  validTo: 'The CA is valid to {{when}}.',
  trust: 'Let this computer trust it',
  trustHow: 'Each system has its own way. Yours stands first.',
  yours: 'this computer',
  yourBrowser: 'this browser',
  done: 'Open the station',
  doneHow: 'At one of these addresses. When no warning comes, this computer is paired.',
  copyAddress: 'Copy {{address}}',
  copyCommand: 'the command',

  windows: 'Windows',
  windowsBrowsers: 'For Edge and Chrome too, and for Firefox unless it was told otherwise.',
  windowsCheck: 'Open a command prompt in the folder of the download, and compare what this prints:',
  windows1: 'Open the downloaded file {{file}} and choose *Install Certificate*.',
  windows2:
    'Choose *Local Machine* (for everybody at this computer) or *Current User*, then *Place all certificates in the following store*, *Browse*, *Trusted Root Certification Authorities*.',
  windows3: 'Finish, and start the browser again.',
  windowsMany: 'As administrator the same in one line; for many computers a group policy does it:',

  macos: 'macOS',
  macosBrowsers: 'For Safari and Chrome too, and for Firefox unless it was told otherwise.',
  macosCheck: 'In Terminal, compare what this prints:',
  macos1: 'Open the downloaded file {{file}}. Keychain Access asks for a keychain: choose *System*.',
  macos2:
    'Open the certificate {{name}} there, open *Trust*, and choose *Always Trust* for *When using this certificate*.',
  macos3: 'Close it; the system asks for your password. Start the browser again.',
  macosMany: 'The same in one line:',

  linux: 'Linux',
  linuxBrowsers:
    'For curl, openssl and programs that use the system’s own list. Browsers have lists of their own: see Chrome and Firefox.',
  linuxCheck: 'Compare what this prints:',
  linux1: 'On Debian and Ubuntu:',
  linux2: 'On Fedora and its like:',

  chrome: 'Chrome, Chromium and Edge on Linux',
  chromeBrowsers: 'On Windows, macOS and Android they use the system’s list: nothing more is to be done.',
  chrome1: 'Open *chrome://certificate-manager*, *Custom* or *Local certificates*, then *Installed by you*.',
  chrome2: 'Beside *Trusted certificates* choose *Import*, then the downloaded file {{file}}.',
  chrome3:
    'Older ones have it under *chrome://settings/certificates*, *Authorities*: tick *Trust this certificate for identifying websites*.',
  chromeMany: 'The same in one line (package libnss3-tools):',

  firefox: 'Firefox',
  firefoxBrowsers: 'On Windows and macOS it takes over what the system trusts; on Linux it has its own list.',
  firefox1:
    'Open *Settings*, *Privacy & Security*, *Certificates*, *View Certificates*, *Authorities*, and choose *Import*.',
  firefox2:
    'Choose the downloaded file {{file}}, then *View*: compare the SHA-256 fingerprint with the one on the station’s screen.',
  firefox3: 'Tick *Trust this CA to identify websites*.',

  ios: 'iPhone and iPad',
  iosBrowsers: 'For Safari and every other browser there.',
  ios1: 'Download the CA in Safari and allow the profile.',
  ios2: 'Open *Settings*, *Profile Downloaded*, *More Details*, the certificate: compare the SHA-256 fingerprint. Then choose *Install*.',
  ios3: 'Open *Settings*, *General*, *About*, *Certificate Trust Settings*, and turn {{name}} on.',

  android: 'Android',
  androidBrowsers:
    'For Chrome. In Firefox for Android certificates that you installed have to be allowed in its own settings.',
  android1:
    'Download the CA. Open *Settings*, *Security*, *More security settings*, *Encryption & credentials*, *Install a certificate*, *CA certificate*, and choose the file.',
  android2:
    'Open *Trusted credentials*, *User*, and the certificate: compare the SHA-256 fingerprint. If it differs, choose *Remove*.',
  android3:
    'The names of these menus differ a little by maker. A device that is managed may take it from its administrator alone.',
} as const
