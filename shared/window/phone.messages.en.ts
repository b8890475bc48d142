/** What only a small screen says: what is behind More, and scanning a label. */
export const phone = {
  otherAreas: 'Other areas',
  scan: 'Scan a label',
  scanLead: 'Photograph the square code of a label or of a printed page. It opens the evidence or the case.',
  scanPhotograph: 'Photograph the code',
  scanCannot: 'This browser cannot read codes',
  scanCannotBody: 'Type the number that is printed beside the code. Chrome on Android can read codes.',
  scanNoCode: 'No code was found in the photograph',
  scanNoCodeBody: 'Hold the phone straight above the label, close enough that the code fills half of the picture.',
  scanNoLabel: 'This code is not a label of a station',
  scanNoLabelBody: 'Nothing was opened. Type the number that is printed on the label.',
  scanElsewhere: 'This label names another address: {{host}}',
  scanElsewhereBody:
    'It may be from another station, so nothing was opened. If it was printed here, open its number below and compare the title.',
  scanNumber: 'Number of the evidence or case',
  scanNumberHint: 'As printed on the label.',
  scanOpen: 'Open',
  scanNothing: 'Nothing that you can view has this number',
  scanNothingBody: 'Check the number. If it is right, ask somebody who has the evidence or the case to share it.',
  scanSeveral: 'Several have this number',
} as const
