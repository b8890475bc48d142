/**
 * Digests of the schema that the steps up to a version make, as servers describe it (../schema-check.ts). A version without its digest is
 * compared the slow way. `test/database/schema-check.test.ts` makes them from the steps.
 */
export const KNOWN_SCHEMAS: Readonly<Record<number, readonly string[]>> = {
  11: ['Nfx_6saIukPq6KHNzB1Q5epQqgikHKzq_fmOMbsxMrI'],
  12: ['gFBRe15B5EkWywcPwbxOG6-UQM9AZFwxT7zXZZoDxKM'],
  13: ['2edt7RI95wYyeCsJL3LBcuAxgfmlFpmPBWmoaBFCZts'],
  14: ['W8y_BXsX1stmyJfQLj1exy36Wtln9cBlL1q8Ct2jDqU'],
  15: ['drIEP6tGZWLs2OqNkFKbEEJJLhliu1Ngy8_-Aq7ByBg'],
  16: ['r5SAsYPrQHVEwnYPK5XHAfS_OvcEdxTDiK0TcAfBmUQ'],
  17: ['IpZpvT4LhyO4pFm5cgFpAx_57eGvKVVZnY7oSybxbYY'],
}
