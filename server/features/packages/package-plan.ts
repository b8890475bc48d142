/** What making a package begins with. */
import type {
  ItemKind,
  PackageForm,
  PackageLanguage,
  PackagePaper,
  PackagePart,
  PackageVariant,
} from '../../../shared/packages/kinds.ts'
import type { Database, Tx } from '../../kernel/database/database.ts'
import type { AskedToCosign, Cosigned } from '../../kernel/ledger/cosignature.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { createLedgerTree } from '../../kernel/ledger/tree.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { StationKeys } from '../../platform/secrets/keys.ts'
import type { CmsSigner } from '../../platform/signatures/cms-signature.ts'
import type { TimestampAuthority } from '../../platform/timestamps/timestamp-authority.ts'
import type { BlobStore } from '../../storage/store.ts'
import type { LeftOut } from './collect.ts'
import type { PackagedItem, WithheldItem } from './format/items.ts'
import type * as rows from './packages.store.ts'
import type { Supplemented } from './supplement.ts'

/** A self-validation as it goes along with a package. */
export interface AttachedValidation {
  /** Of its entry in the ledger. */
  readonly name: string
  /** The signed bytes. */
  readonly text: string
  readonly signature: Uint8Array
  readonly sha256: string
  readonly result: {
    readonly startedUtc: string
    readonly counts: { readonly ok: number }
    readonly checks: readonly { readonly name: string; readonly result: string; readonly problem: string | null }[]
  }
}

/** What goes along about what is not in a package. */
export interface DescribedPackage {
  /** That its recipient is told of. */
  readonly withheld: readonly WithheldItem[]
  /** How many more the recipient may know to exist. */
  readonly unnamed: number
  /** Schedules. */
  readonly files: readonly (readonly [path: string, content: string | Uint8Array])[]
}

/** What may not leave, and what stands on the schedules: supplied by disclosure (docs/decisions/0035). */
export interface PackageGate<Described extends DescribedPackage = DescribedPackage> {
  /** Of these, evidence that may not leave the station, with the kinds of its restrictions. */
  restrictedAmong(from: Tx, evidenceIds: readonly number[]): Promise<ReadonlyMap<number, readonly string[]>>
  /** Whether the recipient may know that there is something of which they are told nothing else. */
  tellsCount(variant: PackageVariant): boolean
  describe(
    from: Tx,
    about: {
      readonly caseId: number | null
      readonly caseTitle: string
      readonly variant: PackageVariant
      readonly language: PackageLanguage
      readonly packageId: string
      readonly madeUtc: string
      readonly items: readonly (Pick<PackagedItem, 'no' | 'path' | 'evidenceId' | 'resourceId' | 'bytes' | 'sha256'> & {
        readonly kind: ItemKind
      })[]
      readonly withheld: readonly number[]
    },
  ): Promise<Described>
  /** In the transaction that records the package. @returns false when what was described does not hold any more */
  settle(tx: Tx, described: Described): Promise<boolean>
}

export interface PackageDeps {
  readonly db: Database
  readonly ledger: Ledger
  readonly clock: Clock
  readonly store: Pick<BlobStore, 'localCopy'>
  readonly keys: Pick<StationKeys, 'signing' | 'packages'>
  readonly origin: string
  readonly stationName: string
  readonly timeZone: string
  readonly version: string
  /** The newest self-validation whose signature holds; null where there is none. */
  readonly newestValidation: () => Promise<AttachedValidation | null>
  /** Whose timestamps are asked for; null where no authority is set. @throws TimestampRefused when its certificates cannot be read */
  readonly timestamps: () => Promise<TimestampAuthority | null>
  /** Who signs for the agency; null where no certificate is set. @throws SignatureProblem when its files cannot be used */
  readonly agencySigner: () => Promise<CmsSigner | null>
  /** Asks paired stations to co-sign the head of the ledger over so many entries; null where none is paired. */
  readonly cosigned: (size: number, asked: AskedToCosign) => Promise<Cosigned | null>
  /** A small JPEG of a picture, for paper; null where none can be drawn. */
  readonly smallPicture: (path: string, signal?: AbortSignal) => Promise<Buffer | null>
  /** Where xorriso and 7z are looked for, and nowhere else; undefined: the usual folders of the system. */
  readonly toolFolders: readonly string[] | undefined
  /** Where an agency keeps templates of its own. */
  readonly templates: string
  /** For large texts of packages while they are made: a folder of the station. */
  readonly texts: string
  readonly gate: PackageGate
}

export interface Maker extends PackageDeps {
  readonly tree: ReturnType<typeof createLedgerTree>
}

export interface Plan {
  readonly items: readonly PackagedItem[]
  readonly leftOut: readonly LeftOut[]
  readonly evidenceIds: readonly number[]
  /** Evidence of the case that may not leave. */
  readonly withheld: readonly number[]
  readonly title: string
  readonly case: { readonly id: number; readonly number: string } | null
  /** The package to which this one adds; null: none. */
  readonly supplements: Supplemented | null
}

export interface PackageAsked {
  /** A case, some of its evidence, or evidence by its ids. */
  readonly of:
    | { readonly caseId: string; readonly evidenceIds?: readonly string[] }
    | { readonly evidenceIds: readonly string[] }
  /** Of a package of no case; otherwise the title of the first evidence. */
  readonly title?: string
  readonly form: PackageForm
  /** On the machine of the station: an existing folder in which the package becomes a folder, or the file that it becomes, in an existing folder. */
  readonly target: string
  /** The package is put into an encrypted container. Null: it is not. */
  readonly passphrase: string | null
  readonly variant: PackageVariant
  readonly parts: readonly PackagePart[]
  /** That a person signs, in this language. */
  readonly papers: readonly PackagePaper[]
  readonly language: PackageLanguage
  /** The package to which it adds what is not in it; null: none. */
  readonly supplements: number | null
  /** It is part of an export of the whole station, and made for no recipient. */
  readonly isOfExport?: true
}

export interface Begun {
  readonly plan: Plan
  readonly row: rows.PackageRow
  /** The last entry of the ledger that is in the package, at least. */
  readonly seq: number
}

export const idOfNumber = ({ origin }: Pick<PackageDeps, 'origin'>, id: number): string => `${origin}/package/${id}`

export const idOf = (deps: PackageDeps, row: rows.PackageRow): string => idOfNumber(deps, row.package_id)

export const programOf = ({ version }: PackageDeps): string => `Sallyport ${version}`
