/**
 * What jobs say of themselves: why one failed or waits, and what it does. The station writes it in English into the job, for any client
 * (shared/messages/job-reasons.ts); the window says it in its own language.
 */
export const jobReasons = {
  unreadable: 'No program here could read this file; the original is kept whole and can be downloaded.',
  noPreview: 'This station makes no preview of this kind of file; the original is kept whole and can be downloaded.',
  notAsNamed:
    'The name says {{ending}}, but the content was not recognised as a recording or picture; the original is kept whole and can be downloaded.',
  empty: 'This file is empty.',
  pictureTooLarge:
    'This picture is larger than 64 megapixels, so no preview was made; the original is kept whole and can be downloaded.',
  noPicture: 'This file holds no moving picture; the original is kept whole and can be downloaded.',
  noSound: 'This file holds no sound that can be read; the original is kept whole and can be downloaded.',
  tooMuch:
    'Making a copy to look at took more time or memory than is allowed; the original is kept whole and can be downloaded.',
  copyDiffers:
    'The copy made for playing did not agree with the original ({{what}}), so it was not kept; the original is kept whole and can be downloaded.',
  notInstalled: '{{tool}} is not installed on this station; this is done as soon as it is.',
  noH264: 'The ffmpeg on this station cannot write H.264; this is done as soon as one that can is installed.',
  needsFfmpeg: 'This recording needs ffmpeg, which is not installed on this station; it is done as soon as it is.',
  frameMissing: 'The original does not give up this frame: none with its time could be read from it.',
  resourceGone: 'The resource is not there any more.',

  nothingWritten: 'nothing was written',
  notReadBack: 'it cannot be read back',
  holdsNoPicture: 'it holds no picture',
  wouldNotPlay: 'it would not play in a browser',
  otherSize: 'another size',
  otherRotation: 'another rotation',
  otherPictures: '{{got}} of {{wanted}} pictures',
  otherSpan: '{{got}} of {{wanted}} ms',
  soundMissing: 'the sound is missing',
  soundTrackMissing: 'a sound track is missing',
  holdsMore: 'it holds more than pictures and sound',
  otherFramesShown: 'it shows {{shown}} of {{wanted}} frames',
  otherFramesStored: 'it stores {{stored}} frames and shows {{shown}}',
  unheardSound: 'it stores sound that is not heard',
  otherFrames: 'its frames are not those of the original',

  recordingGone: 'The recording is not there any more.',
  recordingEnds: 'The recording ends at {{seconds}} seconds.',
  clipForbidden: 'Whoever asked for this clip may not change this evidence any more, so it was not kept.',
  noTimes:
    'The pictures of this recording carry no times, or lean on each other throughout, so its stream cannot be cut. An exact clip can be made.',
  wrongFrames: 'The frames of the clip are not the chosen ones, so it was not kept.',
  clipFailed: 'The clip did not pass its own check ({{what}}), so it was not kept.',

  noFont: 'The font of the mark is not there, so no copy was made.',
  noFfmpegForMark: 'ffmpeg is not installed on this station; the copy is made as soon as it is.',
  noLetters: 'The ffmpeg on this station cannot draw letters; the copy is made as soon as one that can is installed.',
  noLongerShared: 'It may not be shared any more: restricted, deleted, or its right was taken away.',
  notPlayableYet: 'The file is not ready for playing yet.',
  nothingToMark: 'This station can show nothing of this file, so there is no copy with a mark.',

  noBytes: 'The resource has no bytes.',
  bytesElsewhere: 'The bytes are at {{address}}, with a receipt.',
  noReceipt: 'There is no receipt for this file.',
  notConnected: 'The bytes are at {{address}}, and this station is not connected to it.',
  headquartersAway: 'Headquarters does not answer: {{why}}',
  otherBytes: 'Headquarters gave other bytes than it confirmed. Nothing was taken in.',
  recordingFirst: 'The files of this recording are looked at first.',

  givenUp: 'Given up: every attempt ended early.',
  cancelled: 'Cancelled.',
  triedAgain: 'Attempt {{attempt}} failed; it is tried again.',
  failedOften: 'It failed {{times}} times and was given up. {{why}}',

  lookingAtFile: 'Looking at the file',
  copying: 'Copying into an MP4',
  converting: 'Converting to MP4',
  checkingCopy: 'Checking the copy',
  lookingForFrames: 'Looking for the frames',
  makingClip: 'Making the clip',
  checkingClip: 'Checking the clip',
  comparingClip: 'Comparing the clip with the original, frame by frame',
  drawingStrip: 'Drawing the strip',
  listening: 'Listening to the sound',
  readingOriginal: 'Reading the original',
  readingBack: 'Reading back from the disk',
  fetching: 'Fetching from {{address}}',
  fetched: 'Fetched, and the hash is right.',

  blobMissing: 'The file is not on the disk any more.',
  blobChanged: 'The bytes on the disk are others now.',
  blobUnreadable: 'The bytes could not be read: {{problem}}',
  blobSame: 'Unchanged, read from the disk.',
  blobSameInCache: 'Unchanged, read through cache.',
} as const
