/**
 * Why a connection or the LAN does not work. The station writes it in English (shared/messages/connection-reasons.ts); the window says it in
 * its own language.
 */
export const connectionReasons = {
  refused: 'Nothing listens at this address: the connection was refused.',
  closed: 'The connection was closed before an answer came.',
  noAnswer: 'No answer came in time.',
  notMade: 'The connection could not be made in time.',
  unreachable: 'This address cannot be reached: check the network.',
  unknownName: 'The name of this address was not found: check the address and the network.',
  certificateExpired: 'The certificate there has expired.',
  certificateOther: 'The certificate there is for another name.',
  certificateUntrusted: 'The certificate there is signed by nobody that this machine trusts.',
  tooLong: 'Its answer is too long.',
  tokenServiceAnswered: 'The token service answered {{status}}.',
  fileRefusedBecause: 'Headquarters does not accept the connection file: {{why}}.',
  fileRefused: 'Headquarters does not accept the connection file ({{status}}).',
  answered: 'Headquarters answered {{status}}.',
  answeredWhy: 'Headquarters answered {{status}}: {{why}}',
  otherServer: 'Something that is not headquarters answered {{status}}.',
  otherAnswer: 'The answer of headquarters is not what the interfaces say.',
  noBytes: 'Headquarters does not give the bytes ({{status}}).',
  uploadAnswered: 'The upload answered {{status}} {{code}}.',
  uploadRefused: 'Headquarters refuses the upload: {{code}}.',
  caseRefused:
    'Headquarters lets this station neither create nor change the case "{{title}}": its integration needs CreateCases, and Edit on that case.',
  otherCustodyHash: 'Headquarters confirmed another hash for the custody record.',
  custodyNotKept: 'Headquarters did not keep the custody record, three times.',
  otherBytes: 'Headquarters got other bytes than the hash says, three times. Check the original here.',
  uploadNotKept: 'Headquarters did not keep an upload, three times.',
  otherHash: 'Headquarters confirmed another hash ({{hash}}). There is no receipt.',
  fileNotOpened: 'Its connection file cannot be opened by the keys of now. Import it again.',
  portTaken: 'Another program listens at {{address}}. Choose another port, or end that program.',
  portOfSystem: 'The station may not listen at {{address}}: ports below 1024 belong to the system. Choose another.',
  hostMissing: 'This machine does not have the address {{host}}, which SALLYPORT_LAN_HOST names.',
  notAnnounced:
    'Other machines are not told of the station by mDNS: {{why}}. They find it by its address all the same.',
  onNoNetwork: 'this machine is on no network',
} as const
