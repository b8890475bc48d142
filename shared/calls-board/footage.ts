/** Whether a call is covered by what an officer recorded, and the one reason that is told first. */
export const FOOTAGE_STATES = ['Covered', 'Partly', 'None', 'NotDocked', 'CameraFailed'] as const
export type FootageState = (typeof FOOTAGE_STATES)[number]

export const FOOTAGE_REASONS = [
  'Recorded',
  'StartsLate',
  'EndsEarly',
  'Interrupted',
  'NotRecorded',
  'NoCamera',
  'CameraInactive',
  'AssociationWaits',
  'Refused',
  'CamerasNotTold',
  'NotDockedSince',
  'Docking',
  'PulledEarly',
  'DockingFailed',
  'FilesFailed',
] as const
export type FootageReason = (typeof FOOTAGE_REASONS)[number]
