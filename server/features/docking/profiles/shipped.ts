import { Profile } from './profile.ts'

/** The profiles that come with the station. Written as a file in the drop-in folder would be. */

const VIDEO = ['mp4', 'mov', 'avi', 'mkv', 'm4v', 'ts', 'mts', '3gp', 'asf', 'wmv', 'h264', 'h265']
const SOUND = ['wav', 'mp3', 'm4a', 'aac', 'amr', 'ogg']
const PICTURE = ['jpg', 'jpeg', 'png', 'heic', 'heif', 'webp', 'tif', 'tiff', 'dng']

/** For makers: a camera that describes itself. */
const manifest = {
  format: 'sallyport-profile/1',
  id: 'manifest',
  name: 'Camera with a manifest',
  rank: 90,
  match: { markers: ['camera.json'] },
  identity: { manufacturer: null, model: null, serial: ['manifest', 'usb'] },
  manifest: 'camera.json',
  configuration: 'sallyport/configuration.json',
  media: { folders: ['**'], extensions: [...VIDEO, ...SOUND, ...PICTURE] },
  time: { zone: 'utc', modified: 'end' },
  clock: 'manifest',
  clear: { media: true, sidecars: true, never: ['camera.json'] },
}

/**
 * A police video recorder that writes to a removable card: a folder a day, the name an officer or a car is given, a sign for parts that go
 * on, another for an event.
 */
const dailyRecorder = {
  format: 'sallyport-profile/1',
  id: 'daily-police-recorder',
  name: 'Police recorder with a folder a day',
  source:
    'Havis-Shields PT-VIDEO-MDVR manual, page 19, "Compact Flash File Structure": manualsdump.com/en/manuals/havis-shields-pt-video-mdvr/189973/25',
  rank: 60,
  match: { media: true },
  identity: { manufacturer: 'Havis-Shields', model: 'PT-VIDEO-MDVR', serial: ['usb', 'filesystem'] },
  media: {
    folders: ['*.*.*/**'],
    extensions: ['avi'],
    // The manual describes the sign of an event as # and shows it as *; a name on FAT cannot hold a *, on others it can.
    names: [
      '[{officer:text}_]{MMM}.{dd}.{yyyy}_{HH}.{mm}.{ss}[{continues=+}][{event=#|*}].avi',
      // A name of all fourteen characters has no underscore behind it.
      '{officer:text(14)}{MMM}.{dd}.{yyyy}_{HH}.{mm}.{ss}[{continues=+}][{event=#|*}].avi',
    ],
  },
  time: { zone: 'station', modified: 'end' },
  join: { by: 'continues', partSeconds: 600, toleranceSeconds: 15 },
  marks: [{ field: 'event', label: 'Event' }],
  clear: { media: true, sidecars: false },
}

/** Recorders that fill files of a minute, tell by a letter why they record, and write where they were beside it. */
const minuteRecorder = {
  format: 'sallyport-profile/1',
  id: 'minute-recorder',
  name: 'Recorder with files of a minute and GPS beside them',
  source:
    'BlackVue: "What types of recording or file does the BlackVue camera create?", helpcenter.blackvue.com/hc/en-us/articles/360055596392; names and extensions: README of github.com/tfindlay-au/BlackvueDownloader',
  rank: 60,
  match: { media: true, folders: ['BlackVue/Record'] },
  identity: { manufacturer: 'BlackVue', model: null, serial: ['usb', 'filesystem'] },
  media: {
    folders: ['BlackVue/Record/**', 'Record/**'],
    extensions: ['mp4'],
    names: ['{yyyy}{MM}{dd}_{HH}{mm}{ss}_{type:letters(1)}[{channel=F|R|I}].mp4'],
  },
  time: { zone: 'station', modified: 'end' },
  join: { by: 'gap', partSeconds: 60, toleranceSeconds: 3 },
  marks: [
    { field: 'type', values: ['E', 'I'], label: 'Impact' },
    { field: 'type', values: ['O'], label: 'Overspeed' },
    { field: 'type', values: ['A', 'T', 'B'], label: 'Hard driving' },
    { field: 'type', values: ['M'], label: 'Recorded by hand' },
  ],
  sidecars: [
    { extension: 'gps', as: 'gps', format: 'nmea', match: 'prefix' },
    { extension: '3gf', as: 'keep', match: 'prefix' },
    { extension: 'thm', as: 'keep', match: 'prefix' },
  ],
  clock: 'gps',
  clear: { media: true, sidecars: true },
}

/** Whatever follows the design rule for camera file systems (DCF): CIPA DC-009, JEITA CP-3461. */
const dcim = {
  format: 'sallyport-profile/1',
  id: 'dcim',
  name: 'Any camera with a DCIM folder',
  source: 'CIPA DC-009 (DCF 2.0): the folder DCIM, in it folders of three digits and five characters',
  rank: 10,
  match: { media: true, folders: ['DCIM'] },
  identity: { manufacturer: null, model: null, serial: ['usb', 'filesystem'] },
  media: { folders: ['DCIM/**'], extensions: [...VIDEO, ...SOUND, ...PICTURE] },
  time: { zone: 'station', modified: 'end' },
  sidecars: [
    { extension: 'gpx', as: 'gps', format: 'gpx' },
    { extension: 'thm', as: 'keep' },
    { extension: 'srt', as: 'keep' },
    { extension: 'xmp', as: 'keep' },
    { extension: 'lrv', as: 'keep' },
  ],
  clear: { media: true, sidecars: true },
}

export const shippedProfiles = (): Profile[] =>
  [manifest, dailyRecorder, minuteRecorder, dcim].map((profile) => Profile.parse(profile))
