/** In place of the player: what is being made, and why nothing is shown. */
export const stage = {
  making: 'Creating: {{what}}',
  makingInspect: 'Identifying the file type',
  makingClip: 'Creating a clip',
  makingCheck: 'Reading back from the disk',
  workQueued: 'Waiting for its turn',
  workChanges: 'The original is whole and safe. This page changes by itself.',
  cardOpen: 'The upload is not finished',
  cardOpenDo: 'It goes on where it began, or from the list of uploads.',
  cardRefused: 'What arrived is not what was announced',
  cardRefusedDo: 'The bytes are set aside. Add the file again from its source.',
  cardFailed: 'Not successful: {{making}}',
  cardWhole: 'The original is whole.',
  cardWholeDownload: 'The original is whole and can be downloaded.',
  cardNotShown: 'No preview for this file type',
  cardNotShownDo: 'It is kept as it came ({{type}}). Download it and open it with the program that created it.',
  cardNotShownRight: 'Your right to this evidence is to view it. Showing this file takes the right to download.',
} as const
