/**
 * Digests of the schema that the steps up to a version make, as servers describe it (../schema-check.ts). A version without its digest is
 * compared the slow way. `test/database/schema-check.test.ts` makes them from the steps.
 */
export const KNOWN_SCHEMAS: Readonly<Record<number, readonly string[]>> = {
  11: ['RYcBu39gMdyDp5xIAqkb7CTJVbq-XXeHyILalG5nITI'],
  12: ['hy5UKMYPb1WX94nw4xi2MdbjMs4XC-3dpnfhq8R9T0Y'],
  13: ['97Q9WtslG4Ws7jGvx6njKzrqYKdcmt4RRwI4fDc1SbQ'],
  14: ['sDgaFgMnyaZKN-5FYMLZdHTrAMj_9gNyUG40WT4wnkA'],
  15: ['vrpFcOSXxXXT_gEKMJ7zVj2vKSkFDT8S3FblR7OlSoo'],
  16: ['Um8vayDBfgIsIPYZ3uzNRyG3Qlfqyr1MkIkycc3S3o4'],
  17: ['Mfhh0F3zUKDSoByap8cXNRX6QHeNoIBZz3DzQBiJn-4'],
}
