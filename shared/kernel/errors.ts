import { z } from 'zod'

/** Every code a reply may carry, with its HTTP status outside the case service (there everything is 400, decisions 2). */
export const FAULTS = {
  InvalidModel: 400,
  InvalidDateTimeRange: 400,
  InvalidConcurrencyId: 400,
  InvalidJsonWebKeys: 400,
  InvalidJsonWebKeyValidityPeriod: 400,
  DepartmentNameInvalid: 400,
  TenantNotFound: 404,
  NotFound: 404,
  EvidenceNotFound: 404,
  ResourceNotFound: 404,
  JobNotFound: 404,
  DisclosureNotFound: 404,
  PackageNotFound: 404,
  CategoryNotFound: 404,
  CaseNotFound: 404,
  DepartmentNotFound: 404,
  UserNotFound: 404,
  GroupNotFound: 404,
  ServiceNotFound: 404,
  ApiKeyNotFound: 404,
  SessionNotFound: 404,
  DispositionItemNotFound: 404,
  CertificateNotFound: 404,
  QuarantineNotFound: 404,
  SourcePolicyNotFound: 404,
  AlarmNotFound: 404,
  WaiverNotFound: 404,
  TargetNotFound: 404,
  MapNotFound: 404,
  CheckpointNotFound: 404,
  PasskeyNotFound: 404,
  AuthorizationNotFound: 404,
  BookmarkNotFound: 404,
  NoteNotFound: 404,
  TaskNotFound: 404,
  AccessRequestNotFound: 404,
  CaptionsNotFound: 404,
  SavedSearchNotFound: 404,
  DockSessionNotFound: 404,
  DeviceNotFound: 404,
  TransactionNotFound: 404,
  AssociationNotFound: 404,
  CadEventNotFound: 404,
  CadMessageNotFound: 404,
  ReviewNotFound: 404,
  LanHostNotFound: 404,
  ShareLinkNotFound: 404,
  ForwardingQuestionNotFound: 404,
  DefaultDepartmentNotFound: 404,
  DefaultDepartmentNotAssigned: 404,
  Unauthorized: 401,
  SignInRefused: 401,
  SecondStepNeeded: 401,
  SecondStepRefused: 401,
  PasskeyRefused: 401,
  SessionLocked: 401,
  SetupLinkInvalid: 401,
  ShareLinkRefused: 401,
  Forbidden: 403,
  PasswordChangeNeeded: 403,
  MethodNotAllowed: 405,
  NotAcceptable: 406,
  RequestTimeout: 408,
  EvidenceNotUpToDate: 409,
  CategoryWithSameNameAlreadyExists: 409,
  ConcurrentWritingError: 409,
  CaseNotUpToDate: 409,
  CaseDeleted: 409,
  CaseAlreadyDeleted: 409,
  CaseNotDeleted: 409,
  CaseClosed: 409,
  CaseProtected: 409,
  CaseNotProtected: 409,
  EvidenceDeleted: 409,
  EvidenceAlreadyDeleted: 409,
  EvidenceNotDeleted: 409,
  EvidenceProtected: 409,
  EvidenceDisclosed: 409,
  EvidenceNotProtected: 409,
  EvidenceNotInNormalState: 409,
  EvidenceRelationsNotFound: 404,
  PrincipalCannotManageEvidence: 409,
  InvalidLinkAction: 409,
  TooManyAddedOrRemovedEvidencesAtOnce: 409,
  CaseNotInNormalState: 409,
  CannotUpdateClosedCase: 409,
  CannotAssignCaseToDisabledCategory: 409,
  CannotAssignToDisabledDepartment: 409,
  CannotDisableADefaultDepartment: 409,
  DepartmentAlreadyExists: 409,
  DepartmentWithoutManagePermission: 409,
  CannotCreateCaseWithNoManageAccess: 409,
  CannotRemoveLastAccessPolicyWithFullPermissions: 409,
  DepartmentChangeCausesLossOfLastAccessPolicyWithFullPermissions: 409,
  UnableToLoadUser: 409,
  ResourceNotOpen: 409,
  ResourceNotCompleted: 409,
  NotAVideo: 409,
  NotAPicture: 409,
  FrameNotReadable: 409,
  NotARecording: 409,
  CaptionsNotReadable: 409,
  CaptionsDetached: 409,
  CaptionsNotDetached: 409,
  TooManyBookmarks: 409,
  TooManyTasks: 409,
  TooManyAccessRequests: 409,
  AccessRequestClosed: 409,
  AccessRequestedAlready: 409,
  AccessHeldAlready: 409,
  TooManyOpenResources: 409,
  NothingUploaded: 409,
  UploadIncomplete: 409,
  HashMismatch: 409,
  UploadDamaged: 409,
  DecryptionFailed: 409,
  IdempotencyKeyReused: 409,
  IdempotencyKeyInProgress: 409,
  JobNotInState: 409,
  NameTaken: 409,
  DispositionNotWaiting: 409,
  PreviewOutdated: 409,
  NothingToDestroy: 409,
  BuiltInGroup: 409,
  LastAdministrator: 409,
  SecondStepOn: 409,
  SecondStepOff: 409,
  AlarmAcknowledged: 409,
  WarningNotStanding: 409,
  WarningWaived: 409,
  RunInProgress: 409,
  NoRunInProgress: 409,
  TargetExists: 409,
  TargetUnusable: 409,
  MapImportRefused: 409,
  CopyFailed: 409,
  CheckpointRefused: 409,
  PresentedHeadChanged: 409,
  StationKeyDiffers: 409,
  HeadquartersNotSet: 409,
  HeadquartersUnusable: 409,
  SampleDataRefused: 409,
  HeadquartersRefused: 409,
  HeadquartersNeeded: 409,
  ForwardingNotFailed: 409,
  EvidenceNotCompleted: 409,
  OriginalForwarded: 409,
  BackupInProgress: 409,
  PackageInProgress: 409,
  ValidationInProgress: 409,
  NoValidationInProgress: 409,
  PackageChanged: 409,
  PackageNotOpen: 409,
  NotAllDownloadable: 409,
  TimestampRefused: 409,
  SignatureUnavailable: 409,
  PackageFileGone: 409,
  PackageFactDiffers: 409,
  PaperTemplateUnusable: 409,
  NothingToPackage: 409,
  NothingToDisclose: 409,
  NothingToShare: 409,
  ShareLinkEnded: 409,
  EvidenceRestricted: 409,
  AlreadyRestricted: 409,
  NotRestricted: 409,
  DisclosureSuperseded: 409,
  DisclosureAcknowledged: 409,
  ScheduleSensitive: 409,
  BackupFailed: 409,
  PasskeysUnavailable: 409,
  TooManyPasskeys: 409,
  ReceiptNotReady: 409,
  ActiveDeviceLimitReached: 409,
  DeviceNotActive: 409,
  TransactionNotOpen: 409,
  OfficerAlreadyAssociated: 409,
  TooManyOfficers: 409,
  NothingToConfirm: 409,
  AssociationWithheld: 409,
  LanOff: 409,
  LanPortTaken: 409,
  LanNewCaNeeded: 409,
  LanCaNotCurrent: 409,
  LanWouldLockYouOut: 409,
  PreconditionFailed: 412,
  BodyTooLarge: 413,
  UnsupportedMediaType: 415,
  RangeNotSatisfiable: 416,
  HostNotAllowed: 421,
  OriginNotAllowed: 403,
  AlreadySetUp: 403,
  TenantGuestCannotUpdateAssignedPersonnel: 409,
  TooManyRequests: 429,
  TooManyAttempts: 429,
  AccountLocked: 429,
  AccountLockedUntilReleased: 429,
  ServerError: 500,
  StorageFull: 503,
  ReadOnly: 503,
  NotReady: 503,
} as const satisfies Record<string, number>

export type FaultCode = keyof typeof FAULTS

export interface Problem {
  /** Member path, e.g. `CustomFields.Weather`; empty for the whole. */
  readonly Path: string
  readonly Message: string
}

/** A refusal that a caller is told. Mapped to HTTP in server/http/errors.ts and nowhere else. */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly code: FaultCode
  readonly details: readonly Problem[]
  /** Seconds, for 429 and 503. */
  readonly retryAfter: number | undefined
  /** What the ledger is told and the caller is not (decisions 2), e.g. `PrincipalCannotAccessAuditTrail`. */
  readonly reason: string | undefined
  /** Headers that belong to the refusal, e.g. `Content-Range` with 416. */
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: FaultCode,
    message: string,
    options: {
      details?: readonly Problem[]
      retryAfter?: number
      reason?: string
      headers?: Record<string, string>
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: options.cause })
    this.code = code
    this.details = options.details ?? []
    this.retryAfter = options.retryAfter
    this.reason = options.reason
    this.headers = options.headers ?? {}
  }
}

export function fault(code: FaultCode, message: string, details: readonly Problem[] = []): Fault {
  return new Fault(code, message, { details })
}

/** Decisions 2. Template and CAD interfaces use the same members in camelCase. */
export const ExceptionModel = z
  .object({
    ErrorCode: z.string(),
    Message: z.string(),
    Details: z.array(z.object({ Path: z.string(), Message: z.string() })),
    CorrelationId: z.string(),
  })
  .meta({ id: 'ExceptionModel' })
