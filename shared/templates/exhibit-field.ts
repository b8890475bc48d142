/** What stations call the field that holds the number of an exhibit. */
const CALLED = /exhibit|scell[ée]|pi[èe]ce/i

export const isExhibitField = (name: string): boolean => CALLED.test(name.normalize('NFC'))
