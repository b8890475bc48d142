/** What somebody types into a record of a disclosure, what is missing in it, and what is sent. Pure. */
import { z } from 'zod'
import type * as contract from '../../../shared/disclosure/contract.ts'
import {
  DISCLOSURE_MEDIA,
  RECIPIENT_ROLES,
  type RecipientRole,
  WITHHELD_BASES,
} from '../../../shared/disclosure/kinds.ts'
import type { Disclosure, DisclosureRequest, Due, ProposalInFull, Summary } from '../../client/disclosure/disclosure.ts'
import type { MessageKey } from '../../client/translate.ts'

const WithheldLine = z.object({
  evidenceId: z.string().nullable(),
  /** One of its files; null: all of it. */
  resourceId: z.string().nullable(),
  description: z.string(),
  ground: z.string(),
  basis: z.enum(WITHHELD_BASES),
  reasons: z.string(),
})
export type WithheldLine = z.output<typeof WithheldLine>

const Form = z.object({
  name: z.string(),
  role: z.enum(RECIPIENT_ROLES),
  organisation: z.string(),
  authority: z.string(),
  requestNumber: z.string(),
  /** Days of the calendar. */
  requestDate: z.string().nullable(),
  requestDue: z.string().nullable(),
  source: z.enum(['package', 'evidence']),
  packageId: z.string().nullable(),
  evidenceIds: z.array(z.string()),
  withheld: z.array(WithheldLine),
  medium: z.enum(DISCLOSURE_MEDIA),
  serial: z.string(),
  /** null: now. */
  given: z.string().nullable(),
  /** Why an earlier record is replaced. */
  reason: z.string(),
})
export type Form = z.output<typeof Form>

/** Of the parts of the form. */
export interface PartProps {
  readonly form: Form
  readonly change: (what: Partial<Form>) => void
}

/** A record of its own, one that answers a request, one that goes on from the last one to a recipient, one in place of one that was wrong, or one that was proposed and is proposed again. */
export type Mode =
  | { readonly kind: 'new' }
  | { readonly kind: 'answer'; readonly request: DisclosureRequest }
  | { readonly kind: 'supplement'; readonly last: Summary; readonly due: Due | null }
  | { readonly kind: 'supersede'; readonly wrong: Disclosure }
  | { readonly kind: 'again'; readonly proposal: ProposalInFull; readonly asked: NonNullable<ProposalInFull['Asked']> }

/** Number of the record that another one takes the place of; null: of none. */
export function replacedNo(mode: Mode): number | null {
  if (mode.kind === 'supersede') return mode.wrong.No
  return mode.kind === 'again' ? mode.proposal.Supersedes : null
}

/** What was kept of an earlier try; null where that is none of this program. */
export function keptForm(value: unknown): Form | null {
  const found = Form.safeParse(value)
  return found.success ? found.data : null
}

const EMPTY: Form = {
  name: '',
  role: 'prosecutor',
  organisation: '',
  authority: '',
  requestNumber: '',
  requestDate: null,
  requestDue: null,
  source: 'package',
  packageId: null,
  evidenceIds: [],
  withheld: [],
  medium: 'usb',
  serial: '',
  given: null,
  reason: '',
}

export const EMPTY_LINE: WithheldLine = {
  evidenceId: null,
  resourceId: null,
  description: '',
  ground: '',
  basis: 'MG6C',
  reasons: '',
}

interface CaseNow {
  readonly hasPackage: boolean
  /** Evidence of the case that may be given now. */
  readonly givable: ReadonlySet<string>
  /** Evidence that the station records as withheld by itself. */
  readonly restricted: ReadonlySet<string>
  /** The ground of a line as people read it. */
  readonly groundOf: (line: Disclosure['Withheld'][number]) => string
}

/** What the form begins with. */
export function formOf(mode: Mode, { hasPackage, givable, restricted, groundOf }: CaseNow): Form {
  if (mode.kind === 'new') return { ...EMPTY, source: hasPackage ? 'package' : 'evidence' }
  if (mode.kind === 'answer') {
    const { Recipient, Authority, Number, Date: asked, Due: due } = mode.request
    return {
      ...EMPTY,
      source: hasPackage ? 'package' : 'evidence',
      name: Recipient.Name,
      role: Recipient.Role,
      organisation: Recipient.Organisation,
      authority: Authority,
      requestNumber: Number,
      requestDate: asked,
      requestDue: due,
    }
  }
  if (mode.kind === 'again') return formAgain(mode, givable)
  const { Recipient, Authority, Request, Medium } = mode.kind === 'supplement' ? mode.last : mode.wrong
  const same = {
    ...EMPTY,
    name: Recipient.Name,
    role: Recipient.Role,
    organisation: Recipient.Organisation,
    authority: Authority,
    requestNumber: Request.Number,
    requestDate: Request.Date,
    requestDue: Request.Due,
    medium: Medium,
  }
  if (mode.kind === 'supplement') {
    const owed = (mode.due?.Changes ?? []).flatMap(({ EvidenceId }) => (givable.has(EvidenceId) ? [EvidenceId] : []))
    return { ...same, source: 'evidence', evidenceIds: [...new Set(owed)] }
  }
  const { wrong } = mode
  return {
    ...same,
    source: wrong.Package === null ? 'evidence' : 'package',
    packageId: wrong.Package?.PackageId ?? null,
    evidenceIds:
      wrong.Package === null
        ? [...new Set(wrong.Items.map(({ EvidenceId }) => EvidenceId))].filter((id) => givable.has(id))
        : [],
    withheld: wrong.Withheld.filter(({ Restricted, EvidenceId }) => !Restricted || !restricted.has(EvidenceId)).map(
      (line) => ({
        evidenceId: line.EvidenceId,
        resourceId: line.ResourceId,
        description: line.Description,
        ground: groundOf(line),
        basis: line.Basis,
        reasons: line.Reasons,
      }),
    ),
    serial: wrong.MediumSerial,
    given: wrong.GivenTimeUtc,
  }
}

/** As it was typed, without what may not be given any more. */
function formAgain({ proposal, asked }: Extract<Mode, { kind: 'again' }>, givable: ReadonlySet<string>): Form {
  const { Recipient, Authority, PackageId, Medium, Reason } = proposal
  return {
    name: Recipient.Name,
    role: Recipient.Role,
    organisation: Recipient.Organisation,
    authority: Authority,
    requestNumber: asked.Request?.Number ?? '',
    requestDate: asked.Request?.Date ?? null,
    requestDue: asked.Request?.Due ?? null,
    source: PackageId === null ? 'evidence' : 'package',
    packageId: PackageId,
    evidenceIds: asked.EvidenceIds.filter((id) => givable.has(id)),
    withheld: asked.Withheld.map((line) => ({
      evidenceId: line.EvidenceId,
      resourceId: line.ResourceId,
      description: line.Description,
      ground: line.Ground,
      basis: line.Basis,
      reasons: line.Reasons,
    })),
    medium: Medium,
    serial: asked.MediumSerial,
    given: null,
    reason: Reason,
  }
}

const isEmpty = (text: string): boolean => text.trim() === ''

/** The first thing that the station would refuse; null: nothing that is known here. @param restricted evidence that is recorded as withheld by itself */
export function missingIn(form: Form, mode: Mode, restricted: number): MessageKey<'disclosure'> | null {
  if (replacedNo(mode) !== null && isEmpty(form.reason)) return 'missReason'
  if (isEmpty(form.name)) return 'missName'
  if (isEmpty(form.authority)) return 'missAuthority'
  if (form.source === 'package' && form.packageId === null && form.withheld.length === 0) return 'missPackage'
  const gives = form.source === 'package' ? form.packageId !== null : form.evidenceIds.length > 0
  if (!gives && form.withheld.length === 0 && restricted === 0) return 'missWhat'
  for (const line of form.withheld) {
    if (line.evidenceId === null) return 'missItem'
    if (isEmpty(line.description)) return 'missDescription'
    if (isEmpty(line.ground)) return 'missGround'
    if (line.basis === 'MG6D' && isEmpty(line.reasons)) return 'missReasons'
  }
  const named = form.withheld.map(({ evidenceId, resourceId }) => `${evidenceId} ${resourceId}`)
  if (new Set(named).size < named.length) return 'missTwice'
  const given = new Set(form.source === 'evidence' ? form.evidenceIds : [])
  return form.withheld.some(({ evidenceId, resourceId }) => resourceId === null && given.has(evidenceId ?? ''))
    ? 'missBoth'
    : null
}

type Body = z.input<typeof contract.CreateDisclosureModel>

export function bodyOf(form: Form, mode: Mode): Body {
  const ofPackage = form.source === 'package'
  return {
    ...(mode.kind === 'supplement'
      ? { Supplements: String(mode.last.No) }
      : {
          Recipient: { Name: form.name.trim(), Role: form.role, Organisation: form.organisation.trim() },
        }),
    ...(mode.kind === 'answer' ? { Answers: String(mode.request.No) } : {}),
    ...(mode.kind === 'again' ? { Answers: mode.asked.Answers } : {}),
    Authority: form.authority.trim(),
    Request: { Number: form.requestNumber.trim(), Date: form.requestDate, Due: form.requestDue },
    PackageId: ofPackage ? form.packageId : null,
    EvidenceIds: ofPackage ? [] : form.evidenceIds,
    Withheld: form.withheld.map((line) => ({
      EvidenceId: line.evidenceId ?? '',
      ResourceId: line.resourceId,
      Description: line.description.trim(),
      Ground: line.ground.trim(),
      Basis: line.basis,
      Reasons: line.basis === 'MG6D' ? line.reasons.trim() : '',
    })),
    Medium: form.medium,
    MediumSerial: form.serial.trim(),
    ...(form.given === null ? {} : { GivenTimeUtc: form.given }),
  }
}

/** What is sent where a second person approves first. */
export function proposalOf(form: Form, mode: Mode): z.input<typeof contract.ProposeDisclosureModel> {
  const { GivenTimeUtc: _given, ...body } = bodyOf(form, mode)
  const replaced = replacedNo(mode)
  return replaced === null ? body : { ...body, Supersedes: String(replaced), Reason: form.reason.trim() }
}

/** A supplement is for the recipient of the earlier one. */
export const roleIn = (form: Form, mode: Mode): RecipientRole =>
  mode.kind === 'supplement' ? mode.last.Recipient.Role : form.role

const folded = (text: string): string => text.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toLowerCase()

/** Whether the station adds a new record to those of a recipient that it knows in this case, as it compares them. */
export const isKnown = (
  { name, role, organisation }: { readonly name: string; readonly role: RecipientRole; readonly organisation: string },
  records: readonly Summary[],
): boolean =>
  !isEmpty(name) &&
  records.some(
    ({ Recipient }) =>
      Recipient.Role === role &&
      folded(Recipient.Name) === folded(name) &&
      folded(Recipient.Organisation) === folded(organisation),
  )
