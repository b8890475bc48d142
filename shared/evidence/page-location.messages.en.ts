/** Where it was. */
export const where = {
  map: 'Map of the position',
  mapLoading: 'Loading the map',
  whereNone: 'No location.',
  whereUnreadable: 'The position cannot be read; it stands in Details as it came.',
  sourceGps: 'GPS, from the file',
  sourceTyped: 'given when it was added',
  sourceUnknown: 'for its source see Custody',
  track_one: 'Track of {{shown}} point, {{from}} to {{to}}',
  track_other: 'Track of {{shown}} points, {{from}} to {{to}}',
  area_one: 'Area of {{shown}} corner, from {{from}}',
  area_other: 'Area of {{shown}} corners, from {{from}}',
} as const
