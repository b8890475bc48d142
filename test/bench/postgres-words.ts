/** Words of which the texts of a drawn station on PostgreSQL are made (postgres-rows.ts). */
const words = (text: string): string[] => text.split(' ')

export const ACTS = [
  'Burglary',
  'Theft',
  'Assault',
  'Traffic stop',
  'Welfare check',
  'Noise',
  'Fraud',
  'Arson',
  'Pursuit',
  'Search',
]
export const STREETS = words(
  'Tanner Linden Ferry Orchard Mill Quay Church Station High Park Bridge Castle Kings Queens Harbour Abbey Forge Meadow Chapel Market Foundry Canal Willow Granary Signal Cooper Weaver Saddler Řeznická École',
)
export const STREET_KINDS = words('Row Street Lane Road Close Square')
export const NOUNS = words(
  'door window latch vehicle van bicycle witness suspect officer camera statement interview blood glass footprint jacket knife phone wallet receipt ladder alarm gate fence garden cellar roof stairs kitchen counter till safe bag coat shoe helmet plate driver passenger neighbour caller child dog',
)
export const VERBS = words(
  'entered left broke opened found saw heard reported followed stopped searched seized returned showed took',
)
/** Of the rarer words, three each. */
export const SYLLABLES = words(
  'ba be bo cra da den do fen fi gar gle hal hi ka ker la len lo ma mer mi na nel no pa per ra rin ro sa sel so ta ten ti to tra va ver vi wa wel wo za',
)
export const MAKERS = words('Axon Reveal Motorola Hytera')
export const WEATHER = words('Rain Dry Fog Snow Wind')
