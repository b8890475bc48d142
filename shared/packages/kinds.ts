/** Words of packages that stand in files, in the contract and in the database (docs/decisions/0034). */

/** For whom a package is made. */
export const PACKAGE_VARIANTS = ['prosecution', 'defence', 'court'] as const
export type PackageVariant = (typeof PACKAGE_VARIANTS)[number]

export const ITEM_KINDS = ['original', 'copy', 'clip', 'redacted', 'still', 'report'] as const
export type ItemKind = (typeof ITEM_KINDS)[number]

/** What may be in a package beside the originals. */
export const PACKAGE_PARTS = ['copies', 'clips', 'stills', 'redacted'] as const
export type PackagePart = (typeof PACKAGE_PARTS)[number]

/** Papers that a person signs. FRE 902(13), 902(14); a statement that produces exhibits, as used in England and Wales. */
export const PACKAGE_PAPERS = ['certificate-902-14', 'certificate-902-13', 'exhibit-statement'] as const
export type PackagePaper = (typeof PACKAGE_PAPERS)[number]

export const PACKAGE_LANGUAGES = ['en', 'fr'] as const
export type PackageLanguage = (typeof PACKAGE_LANGUAGES)[number]

export const PACKAGE_FORMS = ['folder', 'zip', 'iso'] as const
export type PackageForm = (typeof PACKAGE_FORMS)[number]

/** Of a passphrase, at least: whoever finds the container may try as many as they like. */
export const PASSPHRASE_LENGTH = 12

/** Why evidence that was chosen does not go into a package. */
export const LEFT_OUT = ['deleted', 'incomplete', 'forwarded', 'restricted'] as const
export type WhyLeftOut = (typeof LEFT_OUT)[number]

/** Who outside the station can vouch for a package: an authority, the certificate of the agency, paired stations. */
export const WITNESS_KINDS = ['timestamp', 'signature', 'cosignature'] as const
export type WitnessKind = (typeof WITNESS_KINDS)[number]

/** As people read it: P000012. */
export const packageNumber = (id: number | string): string => `P${String(id).padStart(6, '0')}`
